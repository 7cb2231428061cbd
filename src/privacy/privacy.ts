// What Claude must not see: the one place that everything asks before it names a file to a client.
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname } from 'node:path'
import { z } from 'zod'
import { type Disposable, DisposableStack } from '../base/disposable.ts'
import { Emitter, type Event } from '../base/emitter.ts'
import { hasErrorCode } from '../base/errors.ts'
import { inBackground, type Log } from '../base/log.ts'
import { type Editor, nothing } from '../neovim/editor.ts'
import { ignoreGone } from '../neovim/notices.ts'
import { IgnoredPaths } from './ignored-paths.ts'

/** How the user wants it. */
export interface PrivacyOptions {
  ignore: readonly string[]
  ignore_secrets: boolean
}

/** The state of it all. */
export interface PrivacyRules {
  options: PrivacyOptions
  /** The folders of the workspace. */
  folders: readonly string[]
  /** `:ClaudeCodeTrack off`: nothing is shown. */
  isPaused: boolean
}

/** A buffer is hidden from now on, for a reason that Lua knows (lua/claudecode/editor/privacy.lua). */
export const Hidden = z.object({
  buffer: z.int(),
  /** The user is in it. */
  is_current: z.boolean(),
})

/** What is hidden by a pattern, and whether anything is shown at all. */
export class Privacy implements Disposable {
  readonly #editor: Editor
  readonly #log: Log
  readonly #changed: Emitter<void>
  readonly #listening = new DisposableStack()
  #isPaused = false
  #ignored = new IgnoredPaths({ patterns: [], withSecrets: true, folders: [], homes: [] })
  /** What the editor knows by now. */
  #told = new Set<string>()

  constructor({ editor, log }: { editor: Editor; log: Log }) {
    this.#editor = editor
    this.#log = log
    this.#changed = new Emitter(error => log.error('forgetting what is private failed', error))
    this.#listening.add(editor.on('hidden', Hidden, () => this.#changed.emit()))
  }

  /** Something that was shown may be hidden now: what was remembered must be looked through, or forgotten. */
  get changed(): Event<void> {
    return this.#changed.event
  }

  /** Takes new rules, and has the editor look anew at what it took for hidden. */
  configure({ options, folders, isPaused }: PrivacyRules): void {
    this.#isPaused = isPaused
    this.#ignored = new IgnoredPaths({
      patterns: options.ignore,
      withSecrets: options.ignore_secrets,
      folders: folders.flatMap(namesOf),
      homes: namesOf(homedir()),
    })
    this.#told = new Set()
    this.#call('privacy.reset', {})
    this.#changed.emit()
  }

  /**
   * Whether a client may be told of a file, by its absolute path; it may be a link. The editor hears of each that may
   * not, so that it does not send its text again.
   */
  mayShow(path: string | Buffer): boolean {
    if (this.#isPaused) return false
    if (!this.isIgnored(path)) return true
    const name = path.toString()
    if (!this.#told.has(name)) {
      this.#told.add(name)
      this.#call('privacy.conceal', { name: path })
    }
    return false
  }

  /** Whether a pattern hides the file, or the folder, whose path ends in `/` then. */
  isIgnored(path: string | Buffer): boolean {
    return namesOf(path.toString()).some(name => this.#ignored.has(name))
  }

  dispose(): Promise<void> {
    return this.#listening.dispose()
  }

  #call(name: string, args: Record<string, unknown>): void {
    inBackground(this.#log, ignoreGone(this.#editor.call(name, args, nothing)), 'telling what is private')
  }
}

/** The path itself, and the one behind its links. */
function namesOf(path: string): string[] {
  const end = path.endsWith('/') ? '/' : ''
  const plain = path.replace(/(.)\/+$/, '$1')
  const real = realPath(plain)
  return real === plain ? [path] : [path, real + end]
}

/** Without links, also of a file that does not exist yet, or that may not be looked at. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EIO')) throw error
    const folder = dirname(path)
    return folder === path ? path : `${realPath(folder).replace(/\/$/, '')}/${basename(path)}`
  }
}
