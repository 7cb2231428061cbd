// getDiagnostics, from a real Neovim through a real socket: what is told.
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { oddNames, type Session, startSession, textOf } from './support.ts'

interface Diagnostic {
  message: string
  severity: string
  range: { start: { line: number; character: number }; end: { line: number; character: number } }
  source?: string
  code?: string
}

type Answer = { uri: string; diagnostics: Diagnostic[] }[]

/** Reports diagnostics for the buffer of a file, which is loaded for that. */
async function report({ nvim, file }: Session, name: string, lua: string, namespace = 'test'): Promise<void> {
  await nvim.lua(
    `local name, namespace = ...
    local b = vim.fn.bufadd(name)
    vim.fn.bufload(b)
    vim.diagnostic.set(vim.api.nvim_create_namespace(namespace), b, ${lua})`,
    file(name),
    namespace,
  )
}

const one = '{ { lnum = 0, col = 0, message = "wrong" } }'

test('G-04: the example of the document, every field, for two files and four severities', async () => {
  const session = await startSession({ files: { 'a.ts': 'one\ntwo\nthree\nfour\n', 'b.ts': 'one\n' } })
  await report(
    session,
    'a.ts',
    `{
      { lnum = 3, col = 0, severity = 4, message = "hint" },
      { lnum = 2, col = 1, end_lnum = 3, end_col = 2, severity = 3, message = "info", source = "linter", code = "I1" },
      { lnum = 1, col = 1, end_col = 2, severity = 2, message = "warning" },
      { lnum = 0, col = 1, end_lnum = 0, end_col = 3, severity = 1, message = "error\\nmore", source = "typescript", code = 2304 },
    }`,
  )
  await report(session, 'b.ts', one)
  const a = {
    uri: `file://${session.file('a.ts')}`,
    diagnostics: [
      {
        message: 'error\nmore',
        severity: 'Error',
        range: { start: { line: 0, character: 1 }, end: { line: 0, character: 3 } },
        source: 'typescript',
        code: '2304',
      },
      {
        message: 'warning',
        severity: 'Warning',
        range: { start: { line: 1, character: 1 }, end: { line: 1, character: 2 } },
      },
      {
        message: 'info',
        severity: 'Info',
        range: { start: { line: 2, character: 1 }, end: { line: 3, character: 2 } },
        source: 'linter',
        code: 'I1',
      },
      {
        message: 'hint',
        severity: 'Hint',
        range: { start: { line: 3, character: 0 }, end: { line: 3, character: 0 } },
      },
    ],
  }
  const b = {
    uri: `file://${session.file('b.ts')}`,
    diagnostics: [
      {
        message: 'wrong',
        severity: 'Error',
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
      },
    ],
  }
  expect((await session.call('getDiagnostics', { extra: true })).content).toHaveLength(1)
  expect(await session.json('getDiagnostics')).toEqual([a, b])
  expect(await session.json('getDiagnostics', { uri: a.uri })).toEqual([a])
})

test('G-01: a file by its path, by its URI, encoded or not', async () => {
  const session = await startSession()
  for (const name of oddNames) await report(session, name, one)
  for (const name of oddNames) {
    const path = session.file(name)
    const encoded = pathToFileURL(path).href
    for (const uri of [path, encoded, `file://${path}`, `file://localhost${path}`, `FILE://${path}`]) {
      const answer = await session.json<Answer>('getDiagnostics', { uri })
      // Claude compares the URI of the answer with its own.
      expect(
        answer.map(file => file.uri),
        uri,
      ).toEqual([uri === path ? encoded : uri])
    }
  }
})

test('Claude gets its own spelling back when it asks for all files, another Claude does not', async () => {
  const session = await startSession()
  await report(session, 'a b.txt', one)
  await report(session, 'c d.txt', one)
  const uri = `file://${session.file('a b.txt')}`
  await session.json('getDiagnostics', { uri })
  const all = (await session.json<Answer>('getDiagnostics')).map(file => file.uri)
  expect(all).toEqual([uri, `file://${session.file('c%20d.txt')}`])
})

