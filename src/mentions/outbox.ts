// What is on its way to one Claude: mentions and questions, sent in their order with pauses between them, or waiting for it
// to listen.
import type { Clock } from '../base/clock.ts'
import { type Disposable, DisposableStack } from '../base/disposable.ts'
import type { Client } from '../ide/client.ts'
import type { MentionOptions, Outgoing, Question, SentMention } from './mentions.ts'

/** What an outbox needs from the rest of the program. */
export interface OutboxParts {
  clock: Clock
  options: () => MentionOptions
  /** The client that gets the next mention; undefined while none listens. */
  receiver: () => Client | undefined
  /** A mention went to a client. */
  sent(mention: SentMention): void
  /** Types a question. Resolves, and never rejects, when that is done or has failed. */
  ask(question: Question): Promise<void>
  /** These will never be sent. */
  lost(items: readonly Outgoing[]): void
  /** Something waits, or waited in vain. */
  explain(items: readonly Outgoing[], isGivenUp: boolean): void
}

/** Between two mentions (ms): the CLI puts each into its prompt and draws it. Two hundred take two seconds. */
const pauseMs = 10

/** The CLI puts a mention into its prompt a moment after it has got it (ms); a question comes behind it. */
const settlingMs = 200

/** One recipient's items, in the order in which they were sent. */
export class Outbox implements Disposable {
  readonly #parts: OutboxParts
  readonly #waiting: Outgoing[] = []
  #pause: Disposable | undefined
  #isAsking = false
  #lastMentionAt = Number.NEGATIVE_INFINITY
  #timers = new DisposableStack()
  #isTimed = false

  constructor(parts: OutboxParts) {
    this.#parts = parts
  }

  /** Sends them, or keeps them until someone listens. */
  send(items: readonly Outgoing[]): void {
    this.#waiting.push(...items)
    this.#flush()
    this.receiverGone()
  }

  /** Someone listens now. */
  receiverCame(): void {
    this.#stopTimers()
    this.#flush()
  }

  /** There is perhaps nobody any more who listens. */
  receiverGone(): void {
    if (this.#waiting.length > 0 && this.#parts.receiver() === undefined) this.#watchTheTime()
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
    this.#stopTimers()
    await this.#pause?.dispose()
  }

  /** Sends the first that waits, and the next after a pause. */
  #flush(): void {
    const { clock, receiver, sent } = this.#parts
    const client = receiver()
    const next = this.#waiting[0]
    if (client === undefined || next === undefined || this.#pause !== undefined || this.#isAsking) return
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
    const { clock, options } = this.#parts
    const { connection_timeout, queue_timeout } = options()
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
