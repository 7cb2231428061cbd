// The tool saveDocument.
import { z } from 'zod'
import { defineTool, jsonResult, type Tool } from '../ide/tool.ts'
import { shownText } from '../neovim/editor.ts'
import { answering } from './answers.ts'
import { PathArgument, readPath } from './document-path.ts'
import type { ToolParts } from './tool-parts.ts'

const Outcome = z.object({ is_open: z.boolean(), reason: shownText.optional() })

/** Writes a file's unsaved changes to disk (protocol document, "saveDocument"). */
export function saveDocument({ editor }: Pick<ToolParts, 'editor'>): Tool {
  return defineTool({
    name: 'saveDocument',
    description:
      'Save the unsaved changes of a file that is open in the editor. It is not saved, and the answer says why, when it is read-only or has changed on disk.',
    input: z.object({
      filePath: PathArgument.describe('Path to the file to save, absolute or a file:// URI'),
    }),
    call: ({ filePath }, { signal }) =>
      answering(async () => {
        const { name, paths } = readPath(filePath)
        const { is_open, reason } = await editor.call('saving.save', { paths }, Outcome, { signal })
        if (!is_open) return jsonResult({ success: false, message: `Document not open: ${name}` })
        if (reason !== undefined) {
          return jsonResult({ success: false, message: `Document not saved: ${reason}`, filePath: name })
        }
        return jsonResult({ success: true, filePath: name, saved: true, message: 'Document saved successfully' })
      }),
  })
}
