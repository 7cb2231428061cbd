// Waiting for an editor that may not answer for a long time.
import type { Clock } from '../base/clock.ts'

const patienceMs = 4000 // after 5 s a session looks dead, and Claude begins each turn with a call that closes diffs

/**
 * Resolves when `work` has ended, well or badly, or when it has taken 4 s: a Neovim that waits for a key answers nobody.
 * The work goes on. Its failure is for whoever else looks at it.
 */
export function withPatience(work: Promise<unknown>, clock: Clock): Promise<void> {
  return new Promise(resolve => {
    const patience = clock.after(patienceMs, resolve)
    const end = () => {
      patience.dispose()
      resolve()
    }
    work.then(end, end)
  })
}
