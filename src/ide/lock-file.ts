// The lock file of one server: how Claude finds it, and which token it must show.
import { type FSWatcher, rmSync, watch } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { describeError, hasErrorCode, UserError } from '../base/errors.ts'
import { parseIfJson } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import { makePrivateFolder, writeAtomically } from '../base/private-file.ts'
import { readTextNow } from '../base/read-if-there.ts'

/** What a lock file says, and where it is. */
export interface LockFileOptions {
  folder: string
  port: number
  /** Neovim's process id: it lives as long as the port does. */
  processId: number
  workspaceFolders: readonly string[]
  ideName: string
  token: string
  log: Log
  clock: Clock
}

/** A lock file as others may have written it. Only what is asked for is checked. */
const LockFileContent = z.object({
  pid: z.int().positive(),
  ideName: z.string(),
  transport: z.string(),
  authToken: z.string(),
})

const pollMs = 5_000 // some file systems report no changes; a CLI that looks in between asks again
const pauseMs = 250 // between a change and our look at it: two writers must not chase each other

/**
 * A lock file that is there as long as it isn't disposed: it comes back within seconds when someone deletes or
 * damages it. A whole lock file of someone else on our name, which two machines with one home folder can come to, is
 * left alone.
 */
export class LockFile implements Disposable {
  readonly path: string
  readonly #options: LockFileOptions
  #workspaceFolders: readonly string[]
  #ideName: string
  #watcher: FSWatcher | undefined
  #poll: Disposable
  #look: Disposable | undefined
  #isRemoved = false
  #lastTrouble: string | undefined

  /**
   * Writes the lock file, and makes its folder if need be.
   * @throws {UserError} the folder can't be written.
   */
  static async create(options: LockFileOptions): Promise<LockFile> {
    return new LockFile(options)
  }

  private constructor(options: LockFileOptions) {
    const { folder, port, clock } = options
    this.#options = options
    this.path = join(folder, `${port}.lock`)
    this.#workspaceFolders = options.workspaceFolders
    this.#ideName = options.ideName
    try {
      this.#write()
    } catch (error) {
      const cure = hasErrorCode(error, 'EEXIST', 'ENOTDIR')
        ? 'There is a file where a folder should be: move it away'
        : 'Make that folder writable'
      throw new UserError(
        `The lock file can't be written to ${folder} (${describeError(error)}). ` +
          `${cure}, or set CLAUDE_CONFIG_DIR to a folder that is writable.`,
        { cause: error },
      )
    }
    this.#poll = clock.every(pollMs, () => this.#restore())
    this.#watch()
  }

  /** Rewrites the file for other workspace folders or another name. When that fails, it is tried again and again. */
  update({ workspaceFolders, ideName }: { workspaceFolders: readonly string[]; ideName?: string }): void {
    this.#workspaceFolders = workspaceFolders
    this.#ideName = ideName ?? this.#ideName
    this.#restore()
  }

  /** Removes the file, if it still is ours, and looks after it no longer. At once, and never throws: for every exit. */
  removeNow(): void {
    if (this.#isRemoved) return
    this.#isRemoved = true
    this.#watcher?.close()
    this.#look?.dispose()
    void this.#poll.dispose()
    try {
      if (this.#state() !== 'foreign') rmSync(this.path, { force: true })
    } catch (error) {
      this.#options.log.warn(`the lock file ${this.path} can't be removed: ${describeError(error)}`)
    }
  }

  async dispose(): Promise<void> {
    this.removeNow()
  }

  #text(): string {
    const { processId, token } = this.#options
    return JSON.stringify({
      pid: processId,
      workspaceFolders: this.#workspaceFolders,
      ideName: this.#ideName,
      transport: 'ws',
      authToken: token,
    })
  }

  #write(): void {
    makePrivateFolder(this.#options.folder)
    writeAtomically(this.path, this.#text())
  }

  /** `foreign` is a whole lock file with another token. */
  #state(): 'right' | 'wrong' | 'foreign' {
    const text = readTextNow(this.path, 'EISDIR')
    if (text === this.#text()) return 'right'
    const content = parseLockFile(text)
    return content === undefined || content.authToken === this.#options.token ? 'wrong' : 'foreign'
  }

  #restore(): void {
    if (this.#isRemoved) return
    try {
      const state = this.#state()
      if (state === 'wrong') {
        this.#write()
        this.#options.log.info(`wrote the lock file ${this.path}`)
        this.#watch() // the folder may be another one now
      }
      this.#report(state === 'foreign' ? `the lock file ${this.path} is another server's now` : undefined)
    } catch (error) {
      this.#report(`the lock file ${this.path} can't be written: ${describeError(error)}`)
    }
  }

  /** Says each trouble once. */
  #report(trouble: string | undefined): void {
    if (trouble !== undefined && trouble !== this.#lastTrouble) this.#options.log.warn(trouble)
    this.#lastTrouble = trouble
  }

  #watch(): void {
    const { folder, clock } = this.#options
    this.#watcher?.close()
    this.#watcher = undefined
    try {
      this.#watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name !== null && name !== basename(this.path) && name !== basename(folder)) return
        this.#look?.dispose()
        this.#look = clock.after(pauseMs, () => this.#restore())
      })
      this.#watcher.on('error', error => this.#options.log.debug(`watching ${folder} failed: ${error.message}`))
    } catch (error) {
      this.#options.log.debug(`${folder} can't be watched: ${describeError(error)}`) // the poll is enough
    }
  }
}

/** The content of a lock file, or nothing when the text is none. */
export function parseLockFile(text: string | undefined): z.output<typeof LockFileContent> | undefined {
  return LockFileContent.safeParse(parseIfJson(text ?? '')).data
}
