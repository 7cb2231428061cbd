// Time, as a parameter, so that tests can own it.
import { type Disposable, onDispose } from './disposable.ts'

/** The time and its timers. All durations are milliseconds. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; never goes back, and stands still while the machine sleeps or not, as the system decides. */
  now(): number
  /** Calls `run` once after `ms`. Disposing the result cancels it. */
  after(ms: number, run: () => void): Disposable
  /** Calls `run` every `ms` until the result is disposed. */
  every(ms: number, run: () => void): Disposable
}

/** The real time. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref()
    return onDispose(() => clearTimeout(timer))
  },
  every(ms, run) {
    const timer = setInterval(run, ms).unref()
    return onDispose(() => clearInterval(timer))
  },
}
