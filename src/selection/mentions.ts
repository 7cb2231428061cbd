// What the user sends to Claude: mentions of files and lines, and questions. Each reaches one Claude, in order, once; one
// that can't is never dropped in silence.
import type { Clock } from '../base/clock.ts'
import { type Disposable, DisposableStack } from '../base/disposable.ts'
import type { Event } from '../base/emitter.ts'
import type { Client } from '../ide/client.ts'

/** A file, or lines of it, for Claude (protocol document, "At-Mentions"). */
export interface Mention {
  /** Absolute. A folder ends in `/` and has no lines. */
  filePath: string
  /** 0-based. */
  lineStart?: number
  /** 0-based, the last line. */
  lineEnd?: number
}

/** A mention on its way, with who asked for it, such as `ClaudeCodeSend`: `User ClaudeCodeSendComplete` says so. */
export interface SentMention extends Mention {
  /** The editor's number for it (lua/claudecode/outbox.lua), which also a new host knows it by. */
  id: number
  context: string
}

/** A text that is typed into Claude's prompt, with Enter, behind what was sent before it. */
export interface Question {
  id: number
  question: string
}

export type Outgoing = SentMention | Question

/** What mentions need from the rest of the program. */
export interface MentionParts {
  clients: {
    readonly clientReady: Event<Client>
    readonly clientGone: Event<Client>
    readonly ideConnected: Event<Client>
  }
  clock: Clock
  options: () => MentionOptions
  /** A mention went to a client. */
  sent(mention: SentMention): void
  /** Types a question. Resolves, and never rejects, when that is done or has failed, of which the user is told. */
  ask(question: Question): Promise<void>
  /** These will never be sent. */
  lost(items: readonly Outgoing[]): void
  /** Something waits, or waited in vain: tells the user, with the reasons that can be found. */
  explain(items: readonly Outgoing[], isGivenUp: boolean): void
}

/** How the user wants it; all in ms. */
export interface MentionOptions {
  connection_wait_delay: number
  connection_timeout: number
  queue_timeout: number
}

/**
 * A client that says `initialized` and not `ide_connected` counts as connected after this time (ms): the CLI says both
 * at once, other clients may not know the second.
 */
const silentClientMs = 1000

/** Between two mentions (ms): the CLI puts each into its prompt and draws it. Two hundred take two seconds. */
const pauseMs = 10

/** The CLI puts a mention into its prompt a moment after it has got it (ms); a question comes behind it. */
const settlingMs = 200

/** The mentions of one session, and the clients that get them. */
export class Mentions implements Disposable {
  readonly #parts: MentionParts
  readonly #listening = new DisposableStack()
  /** Those that listen to mentions. */
  #clients: Client[] = []
  /** When each client connected or did something last: a greater number is later. */
  readonly #lastActive = new Map<Client, number>()
  #activities = 0
  readonly #settling = new Map<Client, Disposable>()
  #waiting: Outgoing[] = []
  /** Of all that was ever given to `send`. */
  readonly #seen = new Set<number>()
  #pause: Disposable | undefined
  #isAsking = false
  #lastMentionAt = Number.NEGATIVE_INFINITY
  #timers = new DisposableStack()
  #isTimed = false

  constructor(parts: MentionParts) {
    this.#parts = parts
    const { clientReady, clientGone, ideConnected } = parts.clients
    this.#listening.add(clientReady(client => this.#settle(client, silentClientMs)))
    this.#listening.add(ideConnected(client => this.#settle(client, 0)))
    this.#listening.add(clientGone(client => this.#forget(client)))
  }

  /** Whether someone is there who gets a mention at once. */
  get hasListener(): boolean {
    return this.#clients.length > 0
  }

