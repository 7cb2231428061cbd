// Diagnostics as Claude gets them: the most severe first, and no more than a model can use.
import { z } from 'zod'
import { bytesOrText, luaList, shownText } from '../neovim/editor.ts'

/** How many diagnostics Lua sends at most. */
export const maxDiagnostics = 500
/** Claude refuses tool results of more than 25,000 tokens, which are four characters or less. */
const maxCharacters = 80_000
const longestMessage = 4000 // characters; some compilers print whole types

const place = z.int().transform(value => Math.max(value, 0))

const Row = z.object({
  line: place,
  character: place,
  end_line: place.optional(),
  end_character: place.optional(),
  message: shownText,
  source: shownText.optional(),
  code: shownText.optional(),
})
type Row = z.output<typeof Row>

/** The diagnostics of some files (lua/claudecode/editor/diagnostics.lua). */
export const DiagnosticFiles = luaList(
  z.object({
    path: bytesOrText,
    /** Errors, warnings, infos, hints; each in the order of the text. */
    severities: z.tuple([luaList(Row), luaList(Row), luaList(Row), luaList(Row)]),
  }),
)
export type DiagnosticFiles = z.output<typeof DiagnosticFiles>

/** How many Lua has left out: errors, warnings, infos, hints. */
export const CutCounts = luaList(z.int())

const severityNames = ['Error', 'Warning', 'Info', 'Hint'] as const

/** A diagnostic of the protocol document. Lines and bytes of the line are 0-based; `end` is behind the last one. */
interface Diagnostic {
  message: string
  severity: (typeof severityNames)[number]
  range: { start: { line: number; character: number }; end: { line: number; character: number } }
  source?: string
  code?: string
}

/** What is told, and a note about what is not. */
export interface DiagnosticList {
  files: { uri: string; diagnostics: Diagnostic[] }[]
  note: string | undefined
}

/** Makes the list. Files without diagnostics are not in it; each file's most severe diagnostics come first. */
export function listDiagnostics(
  files: DiagnosticFiles,
  cut: readonly number[],
  uriFor: (path: string | Buffer) => string,
): DiagnosticList {
  const chosen = files.map((): Diagnostic[] => [])
  const leftOut = severityNames.map((_, severity) => cut[severity] ?? 0)
  let room = maxCharacters
  for (const [severity, name] of severityNames.entries()) {
    for (const [index, file] of files.entries()) {
      for (const row of file.severities[severity] ?? []) {
        const diagnostic = toDiagnostic(row, name)
        room -= JSON.stringify(diagnostic).length
        if (room >= 0) chosen[index]?.push(diagnostic)
        else leftOut[severity] = (leftOut[severity] ?? 0) + 1
      }
    }
  }
  const listed = files.map(({ path }, index) => ({ uri: uriFor(path), diagnostics: chosen[index] ?? [] }))
  return { files: listed.filter(({ diagnostics }) => diagnostics.length > 0), note: describeCut(leftOut) }
}

function toDiagnostic(row: Row, severity: Diagnostic['severity']): Diagnostic {
  const { line, character, end_line = line, end_character = character + 1, message, source, code } = row
  return {
    message: message.length > longestMessage ? `${message.slice(0, longestMessage).toWellFormed()}…` : message,
    severity,
    range: { start: { line, character }, end: { line: end_line, character: end_character } },
    ...(source !== undefined && { source }),
    ...(code !== undefined && { code }),
  }
}

function describeCut(leftOut: readonly number[]): string | undefined {
  const parts = severityNames.flatMap((name, severity) => {
    const count = leftOut[severity] ?? 0
    return count > 0 ? [`${count} × ${name}`] : []
  })
  if (parts.length === 0) return undefined
  return `Not all diagnostics are listed, the most severe are. Left out: ${parts.join(', ')}. Ask for one file by its uri to see more of it.`
}
