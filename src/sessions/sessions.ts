// The sessions of one Neovim: which run, which connection is whose, and which one the user means.
import { randomUUID } from 'node:crypto'
import { type Disposable, DisposableStack } from '../base/disposable.ts'
import { Emitter, type Event } from '../base/emitter.ts'
import { UserError } from '../base/errors.ts'
import { inBackground, type Log } from '../base/log.ts'
import type { Client } from '../ide/client.ts'
import { isSameFolder, nameFor, type Session, type SessionState } from './session.ts'

/** What sessions need from the rest of the program. */
export interface SessionsParts {
  clients: {
    readonly clientReady: Event<Client>
    readonly clientGone: Event<Client>
    readonly ideConnected: Event<Client>
  }
  /** The id of the session that a process was started in, as far as that can be found. */
  findSession: (pid: number) => Promise<string | undefined>
  log: Log
}

/** Where the user is when they ask for something. */
export interface Place {
  /** The session that is meant whatever the folder is, such as that whose terminal they are in. */
  session?: string | undefined
  cwd: string | Buffer
}

type Running = { -readonly [Key in keyof Session]: Session[Key] }

/** A connection whose session is known, or guessed. */
interface Belonging {
  session: Running
  isCertain: boolean
}

/** Which sessions run, whose the connections are, and what was used last. */
export class Sessions implements Disposable {
  readonly #parts: SessionsParts
  readonly #listening = new DisposableStack()
  readonly #running = new Map<string, Running>()
  readonly #belongings = new Map<Client, Belonging>()
  readonly #outside = new Set<Client>()
  /** When each session and each connection without one was used last: a greater number is later. */
  readonly #uses = new Map<Running | Client, number>()
  #lastUse = 0
  readonly #changed: Emitter<Session>
  readonly #clientKnown: Emitter<Client>

  constructor(parts: SessionsParts) {
    this.#parts = parts
    const onError = (error: unknown) => parts.log.error('a listener of the sessions failed', error)
    this.#changed = new Emitter(onError)
    this.#clientKnown = new Emitter(onError)
    const { clientReady, clientGone, ideConnected } = parts.clients
    this.#listening.add(clientReady(client => this.#welcome(client)))
    this.#listening.add(clientGone(client => this.#forget(client)))
    this.#listening.add(ideConnected(client => this.#identify(client)))
  }

  /** A session has another state, or is new, or gone. */
  get changed(): Event<Session> {
    return this.#changed.event
  }

  /** A client has said `ide_connected`, and `sessionOf` says what could be found; once for each `ide_connected`. */
  get clientKnown(): Event<Client> {
    return this.#clientKnown.event
  }

