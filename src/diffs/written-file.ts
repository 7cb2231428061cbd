// Waits until a client has written the text that the user accepted, which no message tells.
import type { Clock } from '../base/clock.ts'
import { type Disposable, onDispose } from '../base/disposable.ts'
import { inBackground, type Log } from '../base/log.ts'
import { readIfThere, statIfThere, statNow } from '../base/read-if-there.ts'
import { holdsText } from './holds-text.ts'

const lookEveryMs = 50 // soon enough for the eye; a stat costs microseconds
const settledMs = 300 // a file that is not what we wait for may be half written
const patienceMs = 30_000 // the CLI writes within milliseconds, but a hook of the user's may run before

/** One state of a file, for comparison; undefined while there is none. */
export type FileStamp = string | undefined

/** What is waited for. */
export interface WrittenFileOptions {
  path: string
  text: string
  /** The state in which the file was proposed to be changed: the client may have written it before we begin to look. */
  since: FileStamp
  /** The file holds the text, or has changed otherwise and come to rest. */
  onWritten: (holdsText: boolean) => Promise<unknown>
  clock: Clock
  log: Log
}

/** Looks at the file from now on, until it holds the text, for half a minute at most. Dispose the result to stop. */
export function awaitWrittenFile(options: WrittenFileOptions): Disposable {
  const { path, text, since, onWritten, clock, log } = options
  let seen = since
  let changedAt: number | undefined
  let looking = false
  const startedAt = clock.now()

  async function look(): Promise<void> {
    const stats = await statIfThere(path)
    const stamp = stats && toStamp(stats)
    if (stamp !== seen) {
      seen = stamp
      changedAt = clock.now()
      const bytes = await readIfThere(path)
      if (bytes !== undefined && holdsText(bytes, text)) {
        timer.dispose()
        await onWritten(true)
      }
    } else if (changedAt !== undefined && clock.now() - changedAt >= settledMs) {
      changedAt = undefined
      if (stamp !== undefined) await onWritten(false)
    }
    if (clock.now() - startedAt >= patienceMs) timer.dispose()
  }

  const timer = clock.every(lookEveryMs, () => {
    if (looking) return
    looking = true
    inBackground(
      log,
      look().finally(() => {
        looking = false
      }),
      'looking at a file that Claude writes',
    )
  })
  return onDispose(() => timer.dispose())
}

/** Enough to tell that a file was written. */
function toStamp({ mtimeMs, size, ino }: { mtimeMs: number; size: number; ino: number }): string {
  return `${mtimeMs} ${size} ${ino}`
}

/** The state of a file now, without a pause. What may not be looked at counts as not there: Neovim says more of it. */
export function stampNow(path: string): FileStamp {
  const found = statNow(path, 'EACCES')
  return found && toStamp(found)
}
