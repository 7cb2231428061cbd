// The tool getDiagnostics.
import { z } from 'zod'
import { defineTool, jsonResult, type Tool, type ToolCall, textResult } from '../ide/tool.ts'
import { luaList } from '../neovim/editor.ts'
import type { Patience } from '../neovim/watchdog.ts'
import { answering } from './answers.ts'
import { AskedUris } from './asked-uris.ts'
import { DiagnosticArrivals } from './diagnostic-arrivals.ts'
import { CutCounts, DiagnosticFiles, listDiagnostics, maxDiagnostics } from './diagnostic-list.ts'
import { type MeantPath, PathArgument, readPath } from './document-path.ts'
import { LastKnown } from './last-known.ts'
import type { ToolParts } from './tool-parts.ts'

const Reading = z.object({
  /** Buffers whose diagnostics are those of an older text. While there are any, `files` is empty. */
  stale: luaList(z.object({ buffer: z.int(), since_read_ms: z.number().optional() })),
  files: DiagnosticFiles,
  cut: CutCounts,
})

/** Errors, warnings and the like of one file or all (protocol document, "getDiagnostics"). */
export function getDiagnostics(
  parts: Pick<ToolParts, 'editor' | 'events' | 'mayShow' | 'privacyChanged' | 'clock'>,
): Tool {
  const { editor, events, mayShow, privacyChanged, clock } = parts
  const known = new LastKnown(clock, privacyChanged)
  const uris = new AskedUris()
  const arrivals = new DiagnosticArrivals(events, clock)

  async function read(path: MeantPath | undefined, patience: Patience) {
    const args = { paths: path?.paths, limit: maxDiagnostics }
    const arrival = arrivals.expect()
    try {
      const reading = await editor.call('diagnostics.read', args, Reading, patience)
      if (reading.stale.length === 0) return reading
      await arrival.settled(reading.stale, patience.signal)
      const waited = reading.stale.map(({ buffer }) => buffer)
      return await editor.call('diagnostics.read', { ...args, waited }, Reading, patience)
    } finally {
      arrival.dispose()
    }
  }

  /** What is private is left out by the editor, once it knows: so that it takes no room, and does not count as cut. */
  async function readShown(path: MeantPath | undefined, patience: Patience) {
    const reading = await read(path, patience)
    if (reading.files.every(isShown)) return reading
    const again = await read(path, patience)
    return { ...again, files: again.files.filter(isShown) }
  }
  const isShown = ({ path }: DiagnosticFiles[number]) => mayShow(path.toString())

  async function answer(uri: string | undefined, { client }: ToolCall, patience: Patience) {
    const { files, cut } = await readShown(uri === undefined ? undefined : readPath(uri), patience)
    if (uri !== undefined && files[0] !== undefined) uris.remember(client, files[0].path, uri)
    const list = listDiagnostics(files, cut, path => uris.uriFor(client, path))
    const result = jsonResult(list.files)
    return { content: [...result.content, ...textResult(...(list.note === undefined ? [] : [list.note])).content] }
  }

  return defineTool({
    name: 'getDiagnostics',
    description:
      "Get the errors, warnings and hints that the editor's language servers and linters report. Lines and characters are counted from 0. A file that is not open has none.",
    input: z.object({
      uri: PathArgument.optional().describe(
        'File to get diagnostics for, a file:// URI or an absolute path. If not provided, gets diagnostics for all files',
      ),
    }),
    call: ({ uri }, call) =>
      answering(() => known.answer(uri ?? '', call.signal, patience => answer(uri, call, patience))),
  })
}
