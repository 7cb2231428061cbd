// The diffs that are open: in the store, in the editor, and for the clients that wait. Each move of one is done here.
import { basename } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Deferred } from '../base/deferred.ts'
import { inBackground, type Log } from '../base/log.ts'
import type { Client } from '../ide/client.ts'
import { type Editor, nothing } from '../neovim/editor.ts'
import { ignoreGone, type Notices } from '../neovim/notices.ts'
import { EditorGoneError } from '../neovim/transport.ts'
import type { AcceptedTexts } from './accepted-text.ts'
import {
  type AcceptedDiff,
  accepted,
  isUndecided,
  type OpenDiff,
  type OpeningDiff,
  type RejectedDiff,
  rejected,
  shown,
  written,
} from './diff.ts'
import { DiffStore } from './diff-store.ts'
import { DiffWindows } from './diff-windows.ts'
import type { DiffDisplay } from './display.ts'
import { cannotBeShown } from './refusals.ts'
import type { RejectReasons } from './reject-reasons.ts'
import { withPatience } from './with-patience.ts'
import { type FileStamp, stampNow } from './written-file.ts'

/** The user's answer. A diff that is closed, replaced, cancelled or without a client is rejected. */
export type Verdict = { kind: 'accepted'; text: string } | { kind: 'rejected' }

/** What they are made of. */
export interface OpenDiffsOptions {
  editor: Editor
  notices: Notices
  texts: AcceptedTexts
  display: (client: Client | undefined) => DiffDisplay
  reasons: RejectReasons
  /** Whether two clients are two Claudes that the user works with side by side in this Neovim. */
  areApart: (a: Client, b: Client) => boolean
  /** Whether the user lets what this client proposes through without a look. */
  isUnseen: (client: Client | undefined) => boolean
  clock: Clock
  log: Log
}

/** A call that waits for its answer. */
export interface Call {
  readonly answer: Deferred<Verdict>
  readonly proposed: string
  /** The state of the file when the diff was opened. */
  readonly since: FileStamp
}

/** Every call gets exactly one answer, and no accepted text is let go before it is safe. */
export class OpenDiffs {
  readonly store = new DiffStore()
  readonly windows: DiffWindows
  readonly #options: OpenDiffsOptions
  readonly #calls = new Map<string, Call>()

  constructor(options: OpenDiffsOptions) {
    this.#options = options
    this.windows = new DiffWindows(options.editor, options.display, {
      onAccepted: id => this.#accept(id),
      onRejected: (id, reason, why) => this.#rejectByUser(id, reason, why),
      onKept: id => this.#kept(id),
    })
  }

  /** A new diff, and the call that waits for its end. */
  begin(diff: OpeningDiff, call: Call): void {
    this.#calls.set(diff.id, call)
    this.put(diff)
  }

  /** The call that waits for a diff. */
  callOf(id: string): Call | undefined {
    return this.#calls.get(id)
  }

  /** Accepts a proposal that was never shown, as the user wants it. */
  acceptUnseen(diff: OpeningDiff, text: string): void {
    const call = this.#calls.get(diff.id)
    this.#close(accepted(shown(diff), text))
    if (call === undefined) return
    const { notices, texts } = this.#options
    notices.info(`accepted without a review: ${basename(diff.newPath)}`)
    texts.follow({ ...diff, text, since: call.since })
    call.answer.resolve({ kind: 'accepted', text })
  }

  /** Neovim has the accepted text in a file. Handled without a pause, see `DiffWindows`. */
  #accept(id: string): void {
    const diff = this.store.get(id)
    if (diff === undefined || !isUndecided(diff)) return
    const { log, notices, texts } = this.#options
    const name = basename(diff.newPath)
    const call = this.#calls.get(id)
    let text: string
    try {
      text = this.windows.acceptedText(id)
    } catch (error) {
      log.error('an accepted text can not be read', error)
      notices.error(`what you accepted for ${name} did not reach Claude`)
      this.reject(id, 'its text can not be read')
      return
    }
    const pending = diff.state === 'opening' ? shown(diff) : diff // the user was faster than the answer to `open`
    this.put(accepted(pending, text))
    this.#calls.delete(id)
    if (call === undefined) {
      notices.warn(`Claude waits no more for ${name}: :ClaudeCodeCloseAllDiffs puts what you accepted into its buffer`)
      return
    }
    texts.follow({ ...diff, text, since: call.since }, () => this.#markWritten(id))
    call.answer.resolve({ kind: 'accepted', text })
  }

