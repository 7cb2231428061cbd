// What the user sends to Claude: mentions of files and lines, and questions. Each reaches the Claude that it is for, in
// order, once; one that can't is never dropped in silence.
import type { Clock } from '../base/clock.ts'
import { type Disposable, DisposableStack } from '../base/disposable.ts'
import type { Event } from '../base/emitter.ts'
import type { Client } from '../ide/client.ts'
import { Outbox } from './outbox.ts'

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

/** Whom mentions are for: the id of a session; undefined: a Claude that was started somewhere else, the one active last. */
export type Recipient = string | undefined

/** What mentions need from the rest of the program. */
export interface MentionParts {
  clients: {
    readonly clientReady: Event<Client>
    readonly clientGone: Event<Client>
    /** A client has said `ide_connected`, and `recipientOf` knows all that can be known. */
    readonly clientKnown: Event<Client>
  }
  /** Whose mentions a client gets. */
  recipientOf: (client: Client) => Recipient
  clock: Clock
  options: () => MentionOptions
  /** A mention went to a client. */
  sent(mention: SentMention): void
  /** Types a question. Resolves, and never rejects, when that is done or has failed, of which the user is told. */
  ask(question: Question, recipient: Recipient): Promise<void>
  /** These will never be sent. */
  lost(items: readonly Outgoing[]): void
  /** Something waits, or waited in vain: tells the user, with the reasons that can be found. */
  explain(items: readonly Outgoing[], recipient: Recipient, isGivenUp: boolean): void
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

/** The mentions of one Neovim, and the clients that get them. */
export class Mentions implements Disposable {
  readonly #parts: MentionParts
  readonly #listening = new DisposableStack()
  /** Those that listen to mentions. */
  #clients: Client[] = []
  /** When each client connected or did something last: a greater number is later. */
  readonly #lastActive = new Map<Client, number>()
  #activities = 0
  readonly #settling = new Map<Client, Disposable>()
  readonly #outboxes = new Map<Recipient, Outbox>()
  /** Of all that was ever given to `send`. */
  readonly #seen = new Set<number>()

  constructor(parts: MentionParts) {
    this.#parts = parts
    const { clientReady, clientGone, clientKnown } = parts.clients
    this.#listening.add(clientReady(client => this.#settle(client, silentClientMs)))
    this.#listening.add(clientKnown(client => this.#settle(client, 0)))
    this.#listening.add(clientGone(client => this.#forget(client)))
  }

  /** Whether someone is there who gets a mention at once. */
  hasListener(recipient: Recipient): boolean {
    return this.#receiver(recipient) !== undefined
  }

  /**
   * Sends them to the recipient's client that was active last, or keeps them for the first that comes. What was given
   * before, as its `id` says, is not taken again.
   */
  send(items: readonly Outgoing[], recipient: Recipient): void {
    this.#outbox(recipient).send(items.filter(({ id }) => !this.#seen.has(id)))
    for (const { id } of items) this.#seen.add(id)
  }

  /** The client does something for the user: from now on it gets the mentions of its recipient. */
  noteActivity(client: Client): void {
    if (this.#lastActive.has(client)) this.#touch(client)
  }

  /** Nobody will come any more: what waits is given up, and the user is told. */
  giveUp(recipient: Recipient): void {
    this.#outboxes.get(recipient)?.giveUp()
  }

  /** The same for all recipients: the server stops. */
  giveUpAll(): void {
    for (const outbox of this.#outboxes.values()) outbox.giveUp()
  }

  /** Takes out what waits, of which the caller tells the user. */
  drop(recipient: Recipient): Outgoing[] {
    return this.#outboxes.get(recipient)?.drop() ?? []
  }

  /** A recipient has ended. */
  forget(recipient: Recipient): void {
    const outbox = this.#outboxes.get(recipient)
    this.#outboxes.delete(recipient)
    outbox?.giveUp()
    void outbox?.dispose()
  }

  async dispose(): Promise<void> {
    await this.#listening.dispose()
    for (const outbox of this.#outboxes.values()) await outbox.dispose()
    for (const timer of this.#settling.values()) void timer.dispose()
  }

  #outbox(recipient: Recipient): Outbox {
    const known = this.#outboxes.get(recipient)
    if (known !== undefined) return known
    const outbox = new Outbox({
      ...this.#parts,
      receiver: () => this.#receiver(recipient),
      ask: question => this.#parts.ask(question, recipient),
      explain: (items, isGivenUp) => this.#parts.explain(items, recipient, isGivenUp),
    })
    this.#outboxes.set(recipient, outbox)
    return outbox
  }

  /** The CLI listens to mentions only a moment after it has said that it is connected. */
  #settle(client: Client, ms: number): void {
    if (this.#clients.includes(client)) {
      this.#outboxes.get(this.#parts.recipientOf(client))?.receiverCame() // whose it is may have become known only now
      return
    }
    if (!this.#lastActive.has(client)) this.#touch(client)
    void this.#settling.get(client)?.dispose()
    const wait = ms + this.#parts.options().connection_wait_delay
    this.#settling.set(
      client,
      this.#parts.clock.after(wait, () => {
        this.#settling.delete(client)
        this.#clients.push(client)
        this.#outboxes.get(this.#parts.recipientOf(client))?.receiverCame()
      }),
    )
  }

  #forget(client: Client): void {
    void this.#settling.get(client)?.dispose()
    this.#settling.delete(client)
    this.#lastActive.delete(client)
    this.#clients = this.#clients.filter(other => other !== client)
    for (const outbox of this.#outboxes.values()) outbox.receiverGone()
  }

  #touch(client: Client): void {
    this.#activities += 1
    this.#lastActive.set(client, this.#activities)
  }

  #receiver(recipient: Recipient): Client | undefined {
    const activity = (client: Client) => this.#lastActive.get(client) ?? 0
    const candidates = this.#clients.filter(client => this.#parts.recipientOf(client) === recipient)
    return candidates.toSorted((a, b) => activity(a) - activity(b)).at(-1)
  }
}
