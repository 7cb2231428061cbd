// The list of diagnostics: what is told of many, and how it is written.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileUri } from '../../../src/text/uri.ts'
import { CutCounts, DiagnosticFiles, listDiagnostics } from '../../../src/tools/diagnostic-list.ts'

interface Row {
  line: number
  character: number
  message: string
  source?: string
}

type Severities = [Row[], Row[], Row[], Row[]]

function list(files: { path: string; severities: Severities }[], cut: number[] = [0, 0, 0, 0]) {
  return listDiagnostics(DiagnosticFiles.parse(files), CutCounts.parse(cut), fileUri)
}

const row = (line: number, message = 'm'): Row => ({ line, character: 0, message })

test('a file without diagnostics is not in the list, and without a cut there is no note', () => {
  const answer = list([
    { path: '/a', severities: [[], [], [], []] },
    { path: '/b', severities: [[], [], [row(1)], []] },
  ])
  expect(answer.files.map(file => file.uri)).toEqual(['file:///b'])
  expect(answer.note).toBeUndefined()
})

test("Lua's empty tables are lists", () => {
  expect(DiagnosticFiles.parse({})).toEqual([])
  expect(list([{ path: '/a', severities: [{}, {}, {}, [row(0)]] as unknown as Severities }]).files).toHaveLength(1)
})

test('a missing end is one character, and a place before the text is its start', () => {
  const [file] = list([{ path: '/a', severities: [[{ line: -1, character: -3, message: 'm' }], [], [], []] }]).files
  expect(file?.diagnostics[0]?.range).toEqual({ start: { line: 0, character: 0 }, end: { line: 0, character: 1 } })
})

test('what Lua has left out is in the note, by severity', () => {
  expect(list([{ path: '/a', severities: [[row(0)], [], [], []] }], [0, 2, 0, 7]).note).toMatch(
    /Left out: 2 × Warning, 7 × Hint\./,
  )
})

test('nothing is lost: what is not told is counted, and nothing more severe is left out than what is told', () => {
  const severity = fc.array(
    fc.record({ line: fc.nat(50), character: fc.nat(50), message: fc.string({ maxLength: 9000, size: 'max' }) }),
    {
      maxLength: 12,
    },
  )
  const file = fc.record({
    path: fc.constantFrom('/a', '/b', '/c d'),
    severities: fc.tuple(severity, severity, severity, severity),
  })
  const names = ['Error', 'Warning', 'Info', 'Hint']
  fc.assert(
    fc.property(fc.array(file, { maxLength: 4 }), files => {
      const { files: told, note = '' } = list(files)
      const text = JSON.stringify(told)
      expect(text.length).toBeLessThan(100_000)
      const flat = told.flatMap(one => one.diagnostics)
      for (const [index, name] of names.entries()) {
        const all = files.reduce((count, one) => count + (one.severities[index]?.length ?? 0), 0)
        const left = Number(new RegExp(`(\\d+) × ${name}`).exec(note)?.[1] ?? 0)
        expect(flat.filter(one => one.severity === name).length + left).toBe(all)
      }
      for (const one of told) {
        const order = one.diagnostics.map(diagnostic => names.indexOf(diagnostic.severity))
        expect(order).toEqual([...order].sort())
      }
    }),
    { numRuns: 60 },
  )
})

test('once something is left out, nothing less severe is told', () => {
  const long = Array.from({ length: 40 }, (_, index) => row(index, 'x'.repeat(3900)))
  const { files, note } = list([{ path: '/a', severities: [[row(0)], long, [row(1)], [row(2)]] }])
  const severities = new Set(files[0]?.diagnostics.map(one => one.severity))
  expect(severities).toEqual(new Set(['Error', 'Warning']))
  expect(note).toMatch(/\d+ × Warning, 1 × Info, 1 × Hint/)
})
