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

/** A document as lua/claudecode/editor/documents.lua lists it. */
const Document = z.object({
  path: bytesOrText,
  is_active: z.boolean(),
  is_dirty: z.boolean(),
  language: shownText,
  lines: z.int(),
  /** Number of a tab page that shows it, else of the current one. */
  tab: z.int(),
  is_current_tab: z.boolean(),
  /** Of the active one. */
  selection: SelectionFacts.optional(),
})
type Document = z.output<typeof Document>

const Documents = luaList(Document)

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
          const documents = await editor.call('documents.list', {}, Documents, patience)
          const shown = documents.filter(({ path }) => mayShow(path.toString()))
          return jsonResult({ tabs: shown.map(describe) })
        }),
      ),
  })
}

function describe(document: Document) {
  const fileName = document.path.toString()
  return {
    uri: fileUri(document.path),
    isActive: document.is_active,
    isPinned: false,
    isPreview: false,
    isDirty: document.is_dirty,
    label: basename(fileName),
    groupIndex: document.tab - 1,
    viewColumn: document.tab,
    isGroupActive: document.is_current_tab,
    fileName,
    languageId: document.language || 'plaintext',
    lineCount: document.lines,
    isUntitled: false,
    ...(document.selection && { selection: { ...rangeOf(document.selection), isReversed: false } }),
  }
}

function rangeOf(facts: SelectionFacts) {
  const { start, end } = encodeSelection(facts, Buffer.alloc(0), false).selection
  return { start, end }
}
