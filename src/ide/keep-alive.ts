// Finds the clients that are gone without a word, and forgives those that only seem so after the machine slept.
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { deadMs, pingMs, sleepFactor } from './limits.ts'

/** What is kept alive. */
export interface Pulse {
  /** When the other side was last heard, in the clock's ms. */
  lastHeard: number
  ping(): void
  giveUp(): void
}

/** Pings every pulse every `pingMs` and gives up those that were not heard for `deadMs`. Disposing it stops that. */
export function keepAlive(pulses: () => Iterable<Pulse>, clock: Clock): Disposable {
  let lastRound = clock.now()
  return clock.every(pingMs, () => {
    const now = clock.now()
    // Asleep, we heard nobody, and what they sent since may wait in the sockets: they get a whole new turn.
    const wasAsleep = now - lastRound > pingMs * sleepFactor
    lastRound = now
    for (const pulse of [...pulses()]) {
      if (wasAsleep) pulse.lastHeard = now
      if (now - pulse.lastHeard >= deadMs) pulse.giveUp()
      else pulse.ping()
    }
  })
}
