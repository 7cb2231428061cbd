// The tool openDiff.
import { z } from 'zod'
import type { Review } from '../diffs/review.ts'
import { defineTool, type Tool, textResult } from '../ide/tool.ts'
import { PathArgument } from './document-path.ts'

/** The arguments, as the protocol document names them ("openDiff"). */
export const OpenDiffArguments = z.object({
  old_file_path: PathArgument.describe('Path of the file as it is'),
  new_file_path: PathArgument.describe('Path of the file that the proposal is for'),
  new_file_contents: z.string().describe('The whole text that is proposed'),
  tab_name: z.string().min(1).describe('Name of the diff; close_tab takes it'),
})

/**
 * Shows a proposal beside its file, and answers when the user has decided: `FILE_SAVED` with the text that they
 * accepted, or `DIFF_REJECTED` with the name of the diff.
 */
export function openDiff(review: Pick<Review, 'openDiff'>): Tool {
  return defineTool({
    name: 'openDiff',
    description: 'Show a proposed change of a file as a diff, and wait until the user accepts or rejects it',
    input: OpenDiffArguments,
    async call(args, call) {
      const proposal = {
        oldPath: args.old_file_path,
        newPath: args.new_file_path,
        text: args.new_file_contents,
        tabName: args.tab_name,
      }
      const verdict = await review.openDiff(proposal, call)
      if (verdict.kind === 'accepted') return textResult('FILE_SAVED', verdict.text)
      return textResult('DIFF_REJECTED', args.tab_name)
    },
  })
}
