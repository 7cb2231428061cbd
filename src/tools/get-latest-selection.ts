// The tool getLatestSelection.
import { z } from 'zod'
import { defineTool, jsonResult, type Tool } from '../ide/tool.ts'
import type { SelectionTracker } from '../selection/tracker.ts'

/** What was selected last, also when the user is somewhere else by now (protocol document, "getLatestSelection"). */
export function getLatestSelection(selection: Pick<SelectionTracker, 'latest'>): Tool {
  return defineTool({
    name: 'getLatestSelection',
    description: 'Get the text that was selected last, in whatever file that was',
    input: z.object({}),
    async call() {
      const { latest } = selection
      if (!latest) return jsonResult({ success: false, message: 'No selection available' })
      return jsonResult({ success: true, ...latest })
    },
  })
}
