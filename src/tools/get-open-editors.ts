// The tool getOpenEditors.
import { basename } from 'node:path'
import { z } from 'zod'
import { defineTool, jsonResult, type Tool } from '../ide/tool.ts'
import { bytesOrText, luaList, shownText } from '../neovim/editor.ts'
import { encodeSelection } from '../selection/encode.ts'
import { SelectionFacts } from '../selection/facts.ts'
import { fileUri } from '../text/uri.ts'
import { answering } from './answers.ts'
import { LastKnown } from './last-known.ts'
import type { ToolParts } from './tool-parts.ts'

/** The documents as lua/claudecode/editor/documents.lua lists them. */
const OpenDocuments = z.object({
  /** Path, filetype, lines, the number of a tab page that shows it (else of the current one), unsaved changes. */
  rows: luaList(z.tuple([bytesOrText, shownText, z.int(), z.int(), z.boolean()])),
  /** Which of them the user works in, counted from 1. */
  active: z.int().optional(),
  current_tab: z.int(),
  /** Of the active one. */
  selection: SelectionFacts.optional(),
})
type OpenDocuments = z.output<typeof OpenDocuments>

/** The files that are open (protocol document, "getOpenEditors"), with the fields that VS Code has too. */
export function getOpenEditors(parts: Pick<ToolParts, 'editor' | 'mayShow' | 'privacyChanged' | 'clock'>): Tool {
  const { editor, mayShow, privacyChanged, clock } = parts
  const known = new LastKnown(clock, privacyChanged)

  return defineTool({
    name: 'getOpenEditors',
    description:
      'List the files that are open in the editor: their URIs, which one the user works in (isActive), and which have unsaved changes (isDirty).',
    input: z.object({}),
    call: (_, { signal }) =>
      answering(() =>
        known.answer('', signal, async patience => {
          const open = await editor.call('documents.list', {}, OpenDocuments, patience)
          const tabs = open.rows.flatMap((row, index) =>
            mayShow(row[0].toString()) ? [describe(row, index + 1, open)] : [],
          )
          return jsonResult({ tabs })
        }),
      ),
  })
}

function describe(
  [path, language, lines, tab, isDirty]: OpenDocuments['rows'][number],
  place: number,
  open: OpenDocuments,
) {
  const fileName = path.toString()
  const isActive = place === open.active
  return {
    uri: fileUri(path),
    isActive,
    isPinned: false,
    isPreview: false,
    isDirty,
    label: basename(fileName),
    groupIndex: tab - 1,
    viewColumn: tab,
    isGroupActive: tab === open.current_tab,
    fileName,
    languageId: language || 'plaintext',
    lineCount: lines,
    isUntitled: false,
    ...(isActive && open.selection && { selection: { ...rangeOf(open.selection), isReversed: false } }),
  }
}

function rangeOf(facts: SelectionFacts) {
  const { start, end } = encodeSelection(facts, Buffer.alloc(0), false).selection
  return { start, end }
}
