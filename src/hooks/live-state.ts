// The live state: what each Claude does, from hooks that it is given at its start, until it ends.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { type Disposable, DisposableStack } from '../base/disposable.ts'
import { findProgram } from '../base/find-program.ts'
import { inBackground, type Log } from '../base/log.ts'
import { configFolder } from '../ide/claude-folders.ts'
import type { Client } from '../ide/client.ts'
import { type Editor, nothing } from '../neovim/editor.ts'
import { ignoreGone } from '../neovim/notices.ts'
import type { Session as Begun } from '../neovim/session.ts'
import type { Options } from '../options/schema.ts'
import type { Session } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { stateAfter } from './hook-events.ts'
import { type HookEvent, type HookServer, startHookServer } from './hook-server.ts'
import {
  findPlace,
  hooksTo,
  hookTokenVariable,
  mergeHooks,
  putSettings,
  readSettings,
  readSettingsFile,
  restrictsHooks,
} from './hook-settings.ts'
import { Interruptions } from './interruptions.ts'
import { noticeMs } from './limits.ts'
import { readManagedSettings } from './managed-settings.ts'

/** The part of a launch that the live state changes. */
interface Equipment {
  argv: string[]
  env: Record<string, string>
}

/** What the live state is made of. */
export interface LiveStateParts {
  editor: Editor
  sessions: Sessions
  options: () => Options
  /** What the editor has told: Claude's configuration folder, and what the Claudes that run were told by the host before this one. */
  session: Pick<Begun, 'config_dir' | 'hooks'>
  /** The clients whose proposals the user looks at. */
  owners: () => readonly Client[]
  clock: Clock
  log: Log
}

/** Gives each Claude that is started hooks, and notes what they tell. */
export class LiveState implements Disposable {
  readonly #parts: LiveStateParts
  readonly #all = new DisposableStack()
  readonly #interruptions: Interruptions
  /** The private settings of sessions, which end with them. */
  readonly #folders = new Map<string, string>()
  /** Notices that are due, by session. */
  readonly #notices = new Map<string, Disposable>()
  readonly #secret: string
  #server: Promise<HookServer> | undefined
  /** No server is started any more: nobody would stop it, where the process lives on (Neovim's provider). */
  #isDisposed = false