  /**
   * Sends them to the client that was active last, or keeps them for the first that comes. What was given before, as
   * its `id` says, is not taken again.
   */
  send(items: readonly Outgoing[]): void {
    this.#waiting.push(...items.filter(({ id }) => !this.#seen.has(id)))
    for (const { id } of items) this.#seen.add(id)
    this.#flush()
    if (this.#waiting.length > 0 && !this.hasListener) this.#watchTheTime()
  }

  /** The client does something for the user: from now on it gets the mentions. */
  noteActivity(client: Client): void {
    if (this.#lastActive.has(client)) this.#touch(client)
  }

  /** Nobody will come any more: what waits is given up, and the user is told. */
  giveUp(): void {
    const lost = this.drop()
    if (lost.length > 0) this.#parts.explain(lost, true)
  }

  /** Takes out what waits, of which the caller tells the user. */
  drop(): Outgoing[] {
    this.#stopTimers()
    const dropped = this.#waiting.splice(0)
    if (dropped.length > 0) this.#parts.lost(dropped)
    return dropped
  }

  async dispose(): Promise<void> {
    await this.#listening.dispose()
    this.#stopTimers()
    this.#pause?.dispose()
    for (const timer of this.#settling.values()) void timer.dispose()
  }

  /** The CLI listens to mentions only a moment after it has said that it is connected. */
  #settle(client: Client, ms: number): void {
    if (this.#clients.includes(client)) return
    if (!this.#lastActive.has(client)) this.#touch(client)
    void this.#settling.get(client)?.dispose()
    const wait = ms + this.#parts.options().connection_wait_delay
    this.#settling.set(
      client,
      this.#parts.clock.after(wait, () => {
        this.#settling.delete(client)
        this.#clients.push(client)
        this.#stopTimers()
        this.#flush()
      }),
    )
  }

  #forget(client: Client): void {
    void this.#settling.get(client)?.dispose()
    this.#settling.delete(client)
    this.#lastActive.delete(client)
    this.#clients = this.#clients.filter(other => other !== client)
    if (this.#waiting.length > 0 && !this.hasListener) this.#watchTheTime()
  }

  #touch(client: Client): void {
    this.#activities += 1
    this.#lastActive.set(client, this.#activities)
  }

  #lastOfAll(): Client | undefined {
    const activity = (client: Client) => this.#lastActive.get(client) ?? 0
    return this.#clients.toSorted((a, b) => activity(a) - activity(b)).at(-1)
  }

  /** Sends the first that waits, and the next after a pause. */
  #flush(): void {
    const client = this.#lastOfAll()
    const next = this.#waiting[0]
    if (client === undefined || next === undefined || this.#pause !== undefined || this.#isAsking) return
    const { clock, sent } = this.#parts
    if ('question' in next) {
      const rest = this.#lastMentionAt + settlingMs - clock.now()
      if (rest > 0) this.#flushAfter(rest)
      else this.#ask(next)
      return
    }
    this.#waiting.shift()
    const { id: _id, context: _context, ...params } = next
    client.notify('at_mentioned', params)
    this.#lastMentionAt = clock.now()
    sent(next)
    this.#flushAfter(pauseMs)
  }

  #flushAfter(ms: number): void {
    this.#pause = this.#parts.clock.after(ms, () => {
      this.#pause = undefined
      this.#flush()
    })
  }

  #ask(question: Question): void {
    this.#waiting.shift()
    this.#isAsking = true
    void this.#parts.ask(question).then(() => {
      this.#isAsking = false
      this.#flush()
    })
  }

  /** Tells the user when it takes long, and gives up when it takes too long. */
  #watchTheTime(): void {
    if (this.#isTimed) return
    this.#isTimed = true
    const { connection_timeout, queue_timeout } = this.#parts.options()
    const { clock } = this.#parts
    if (connection_timeout < queue_timeout)
      this.#timers.add(clock.after(connection_timeout, () => this.#parts.explain([...this.#waiting], false)))
    this.#timers.add(clock.after(queue_timeout, () => this.giveUp()))
  }

  #stopTimers(): void {
    void this.#timers.dispose()
    this.#timers = new DisposableStack()
    this.#isTimed = false
  }
}