test('G-02: a file that is not open, or has nothing wrong, is an empty list at once', async () => {
  const session = await startSession({ files: { 'a.txt': '', 'closed.txt': '' }, args: ['a.txt'] })
  for (const name of ['a.txt', 'closed.txt', 'missing.txt', '', 'a']) {
    const before = performance.now()
    const answer = await session.call('getDiagnostics', { uri: `file://${session.file(name)}` })
    expect(answer, name).toEqual({ content: [{ type: 'text', text: '[]' }] })
    expect(performance.now() - before).toBeLessThan(900) // less than any wait for diagnostics
  }
  expect(await session.json('getDiagnostics', { uri: 'untitled:Untitled-1' })).toEqual([])
  expect(await session.json('getDiagnostics')).toEqual([])
})

test('wrong arguments are named', async () => {
  const { claude } = await startSession()
  for (const uri of [7, null, [], {}, '', 'file:///a\0b', 'x'.repeat(20_000)]) {
    await expect(claude.callTool('getDiagnostics', { uri }), JSON.stringify(uri).slice(0, 40)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^uri: /),
    })
  }
})

test('files in the background count, what is no file does not', async () => {
  const session = await startSession({ files: { 'hidden.txt': '', 'unloaded.txt': '' } })
  await report(session, 'hidden.txt', one)
  await report(session, 'unloaded.txt', one)
  await session.nvim.lua(`
    vim.cmd('bunload ' .. vim.fn.bufnr('unloaded.txt'))
    local ns = vim.api.nvim_create_namespace('test')
    vim.diagnostic.set(ns, vim.fn.bufnr('unloaded.txt'), ${one})
    vim.diagnostic.set(ns, vim.api.nvim_create_buf(false, true), ${one})
    vim.cmd('terminal')
    vim.diagnostic.set(ns, 0, ${one})`)
  const names = (await session.json<Answer>('getDiagnostics')).map(file => file.uri.split('/').pop())
  expect(names).toEqual(['hidden.txt', 'unloaded.txt'])
})

test('odd diagnostics: bytes that are no text, no message to speak of, places that are none', async () => {
  const session = await startSession()
  await report(
    session,
    'a.txt',
    `{
      { lnum = 0, col = 0, message = "caf\\233 \\0 end", source = "\\255", code = "\\200" },
      { lnum = 99, col = 99, end_lnum = 100, end_col = 100, message = "" },
    }`,
  )
  const [answer] = await session.json<Answer>('getDiagnostics')
  expect(answer?.diagnostics).toMatchObject([
    { message: 'caf\ufffd \0 end', source: '\ufffd', code: '\ufffd' },
    { message: '', range: { start: { line: 99, character: 99 }, end: { line: 100, character: 100 } } },
  ])
})

test('thousands: the most severe are told, in few words, and a note says what is missing', async () => {
  const session = await startSession()
  const many = (count: number, severity: number) => `(function() local all = {} for i = ${count}, 1, -1 do
    all[#all + 1] = { lnum = i, col = 0, severity = ${severity}, message = 'number ' .. i, source = 'source' } end return all end)()`
  await report(session, 'a.txt', many(5000, 4), 'hints')
  await report(session, 'a.txt', many(300, 2), 'warnings')
  await report(session, 'b.txt', many(300, 1), 'errors')
  await report(session, 'b.txt', many(4000, 3), 'infos')
  const result = await session.call('getDiagnostics')
  const answer: Answer = JSON.parse(textOf(result))
  const told = answer.flatMap(file => file.diagnostics)
  expect(told.length).toBeGreaterThanOrEqual(400)
  expect(textOf(result).length).toBeLessThan(100_000)
  // All errors come before the first warning is left out, and of one severity the first in the text are told.
  const count = (severity: string) => told.filter(one => one.severity === severity).length
  expect([count('Error'), count('Warning'), count('Info'), count('Hint')]).toEqual([300, told.length - 300, 0, 0])
  expect(answer[0]?.diagnostics.map(one => one.range.start.line)).toEqual(
    Array.from({ length: told.length - 300 }, (_, index) => index + 1),
  )
  expect(textOf(result, 1)).toBe(
    `Not all diagnostics are listed, the most severe are. Left out: ${600 - told.length} × Warning, 4000 × Info, 5000 × Hint. Ask for one file by its uri to see more of it.`,
  )
})

test('a message without end is cut', async () => {
  const session = await startSession()
  await report(session, 'a.txt', '{ { lnum = 0, col = 0, message = ("🎉x"):rep(100000) } }')
  const [answer] = await session.json<Answer>('getDiagnostics')
  const message = answer?.diagnostics[0]?.message ?? ''
  expect(message.length).toBeLessThan(5000)
  expect(message).toMatch(/^(🎉x)+.?…$/u)
  expect(message.isWellFormed()).toBe(true)
})
