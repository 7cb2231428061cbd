// Waiting for something to become true, with a deadline: what tests do instead of sleeping.
import { setTimeout as pause } from 'node:timers/promises'

/** What a probe returns while the thing has not happened yet. Everything else, `0` and `''` too, ends the wait. */
export type NotYet = undefined | null | false

export interface WaitOptions {
  /** Default: 10 s, which only a thing that never happens takes. */
  timeoutMs?: number
  /** Pause between two probes; default 10 ms. */
  intervalMs?: number
  /** More to say when it never happened, such as a screen. */
  report?: () => string | Promise<string>
}

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_INTERVAL_MS = 10

/**
 * Calls `probe` until it returns something. Returns that.
 *
 * @param what - completes the sentence "Waited 10000 ms for …"
 * @throws what `probe` throws, at once; or an Error that says what was waited for, what the probe returned last, and the report.
 */
export async function waitFor<T>(
  probe: () => T | Promise<T>,
  what: string,
  options: WaitOptions = {},
): Promise<Exclude<T, NotYet>> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, intervalMs = DEFAULT_INTERVAL_MS } = options
  const over = new AbortController()
  const deadline = pause(timeoutMs, 'over' as const, { signal: over.signal })
  // Aborted below when it is not needed any more.
  deadline.catch(() => {})
  let last: unknown
  try {
    for (;;) {
      const found = await Promise.race([Promise.resolve(probe()).then(value => ({ value })), deadline])
      if (found === 'over') break
      last = found.value
      if (!isNotYet(found.value)) return found.value as Exclude<T, NotYet>
      if ((await Promise.race([pause(intervalMs), deadline])) === 'over') break
    }
  } finally {
    over.abort()
  }
  const report = (await options.report?.()) ?? ''
  throw new Error(`Waited ${timeoutMs} ms for ${what}; the last answer was ${JSON.stringify(last)}.\n${report}`)
}

function isNotYet(value: unknown): value is NotYet {
  return value === undefined || value === null || value === false
}
