// Answers that say why something could not be done.
import { type ToolResult, textResult } from '../ide/tool.ts'
import { isRefusal } from '../neovim/editor.ts'
import { EditorGoneError } from '../neovim/transport.ts'
import { EditorBusyError } from '../neovim/watchdog.ts'

/**
 * An answer that says why something could not be done. It is a result, so that the model reads the sentence (MCP,
 * "Tools", Error Handling: JSON-RPC errors are for calls that are wrong in themselves).
 */
export function failure(sentence: string): ToolResult {
  return { ...textResult(sentence), isError: true }
}

/** The sentence of an error that is no bug: the editor refuses, is busy, or is gone. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof EditorBusyError) return error.message
  if (isRefusal(error)) return error.message
  if (error instanceof EditorGoneError) return 'Neovim has ended.'
  return undefined
}

/** Answers with what `work` answers, or with the reason why the editor could not do it. Bugs are thrown on. */
export async function answering(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work()
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    return failure(reason)
  }
}
