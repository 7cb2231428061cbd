// The tool closeAllDiffTabs.
import { z } from 'zod'
import type { Review } from '../diffs/review.ts'
import { defineTool, type Tool, textResult } from '../ide/tool.ts'

/** Closes all diffs but those that the user accepted for another client (protocol document, "closeAllDiffTabs"). */
export function closeAllDiffTabs(review: Pick<Review, 'closeAllTabs'>): Tool {
  return defineTool({
    name: 'closeAllDiffTabs',
    description: 'Close all diffs in the editor',
    input: z.object({}),
    async call(_, { client }) {
      return textResult(`CLOSED_${await review.closeAllTabs(client)}_DIFF_TABS`)
    },
  })
}