  #markWritten(id: string): void {
    const diff = this.store.get(id)
    if (diff?.state === 'accepted') this.put(written(diff))
    this.run(ignoreGone(this.windows.markWritten(id)))
  }

  /** Its client may still write the text, or has done so while there was no host. */
  async followAdopted(diff: AcceptedDiff): Promise<void> {
    const { texts } = this.#options
    const since = (await texts.isHeld(diff)) ? undefined : stampNow(diff.newPath)
    texts.follow({ ...diff, since }, () => this.#markWritten(diff.id))
  }

  /** The user quits: Neovim has put an accepted text into the buffer of its file. */
  #kept(id: string): void {
    const diff = this.store.get(id)
    if (diff?.state === 'accepted') this.#close(diff)
  }

  /** The client of an accepted diff has gone: the user learns where its text is. */
  async tellUnwritten(diff: AcceptedDiff): Promise<void> {
    const { texts, notices } = this.#options
    if (diff.isWritten || (await texts.isHeld(diff))) return
    const name = basename(diff.newPath)
    notices.warn(
      `Claude has gone before it wrote ${name}: :ClaudeCodeCloseAllDiffs puts what you accepted into its buffer`,
    )
  }

  #rejectByUser(id: string, reason: string, why: string | undefined): void {
    const diff = this.store.get(id)
    this.reject(id, reason)
    if (diff !== undefined && why !== undefined) this.#options.reasons.note(diff, why)
  }

  /** A diff that is undecided ends without a yes. */
  reject(id: string, reason: string): void {
    const diff = this.store.get(id)
    const call = this.#calls.get(id)
    if (diff === undefined || !isUndecided(diff)) return
    this.#close(rejected(diff, reason))
    call?.answer.resolve({ kind: 'rejected' })
  }

  /** Ends a diff that nobody has decided. The user's word comes first: what they accepted in this moment stays. */
  async end(id: string, reason: string): Promise<void> {
    const diff = this.store.get(id)
    if (diff === undefined || !isUndecided(diff)) return
    const closing = ignoreGone(this.windows.close(id, 'pending', reason)).then(() => this.reject(id, reason))
    this.run(closing)
    await withPatience(closing, this.#options.clock)
    this.#abandon(id, reason)
    this.windows.retry()
  }

  /**
   * Nobody waits for a diff any more, but the editor has not closed it yet. Should the user accept it still, the text
   * is nobody's: its client has been told that it is rejected.
   */
  #abandon(id: string, reason: string): void {
    const diff = this.store.get(id)
    if (diff?.state === 'opening') this.reject(id, reason)
    if (diff?.state !== 'pending') return
    this.put({ ...diff, owner: undefined })
    this.#calls.get(id)?.answer.resolve({ kind: 'rejected' })
    this.#calls.delete(id)
  }

  /** The editor could not show a diff. */
  fail(id: string, error: unknown): void {
    const diff = this.store.get(id)
    const call = this.#calls.get(id)
    if (diff === undefined || !isUndecided(diff)) return
    this.#close(rejected(diff, 'it can not be shown'))
    if (error instanceof EditorGoneError) call?.answer.resolve({ kind: 'rejected' })
    else call?.answer.reject(cannotBeShown(error, this.#options.log))
  }

  /** Closes a diff as far as `client` may. Returns whether it is closed. */
  async closeFor(client: Client | undefined, { id }: OpenDiff, reason: string): Promise<boolean> {
    await this.end(id, reason)
    const left = this.store.get(id)
    if (left?.state !== 'accepted') return true
    return client !== undefined && left.owner === client && this.closeAccepted(left, reason)
  }

  /** Closes an accepted diff, whose text is safe. */
  async closeAccepted(diff: AcceptedDiff, reason: string): Promise<boolean> {
    const closing = this.windows.close(diff.id, 'accepted', reason)
    this.run(ignoreGone(closing))
    await withPatience(closing, this.#options.clock)
    this.#close(diff)
    return true
  }

  /** Adds a diff, or puts its next state in its place. */
  put(diff: OpenDiff): void {
    this.store.put(diff)
    this.#report()
  }

  #close(diff: AcceptedDiff | RejectedDiff): void {
    this.store.close(diff)
    this.#calls.delete(diff.id)
    if (diff.state === 'rejected') this.#options.log.info(`diff ${diff.tabName} is rejected: ${diff.reason}`)
    this.#report()
    this.run(this.windows.forget(diff.id))
  }

  #report(): void {
    const change = { pending_diffs: this.store.undecidedCount, had_diffs: true }
    this.run(ignoreGone(this.#options.editor.call('status.set', change, nothing)))
  }

  /** Does something in the background. */
  run(work: Promise<unknown>): void {
    inBackground(this.#options.log, work, 'a step of a diff')
  }
}
