// What a client is told when its diff can't be opened.
import { errorCodes, ProtocolError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { isRefusal } from '../neovim/editor.ts'

/** The name belongs to a text that the user accepted for another client (protocol document, "openDiff"). */
export function nameIsTaken(tabName: string): ProtocolError {
  return new ProtocolError(
    errorCodes.toolFailed,
    `The user has accepted a diff named ${tabName} for another client, and it is not written yet. In Neovim, :ClaudeCodeCloseAllDiffs closes it.`,
  )
}

/** The editor could not show it. What is no refusal of the editor's is a bug of ours, and goes to the log. */
export function cannotBeShown(error: unknown, log: Log): ProtocolError {
  if (error instanceof ProtocolError) return error
  if (!isRefusal(error)) log.error('a diff could not be shown', error)
  const reason = isRefusal(error) ? error.message : ':ClaudeCodeLog in Neovim says more'
  return new ProtocolError(errorCodes.toolFailed, `The diff can't be shown: ${reason}.`)
}
