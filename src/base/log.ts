// The host's log: lines on stderr, which Lua keeps in a ring buffer for :ClaudeCodeLog.
import { describeError, stackOf } from './errors.ts'

/** From the most to the least severe. */
export const logLevels = ['error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof logLevels)[number]

/** Where everything that is worth keeping is written. A line is one event; a stack may follow an error. */
export interface Log {
  error(message: string, cause?: unknown): void
  warn(message: string): void
  info(message: string): void
  debug(message: string): void
  trace(message: string): void
  /** Takes the words of `secret` out of every later line (tokens must never be readable in a log). */
  hide(secret: string): void
}

/**
 * A log that writes through `write`, one call per line or block, without the final line break.
 * `level` is asked at every line, so it may change while the program runs.
 */
export function createLog(write: (text: string) => void, level: () => LogLevel): Log {
  const secrets = new Set<string>()
  function put(lineLevel: LogLevel, message: string): void {
    if (logLevels.indexOf(lineLevel) > logLevels.indexOf(level())) return
    let text = `${new Date().toISOString()} ${lineLevel.toUpperCase()} ${message}`
    for (const secret of secrets) text = text.replaceAll(secret, '[token]')
    write(text)
  }
  return {
    error: (message, cause) => put('error', cause === undefined ? message : `${message}: ${stackOf(cause)}`),
    warn: message => put('warn', message),
    info: message => put('info', message),
    debug: message => put('debug', message),
    trace: message => put('trace', message),
    hide: secret => void secrets.add(secret),
  }
}

/** A log of the level that `setLevel` was last given, `info` at first. */
export function createAdjustableLog(write: (text: string) => void): { log: Log; setLevel: (level: LogLevel) => void } {
  let level: LogLevel = 'info'
  const log = createLog(write, () => level)
  return {
    log,
    setLevel: to => {
      level = to
    },
  }
}

/** Lets `promise` run without anyone waiting for it; a failure reaches the log as `<what> failed`. */
export function inBackground(log: Log, promise: Promise<unknown>, what: string): void {
  promise.catch(error => {
    log.error(`${what} failed (${describeError(error)})`, error)
  })
}