  constructor(parts: LiveStateParts) {
    this.#parts = parts
    const { clock, log, sessions, session } = parts
    const { hooks } = session
    this.#secret = hooks?.secret ?? randomBytes(32).toString('hex')
    log.hide(this.#secret)
    this.#interruptions = this.#all.add(
      new Interruptions({ clock, log, onInterrupted: session => this.#note(session, 'done') }),
    )
    this.#all.add(sessions.changed(session => this.#changed(session)))
    if (hooks !== undefined && sessions.all.length > 0) inBackground(log, this.#serve(), 'listening to hooks')
  }

  /** A call that starts Claude with our hooks; the same call where that can't be done, which costs the live state only. */
  readonly equip = async <Call extends Equipment>(call: Call, session: Session): Promise<Call> => {
    const { options, log } = this.#parts
    if (!options().live_state) return call
    try {
      const place = findPlace(call.argv)
      if (place === undefined || (await this.#isForbidden(session)) || this.#isDisposed) return call
      const server = await this.#serve()
      const settings = await this.#settings(
        place.given?.value,
        hooksTo(server.urlFor(session.id), this.#kind()),
        session,
      )
      if (settings === undefined) return call
      const token = server.tokenFor(session.id)
      log.hide(token)
      return {
        ...call,
        argv: putSettings(call.argv, place, settings),
        env: { ...call.env, [hookTokenVariable]: token },
      }
    } catch (error) {
      log.error('a Claude starts without hooks', error)
      return call
    }
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true
    await this.#all.dispose()
    for (const notice of this.#notices.values()) void notice.dispose()
    const server = await this.#server?.catch(() => undefined) // told when it failed
    await server?.dispose()
    await Promise.all([...this.#folders.keys()].map(session => this.#removeFolder(session)))
  }

  /** A Claude in a pane or a terminal of the user's may live longer than this Neovim, and is not to complain of that. */
  #kind(): 'http' | 'command' {
    const { provider } = this.#parts.options().terminal
    const endsWithNeovim = provider === 'auto' || provider === 'native' || provider === 'snacks'
    const canBeQuiet = process.platform !== 'win32' && findProgram('curl', process.env) !== undefined
    return !endsWithNeovim && canBeQuiet ? 'command' : 'http'
  }

  /** What `--settings` says: the user's, with the hooks. Files may hold secrets, so what was in one stays in one. */
  async #settings(
    given: string | undefined,
    hooks: Record<string, unknown[]>,
    session: Session,
  ): Promise<string | undefined> {
    if (given === undefined) return JSON.stringify({ hooks })
    const merged = mergeHooks(await readSettings(given, session.folder), hooks)
    if (merged === undefined) return undefined
    const text = JSON.stringify(merged)
    if (given.trimStart().startsWith('{')) return text
    await this.#removeFolder(session.id)
    const folder = await mkdtemp(join(tmpdir(), 'claudecode-settings-'))
    this.#folders.set(session.id, folder)
    const file = join(folder, 'settings.json')
    await writeFile(file, text, { mode: 0o600, flag: 'wx' })
    return file
  }

  /** Whether settings of the user, the project or the administrator leave no room for our hooks. */
  async #isForbidden({ folder }: Session): Promise<boolean> {
    const { options, session } = this.#parts
    const own = configFolder(options().env['CLAUDE_CONFIG_DIR'] ?? session.config_dir)
    const files = [join(own, 'settings.json')]
    if (typeof folder === 'string') {
      files.push(...['settings.json', 'settings.local.json'].map(name => join(folder, '.claude', name)))
    }
    const found = [...(await Promise.all(files.map(readSettingsFile))), ...(await readManagedSettings())]
    return found.some(restrictsHooks)
  }

  /** Listens, for as long as this host runs. */
  #serve(): Promise<HookServer> {
    this.#server ??= this.#startServer()
    this.#server.catch(() => {
      this.#server = undefined // the next Claude may have more luck
    })
    return this.#server
  }

  async #startServer(): Promise<HookServer> {
    const { editor, options, session, log, clock } = this.#parts
    const server = await startHookServer({
      portRange: options().port_range,
      preferredPort: session.hooks?.port,
      secret: this.#secret,
      receive: event => this.#receive(event),
      log,
      clock,
    })
    await editor.call('session.hooks', { port: server.port, secret: this.#secret }, nothing)
    return server
  }

  #receive({ session, name, body }: HookEvent): void {
    const state = stateAfter(name, body)
    this.#parts.log.debug(`hook ${name} of ${session}: ${state ?? 'no state'}`)
    if (state === undefined || this.#parts.sessions.get(session) === undefined) return
    const path = body.transcript_path
    if (name === 'UserPromptSubmit') this.#interruptions.forget(session) // what was interrupted before is over
    if (state !== 'done' && path !== undefined && isAbsolute(path)) this.#interruptions.watch(session, path)
    this.#note(session, state)
  }

  #note(session: string, state: 'working' | 'waiting' | 'done'): void {
    if (state === 'done') this.#interruptions.forget(session)
    this.#parts.sessions.noteState(session, state)
  }

  #changed({ id, name, state }: Session): void {
    const { editor, clock, log } = this.#parts
    void this.#notices.get(id)?.dispose()
    this.#notices.delete(id)
    if (state === 'gone') {
      this.#interruptions.forget(id)
      inBackground(log, this.#removeFolder(id), 'removing settings')
    } else if (state === 'waiting') {
      const notice = clock.after(noticeMs, () => {
        if (this.#isReviewed(id)) return
        inBackground(log, ignoreGone(editor.call('waiting.tell', { id, name }, nothing)), 'telling who waits')
      })
      this.#notices.set(id, notice)
    }
  }

  /** Whether a diff asks the user what the session waits for. */
  #isReviewed(id: string): boolean {
    const { sessions, owners } = this.#parts
    return owners().some(owner => sessions.sessionOf(owner)?.id === id)
  }

  async #removeFolder(session: string): Promise<void> {
    const folder = this.#folders.get(session)
    this.#folders.delete(session)
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}
