// The tool checkDocumentDirty.
import { z } from 'zod'
import { defineTool, jsonResult, type Tool } from '../ide/tool.ts'
import { answering } from './answers.ts'
import { PathArgument, readPath } from './document-path.ts'
import type { ToolParts } from './tool-parts.ts'

const State = z.object({ is_open: z.boolean(), is_dirty: z.boolean().optional() })

/** Whether a file has changes that are not on disk (protocol document, "checkDocumentDirty"). */
export function checkDocumentDirty({ editor }: Pick<ToolParts, 'editor'>): Tool {
  return defineTool({
    name: 'checkDocumentDirty',
    description:
      'Check whether a file that is open in the editor has unsaved changes, so that its text on disk is not what the user sees.',
    input: z.object({
      filePath: PathArgument.describe('Path to the file to check, absolute or a file:// URI'),
    }),
    call: ({ filePath }, { signal }) =>
      answering(async () => {
        const { name, paths } = readPath(filePath)
        const state = await editor.call('documents.state', { paths }, State, { signal })
        if (!state.is_open) return jsonResult({ success: false, message: `Document not open: ${name}` })
        return jsonResult({ success: true, filePath: name, isDirty: state.is_dirty === true, isUntitled: false })
      }),
  })
}
