// The tool openFile.
import { z } from 'zod'
import { defineTool, jsonResult, type Tool, textResult } from '../ide/tool.ts'
import { luaList, shownText } from '../neovim/editor.ts'
import { answering } from './answers.ts'
import { PathArgument, readPath } from './document-path.ts'
import type { ToolParts } from './tool-parts.ts'

const Opened = z.object({
  /** Absolute, as the client wrote it. */
  path: shownText,
  language: shownText,
  lines: z.int(),
  notes: luaList(shownText),
})

const Input = z.object({
  filePath: PathArgument.describe('Path to the file to open, absolute or a file:// URI'),
  preview: z.boolean().default(false).describe('Open it in the preview window, which the next preview takes over'),
  startText: z
    .string()
    .optional()
    .describe('Plain text (not a pattern, may span lines) whose first occurrence begins the selection'),
  endText: z
    .string()
    .optional()
    .describe('Plain text after startText with which the selection ends. Without it, startText itself is selected'),
  selectToEndOfLine: z.boolean().default(false).describe('Extend the selection to the end of its last line'),
  startLine: z.int().optional().describe('First line to select, counted from 1; not used together with startText'),
  endLine: z.int().optional().describe('Last line to select, counted from 1; default startLine'),
  makeFrontmost: z
    .boolean()
    .default(true)
    .describe(
      "Show the file and go there. If false it is opened in the background and the user's windows stay as they are",
    ),
})

/** Opens a file, shows it and selects in it (protocol document, "openFile"). */
export function openFile({ editor }: Pick<ToolParts, 'editor'>): Tool {
  return defineTool({
    name: 'openFile',
    description:
      'Open a file in the editor and show it to the user, optionally with a range of its text selected. Opening a file does not read it for you.',
    input: Input,
    call: (input, { signal }) =>
      answering(async () => {
        const { name, paths } = readPath(input.filePath)
        const opened = await editor.call(
          'files.open',
          {
            name,
            paths,
            preview: input.preview,
            front: input.makeFrontmost,
            start_text: input.startText,
            end_text: input.endText,
            to_end_of_line: input.selectToEndOfLine,
            start_line: input.startLine,
            end_line: input.endLine,
          },
          Opened,
          { signal },
        )
        if (input.makeFrontmost) return textResult(`Opened file: ${opened.path}`, ...opened.notes)
        const { path: filePath, language, lines: lineCount } = opened
        const result = jsonResult({ success: true, filePath, languageId: language || 'plaintext', lineCount })
        return { ...result, content: [...result.content, ...textResult(...opened.notes).content] }
      }),
  })
}
