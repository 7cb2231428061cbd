// The tool getCurrentSelection.
import { z } from 'zod'
import { defineTool, jsonResult, type Tool } from '../ide/tool.ts'
import type { SelectionTracker } from '../selection/tracker.ts'

/** What is selected now (protocol document, "getCurrentSelection"). */
export function getCurrentSelection(selection: Pick<SelectionTracker, 'current'>): Tool {
  return defineTool({
    name: 'getCurrentSelection',
    description: 'Get the text that is selected in the editor, or the place of the cursor',
    input: z.object({}),
    async call() {
      const current = await selection.current()
      if (!current) return jsonResult({ success: false, message: 'No active editor found' })
      return jsonResult({ success: true, ...current })
    },
  })
}
