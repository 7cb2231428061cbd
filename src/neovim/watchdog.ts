// Calls to the editor for those who would wait for ever: Claude has no time limit on tools, and Neovim answers nobody
// while it waits for a key, runs a shell command, or is stopped.
import type { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import type { Editor, EditorMode } from './editor.ts'

const patienceMs = 4000 // with the grace below this stays under 5 s, after which a session looks dead
const graceMs = 250 // for the answer of a call that Neovim has just come to
const firstProbeMs = 150 // a call takes a few milliseconds, and `f` and its character are seldom this far apart
const probeEveryMs = 100
const lateMs = 1000 // for so long what Neovim said of itself still holds

/** Neovim did not answer in time, and the call was withdrawn. The message says why, for the client and its model. */
export class EditorBusyError extends Error {
  override readonly name = 'EditorBusyError'
}

/** Who waits, and for how long. */
export interface Patience {
  /** Nobody waits any more. The call may still be carried out. */
  signal: AbortSignal
  /** How long Neovim has to begin; default 4 s. */
  forMs?: number
  /** How long it has when it says that it waits for a key; default as long as `forMs`. */
  forKeyMs?: number
}

/** Calls with an end. */
export interface Watchdog {
  /**
   * As `Editor.call`, for at most 4.25 s, and not carried out later.
   * @throws {EditorBusyError} with the reason. @throws the reason of the signal, once that is aborted.
   */
  call<T>(name: string, args: Record<string, unknown>, result: z.ZodType<T>, patience: Patience): Promise<T>
  /**
   * Waits for work that makes calls of its own, for at most 4.25 s while Neovim answers nobody. The work goes on.
   * @throws {EditorBusyError} with the reason. @throws the reason of the signal, once that is aborted.
   */
  watch<T>(work: Promise<T>, signal: AbortSignal): Promise<T>
}

/** Why there is no answer: Neovim waits for a key, says nothing at all, or is alive and just slow. */
type Silence = 'key' | 'silent' | 'slow'

/** Makes the watchdog of one editor. */
export function createWatchdog(editor: Editor, clock: Clock): Watchdog {
  const probe = createProbe(editor, clock)

  /** The outcome of `answer`, until `decide`, which sees every 100 ms how Neovim is, returns an error. */
  function race<T>(
    answer: Promise<T>,
    signal: AbortSignal,
    decide: (elapsedMs: number, silence: Silence) => Error | undefined,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = clock.now()
      let isOver = false
      let pause = clock.after(firstProbeMs, look)

      function look(): void {
        void probe().then(silence => {
          if (isOver) return
          const error = decide(clock.now() - start, silence)
          if (error === undefined) pause = clock.after(probeEveryMs, look)
          else end(() => reject(error))
        })
      }
      function abort(): void {
        end(() => reject(signal.reason))
      }
      function end(settle: () => void): void {
        isOver = true
        pause.dispose()
        signal.removeEventListener('abort', abort)
        settle()
      }
      signal.addEventListener('abort', abort)
      answer.then(
        value => end(() => resolve(value)), // it may come when nobody waits any more
        error => end(() => reject(error)),
      )
    })
  }

  return {
    call(name, args, result, { signal, forMs = patienceMs, forKeyMs = forMs }) {
      if (signal.aborted) return Promise.reject(signal.reason)
      let keys = 0 // between two keys Neovim waits for an instant
      return race(editor.call(name, args, result, forMs), signal, (elapsedMs, silence) => {
        keys = silence === 'key' ? keys + 1 : 0
        const isOver = keys > 1 && forKeyMs < forMs ? elapsedMs >= forKeyMs : elapsedMs >= forMs + graceMs
        return isOver ? new EditorBusyError(explain(silence, forMs)) : undefined
      })
    },

    watch(work, signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      return race(work, signal, (elapsedMs, silence) => {
        const isOver = silence !== 'slow' && elapsedMs >= patienceMs + graceMs
        return isOver ? new EditorBusyError(explain(silence, patienceMs)) : undefined
      })
    },
  }
}

function explain(silence: Silence, waitedMs: number): string {
  const waited = `${waitedMs / 1000} s`
  switch (silence) {
    case 'key':
      return 'Neovim waits for a key: it shows a "Press ENTER" prompt, or a command is not complete. The user has to press Enter or Escape in Neovim first.'
    case 'silent':
      return `Neovim has not answered for ${waited}: it runs a command that keeps it busy, or it is stopped. Try again when it is free.`
    case 'slow':
      return `Neovim was too busy to answer within ${waited}. Try again when it is free.`
  }
}

/**
 * Asks for the mode, which Neovim answers even while it waits for a key. Never more than one question is open. On a busy machine
 * an answer can be late: for a moment the last one counts.
 */
function createProbe(editor: Editor, clock: Clock): () => Promise<Silence> {
  let asked: Promise<EditorMode | undefined> | undefined
  let last: { mode: EditorMode; at: number } | undefined

  async function ask(): Promise<EditorMode | undefined> {
    try {
      const mode = await editor.readMode()
      last = { mode, at: clock.now() }
      return mode
    } catch {
      return undefined // Neovim is gone, and the call says so itself
    } finally {
      asked = undefined
    }
  }

  return async () => {
    asked ??= ask()
    const answer = await Promise.race([asked, pause(clock, probeEveryMs)])
    const mode = answer ?? (last !== undefined && clock.now() - last.at < lateMs ? last.mode : undefined)
    if (mode === undefined) return 'silent'
    return mode.blocking ? 'key' : 'slow'
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise(resolve => clock.after(ms, resolve))
}
