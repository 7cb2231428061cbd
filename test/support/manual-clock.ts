// A clock that stands still until a test moves it.
import type { Clock } from '../../src/base/clock.ts'
import { onDispose } from '../../src/base/disposable.ts'

interface Timer {
  due: number
  period: number | undefined
  run: () => void
}

/** Time that the test owns. */
export class ManualClock implements Clock {
  #now = 1_000_000
  readonly #timers = new Set<Timer>()

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void) {
    return this.#add({ due: this.#now + ms, period: undefined, run })
  }

  every(ms: number, run: () => void) {
    return this.#add({ due: this.#now + ms, period: ms, run })
  }

  /** How many timers wait. */
  get timers(): number {
    return this.#timers.size
  }

  /** Lets `ms` pass, with every timer at its time. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const next = [...this.#timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0]
      if (next === undefined) break
      this.#now = next.due
      this.#fire(next)
    }
    this.#now = end
  }

  /** Lets `ms` pass while the machine sleeps: what came due in between happens once, after it. */
  sleep(ms: number): void {
    this.#now += ms
    for (const timer of [...this.#timers]) if (timer.due <= this.#now) this.#fire(timer)
  }

  #add(timer: Timer) {
    this.#timers.add(timer)
    return onDispose(() => {
      this.#timers.delete(timer)
    })
  }

  #fire(timer: Timer): void {
    if (timer.period === undefined) this.#timers.delete(timer)
    else timer.due = this.#now + timer.period
    timer.run()
  }
}