  /** Those that run, the oldest first. */
  get all(): readonly Session[] {
    return [...this.#running.values()]
  }

  get(id: string | undefined): Session | undefined {
    return id === undefined ? undefined : this.#running.get(id)
  }

  /** The session of a connection; undefined for a Claude that was started somewhere else. */
  sessionOf(client: Client): Session | undefined {
    return this.#belongings.get(client)?.session
  }

  /** Whether two connections are known, without a guess, to be of two sessions: each has its own user's questions. */
  areApart(a: Client, b: Client): boolean {
    const [one, other] = [this.#belongings.get(a), this.#belongings.get(b)]
    return one?.isCertain === true && other?.isCertain === true && one.session !== other.session
  }

  /** Whether a connection is known to be the session's. */
  isConnected(session: Session): boolean {
    return [...this.#belongings.values()].some(belonging => belonging.session === session)
  }

  /**
   * A session that is about to be started.
   * @throws {UserError} another one has the name.
   */
  open(folder: string | Buffer, name?: string): Session {
    const taken = this.all.map(session => session.name)
    if (name !== undefined && taken.includes(name))
      throw new UserError(`a Claude called "${name}" runs already. :ClaudeCodeSessions goes there`)
    const session: Running = { id: randomUUID(), name: name ?? nameFor(folder, taken), folder, state: 'starting' }
    this.#running.set(session.id, session)
    this.#touch(session)
    this.#changed.emit(session)
    return session
  }

  /** Sessions from the time of another host, which the editor has kept; the one that was used last is the last one. */
  adopt(sessions: readonly { id: string; name: string; folder: string | Buffer }[]): void {
    for (const { id, name, folder } of sessions) {
      const session: Running = { id, name, folder, state: 'starting' }
      this.#running.set(id, session)
      this.#touch(session)
    }
  }

  /** A session has ended, or was never started. Its connections belong to nobody until they end too. */
  end(id: string): void {
    const session = this.#running.get(id)
    if (session === undefined) return
    this.#running.delete(id)
    this.#uses.delete(session)
    this.#set(session, 'gone')
    for (const [client, belonging] of this.#belongings) if (belonging.session === session) this.#leave(client)
  }

  /** What a session does, as its Claude says. */
  noteState(id: string, state: 'working' | 'waiting' | 'done'): void {
    const session = this.#running.get(id)
    if (session !== undefined) this.#set(session, state)
  }

  /** The user turns to a session. */
  noteUse(id: string): void {
    const session = this.#running.get(id)
    if (session !== undefined) this.#touch(session)
  }

  /** The user has said something to a Claude. Returns its session. */
  noteTurn(client: Client): Session | undefined {
    const session = this.#belongings.get(client)?.session
    if (session !== undefined || this.#outside.has(client)) this.#touch(session ?? client)
    return session
  }

  /** The session that commands about the terminal mean: the one of the place, or else of the folder. */
  at({ session, cwd }: Place): Session | undefined {
    const inFolder = this.#latest([...this.#running.values()].filter(({ folder }) => isSameFolder(folder, cwd)))
    return this.get(session) ?? inFolder
  }

  /**
   * Whom something is for that the user sends: the session of the place or of the folder, else what was used last: a
   * session, or a Claude that was started somewhere else (`outside`). Undefined when there is neither.
   */
  meant(place: Place): Session | 'outside' | undefined {
    const here = this.at(place)
    if (here !== undefined) return here
    const last = this.#latest<Running | Client>([...this.#running.values(), ...this.#outside])
    return last === undefined || 'folder' in last ? last : 'outside'
  }

  dispose(): Promise<void> {
    return this.#listening.dispose()
  }

  #latest<T extends Running | Client>(candidates: T[]): T | undefined {
    return candidates.toSorted((a, b) => (this.#uses.get(a) ?? 0) - (this.#uses.get(b) ?? 0)).at(-1)
  }

  #touch(used: Running | Client): void {
    this.#lastUse += 1
    this.#uses.set(used, this.#lastUse)
  }

  #welcome(client: Client): void {
    this.#outside.add(client)
    this.#touch(client)
    this.#guess(client)
    if (client.processId !== undefined) this.#identify(client)
  }

  /**
   * A connection that can't be told by its process, as out of a container, is taken for the one session that waits for a
   * connection.
   */
  #guess(client: Client): void {
    const [only, another] = [...this.#running.values()].filter(session => !this.isConnected(session))
    if (only !== undefined && another === undefined) this.#join(client, { session: only, isCertain: false })
  }

  #identify(client: Client): void {
    const { processId } = client
    if (processId === undefined || this.#running.size === 0) this.#clientKnown.emit(client)
    else inBackground(this.#parts.log, this.#findSession(client, processId), 'finding a session')
  }

  async #findSession(client: Client, processId: number): Promise<void> {
    const id = await this.#parts.findSession(processId)
    const session = id === undefined ? undefined : this.#running.get(id)
    if (!client.isReady) return // it is gone
    if (session !== undefined) this.#recognise(client, session)
    else if (!this.#belongings.has(client)) this.#guess(client)
    this.#clientKnown.emit(client)
  }

  #recognise(client: Client, session: Running): void {
    for (const [other, belonging] of this.#belongings) {
      if (other !== client && belonging.session === session && !belonging.isCertain) this.#leave(other)
    }
    if (this.#belongings.get(client)?.session !== session) this.#leave(client)
    this.#join(client, { session, isCertain: true })
  }

  #join(client: Client, belonging: Belonging): void {
    this.#belongings.set(client, belonging)
    this.#outside.delete(client)
    this.#uses.delete(client)
    if (belonging.session.state === 'starting') this.#set(belonging.session, 'connected')
  }

  /** The connection is nobody's any more. */
  #leave(client: Client): void {
    const session = this.#belongings.get(client)?.session
    this.#belongings.delete(client)
    if (session === undefined) return
    this.#outside.add(client)
    if (session.state !== 'gone' && !this.isConnected(session)) this.#set(session, 'starting')
  }

  #forget(client: Client): void {
    this.#leave(client)
    this.#outside.delete(client)
    this.#uses.delete(client)
  }

  #set(session: Running, state: SessionState): void {
    if (session.state === state) return
    session.state = state
    this.#changed.emit(session)
  }
}
