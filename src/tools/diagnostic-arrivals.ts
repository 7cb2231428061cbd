// Waiting for the diagnostics of a text that has just changed.
import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import { type Disposable, DisposableStack, onDispose } from '../base/disposable.ts'
import type { Editor } from '../neovim/editor.ts'

const freshWithinMs = 1000 // after a file was read again; language servers need 100 to 500 ms
const typedWithinMs = 300 // after other changes: Claude waits 500 ms before it edits, and the user may just be typing
const quietMs = 75 // the other sources of the same buffer follow closely

/** A server that is told of a new text by closing and opening it says first that it has no diagnostics. */
const quietAfterNoneMs = 400

const Changed = z.object({ buffer: z.int(), count: z.int() })

/** A buffer whose diagnostics are older than its text. */
export interface StaleBuffer {
  buffer: number
  /** How long ago its file was read. */
  since_read_ms?: number | undefined
}

/** Listens from the moment that it was made. */
export interface Arrival extends Disposable {
  /** Resolves when new diagnostics of all these buffers have come, or when it is not worth to wait any longer. */
  settled(stale: readonly StaleBuffer[], signal: AbortSignal): Promise<void>
}

/** Hears of new diagnostics (lua/claudecode/editor/diagnostics.lua). */
export class DiagnosticArrivals {
  readonly #events: Pick<Editor, 'on'>
  readonly #clock: Clock

  constructor(events: Pick<Editor, 'on'>, clock: Clock) {
    this.#events = events
    this.#clock = clock
  }

  /** Begins to listen: what comes between the question and its answer counts too. */
  expect(): Arrival {
    const clock = this.#clock
    const come = new Map<number, number>() // buffer -> how many diagnostics it has
    let onCome: () => void = () => undefined
    const listening = this.#events.on('diagnostics', Changed, ({ buffer, count }) => {
      come.set(buffer, count)
      onCome()
    })

    return {
      dispose: () => listening.dispose(),
      settled(stale, signal) {
        return new Promise((resolve, reject) => {
          const waiting = new DisposableStack()
          let quiet: Disposable | undefined
          function end(settle: () => void): void {
            onCome = () => undefined
            quiet?.dispose()
            void waiting.dispose()
            settle()
          }
          const onAbort = () => end(() => reject(signal.reason))
          signal.addEventListener('abort', onAbort, { once: true })
          waiting.add(onDispose(() => signal.removeEventListener('abort', onAbort)))
          waiting.add(clock.after(Math.max(...stale.map(patienceFor)), () => end(resolve)))
          onCome = () => {
            quiet?.dispose()
            if (!stale.every(({ buffer }) => come.has(buffer))) return
            const hasNone = stale.some(({ buffer }) => come.get(buffer) === 0)
            quiet = clock.after(hasNone ? quietAfterNoneMs : quietMs, () => end(resolve))
          }
          if (signal.aborted) onAbort()
          else onCome()
        })
      },
    }
  }
}

function patienceFor({ since_read_ms = Number.POSITIVE_INFINITY }: StaleBuffer): number {
  return since_read_ms < freshWithinMs ? freshWithinMs - since_read_ms : typedWithinMs
}
