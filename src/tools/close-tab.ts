// The tool close_tab.
import { z } from 'zod'
import type { Review } from '../diffs/review.ts'
import { defineTool, type Tool, textResult } from '../ide/tool.ts'

/** Closes the diff of exactly this name. The answer is the same whether there was one (protocol document, "close_tab"). */
export function closeTab(review: Pick<Review, 'closeTab'>): Tool {
  return defineTool({
    name: 'close_tab',
    description: 'Close the diff that openDiff opened with this tab_name',
    input: z.object({ tab_name: z.string().describe('The tab_name of the diff') }),
    async call({ tab_name }, { client }) {
      await review.closeTab(client, tab_name)
      return textResult('TAB_CLOSED')
    },
  })
}
