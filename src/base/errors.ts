// The three kinds of errors: the user's, the client's, and ours.

/** Something the user can mend. The message says what happened and what to do, one sentence each; it is shown without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError'
}

/** JSON-RPC error codes that this program sends (JSON-RPC 2.0, section 5.1; -32000 is the protocol document's, `openDiff`). */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  toolFailed: -32000,
} as const

/** An answer to a client that asked for something that can't be had. Never carries a stack or a path that the client did not send. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The text of anything that was thrown. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The stack of anything that was thrown, for the log. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`
  return (error.stack ?? error.message) + cause
}

/** True for a system error (`errno`) with one of these codes, such as `ENOENT`. */
export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
