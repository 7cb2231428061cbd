// Interruptions: no hook tells that the user has stopped Claude with Escape, or said no to it. What it keeps of the
// conversation says so (measured with the CLI 2.1.332).
import { open, stat } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { hasErrorCode } from '../base/errors.ts'
import { inBackground, type Log } from '../base/log.ts'
import { lookMs, maxTailBytes } from './limits.ts'

const marker = '[Request interrupted by user'

/** What it works with, and whom it tells. */
export interface InterruptionsOptions {
  clock: Clock
  log: Log
  /** The user has interrupted a session. */
  onInterrupted: (session: string) => void
}

interface Watched {
  path: string
  /** Up to here it has been read; undefined before the first look. */
  size: number | undefined
}

/** Looks at the conversations of the Claudes that are at work. */
export class Interruptions implements Disposable {
  readonly #options: InterruptionsOptions
  readonly #watched = new Map<string, Watched>()
  #ticking: Disposable | undefined

  constructor(options: InterruptionsOptions) {
    this.#options = options
  }

  /** A session is at work. Its conversation is in the file `path`. */
  watch(session: string, path: string): void {
    if (this.#watched.get(session)?.path !== path) {
      const watched = { path, size: undefined }
      this.#watched.set(session, watched)
      this.#look(session, watched)
    }
    this.#ticking ??= this.#options.clock.every(lookMs, () => {
      for (const [name, watched] of this.#watched) this.#look(name, watched)
    })
  }

  /** A session rests. */
  forget(session: string): void {
    this.#watched.delete(session)
    if (this.#watched.size === 0) this.dispose()
  }

  dispose(): void {
    this.#watched.clear()
    this.#ticking?.dispose()
    this.#ticking = undefined
  }

  #look(session: string, watched: Watched): void {
    inBackground(this.#options.log, this.#read(session, watched), 'looking for an interruption')
  }

  async #read(session: string, watched: Watched): Promise<void> {
    const before = watched.size
    const size = await sizeOf(watched.path)
    watched.size = size
    if (before === undefined || size <= before) return
    const text = await readPart(watched.path, Math.max(before, size - maxTailBytes), size)
    if (this.#watched.get(session) === watched && text.split('\n').some(isInterruption)) {
      this.#options.onInterrupted(session)
    }
  }
}

/** A line that the CLI adds itself; what Claude or the user write about such lines is inside of longer texts. */
function isInterruption(line: string): boolean {
  return line.includes('"type":"user"') && line.includes(`"text":"${marker}`)
}

/** 0 for a file that is not there yet. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return 0
    throw error
  }
}

async function readPart(path: string, from: number, to: number): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
