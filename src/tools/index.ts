// The tools that Claude may call (protocol document, "Available MCP Tools").
import type { Tool } from '../ide/tool.ts'
import { checkDocumentDirty } from './check-document-dirty.ts'
import { closeAllDiffTabs } from './close-all-diff-tabs.ts'
import { closeTab } from './close-tab.ts'
import { executeCode } from './execute-code.ts'
import { getCurrentSelection } from './get-current-selection.ts'
import { getDiagnostics } from './get-diagnostics.ts'
import { getLatestSelection } from './get-latest-selection.ts'
import { getOpenEditors } from './get-open-editors.ts'
import { getWorkspaceFolders } from './get-workspace-folders.ts'
import { openDiff } from './open-diff.ts'
import { openFile } from './open-file.ts'
import { saveDocument } from './save-document.ts'
import { timely } from './timely.ts'
import type { ToolParts } from './tool-parts.ts'

/** All tools, in the order in which they are listed: the document's. */
export function createTools(parts: ToolParts): Tool[] {
  return [
    openFile(parts),
    openDiff(parts.review),
    timely(getCurrentSelection(parts.selection), parts.editor),
    getLatestSelection(parts.selection),
    getOpenEditors(parts),
    getWorkspaceFolders(parts),
    getDiagnostics(parts),
    checkDocumentDirty(parts),
    saveDocument(parts),
    timely(closeTab(parts.review), parts.editor),
    timely(closeAllDiffTabs(parts.review), parts.editor),
    executeCode(parts.notebooks),
  ]
}
