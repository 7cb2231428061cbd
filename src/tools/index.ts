// The tools that Claude may call (protocol document, "Available MCP Tools").
import type { Tool } from '../ide/tool.ts'
import type { SelectionTracker } from '../selection/tracker.ts'
import { getCurrentSelection } from './get-current-selection.ts'
import { getLatestSelection } from './get-latest-selection.ts'

/** What the tools work with. */
export interface ToolParts {
  selection: SelectionTracker
}

/** All tools, in the order in which they are listed. */
export function createTools(parts: ToolParts): Tool[] {
  return [getCurrentSelection(parts.selection), getLatestSelection(parts.selection)]
}
