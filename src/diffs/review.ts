// The review of proposals: diffs, the editor that shows them, and the clients that wait for an answer, together.
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { createDeferred, type Deferred } from '../base/deferred.ts'
import type { Disposable } from '../base/disposable.ts'
import { inBackground, type Log } from '../base/log.ts'
import type { Client } from '../ide/client.ts'
import type { ToolCall } from '../ide/tool.ts'
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
  opening,
  type RejectedDiff,
  rejected,
  shown,
} from './diff.ts'
import { DiffStore } from './diff-store.ts'
import { DiffWindows } from './diff-windows.ts'
import type { DiffDisplay } from './display.ts'
import { cannotBeShown, nameIsTaken } from './refusals.ts'
import { withPatience } from './with-patience.ts'
import { type FileStamp, stampNow } from './written-file.ts'

/** What a client proposes (protocol document, "openDiff"). */
export interface Proposal {
  oldPath: string
  newPath: string
  text: string
  tabName: string
}

/** The user's answer. A diff that is closed, replaced, cancelled or without a client is rejected. */
export type Verdict = { kind: 'accepted'; text: string } | { kind: 'rejected' }

export interface ReviewOptions {
  editor: Editor
  notices: Notices
  texts: AcceptedTexts
  display: () => DiffDisplay
  clock: Clock
  log: Log
}

/** A call that waits for its answer. */
interface Call {
  readonly answer: Deferred<Verdict>
  readonly proposed: string
  /** The state of the file when the diff was opened. */
  readonly since: FileStamp
}

/** Every `openDiff` gets exactly one answer. */
export class Review implements Disposable {
  readonly #options: ReviewOptions
  readonly #store = new DiffStore()
  readonly #calls = new Map<string, Call>()
  readonly #windows: DiffWindows

  constructor(options: ReviewOptions) {
    this.#options = options
    this.#windows = new DiffWindows(options.editor, options.display, {
      onAccepted: id => this.#accept(id),
      onRejected: (id, reason) => this.#reject(id, reason),
    })
  }

  /**
   * Shows a proposal, and resolves when the user has decided or the diff has ended otherwise.
   * @throws {ProtocolError} -32000: the name belongs to a text that was accepted for another client; or the diff can't
   *   be shown.
   */
  async openDiff(proposal: Proposal, { client, signal }: ToolCall): Promise<Verdict> {
    const { tabName, oldPath, newPath, text } = proposal
    const claim = this.#store.claim(client, tabName)
    if (claim.kind === 'refused') throw nameIsTaken(tabName)
    const diff = opening({ id: randomUUID(), tabName, oldPath, newPath, owner: client })
    const call = { answer: createDeferred<Verdict>(), proposed: text, since: stampNow(newPath) }
    this.#calls.set(diff.id, call)
    this.#put(diff)
    const onAbort = () => this.#run(this.#end(diff.id, 'Claude has withdrawn it'))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    this.#run(this.#show(diff, text, claim.kind === 'replaces' ? claim.diff : undefined))
    try {
      return await call.answer.promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** `close_tab` of a client: closes what the rules let it close, and nothing else. */
  async closeTab(client: Client, tabName: string): Promise<void> {
    const diff = this.#store.closable(client, tabName)
    if (diff === undefined) return
    const call = this.#calls.get(diff.id)
    await this.#closeFor(
      client,
      diff,
      isUndecided(diff) ? 'diff tab closed after reject' : 'diff tab closed after save',
    )
    const verdict = await call?.answer.promise.catch(() => undefined)
    if (call === undefined || verdict?.kind !== 'rejected') return
    // The user may have said yes in the terminal: then the client writes what it proposed.
    this.#options.texts.follow({ ...diff, text: call.proposed, since: call.since })
  }

  /** `closeAllDiffTabs` of a client. Returns how many were closed. */
  async closeAllTabs(client: Client): Promise<number> {
    const closings = this.#store.allClosable(client).map(diff => this.#closeFor(client, diff, 'all diff tabs closed'))
    return countTrue(await Promise.all(closings))
  }

  /** A client's connection has ended: so have its pending diffs. What the user has accepted stays open. */
  clientGone(client: Client): void {
    for (const { id } of this.#store.endingWith(client)) this.#run(this.#end(id, 'Claude is gone'))
  }

  /** `:ClaudeCodeCloseAllDiffs`. Returns how many were closed. */
  async closeAllByUser(): Promise<number> {
    const reason = 'closed by the user'
    const closings = this.#store.all.map(async ({ id }) => {
      await this.#end(id, reason)
      const left = this.#store.get(id)
      if (left?.state !== 'accepted') return true
      const isSafe = await this.#options.texts.keep(left, this.#windows.snapshot(id))
      return isSafe && this.#closeAccepted(left, reason)
    })
    return countTrue(await Promise.all(closings))
  }

  /** After the end of another host: its pending diffs are closed, its accepted ones kept, with no owner. */
  async adopt(): Promise<void> {
    for (const {
      id,
      tab_name: tabName,
      old_file_path: oldPath,
      new_file_path: newPath,
    } of await this.#windows.adopt()) {
      const diff = shown(opening({ id, tabName, oldPath, newPath, owner: undefined }))
      try {
        this.#put(accepted(diff, this.#windows.acceptedText(id)))
      } catch (error) {
        this.#options.log.error(`the text that was accepted for ${newPath} is only in its buffer`, error)
      }
    }
  }

  /** The end of the host: all who wait are answered at once. The windows are left to Neovim, or to the next host. */
  async dispose(): Promise<void> {
    for (const { id } of this.#store.all) this.#reject(id, 'shutdown')
    await this.#windows.dispose()
  }

  async #show(diff: OpeningDiff, text: string, replaced: OpenDiff | undefined): Promise<void> {
    const { id } = diff
    const isOpening = () => this.#store.get(id)?.state === 'opening'
    try {
      if (replaced !== undefined && !(await this.#closeFor(diff.owner, replaced, 'replaced by new diff'))) {
        throw nameIsTaken(diff.tabName) // the user accepted it for another client just now
      }
      await this.#windows.show(diff, text, isOpening)
      if (isOpening()) this.#put(shown(diff))
    } catch (error) {
      this.#fail(id, error)
    }
    if (this.#store.get(id) !== undefined) return
    await ignoreGone(this.#windows.close(id, 'pending', 'closed while it opened'))
    await this.#windows.forget(id)
  }

  /** The editor could not show a diff. */
  #fail(id: string, error: unknown): void {
    const diff = this.#store.get(id)
    const call = this.#calls.get(id)
    if (diff === undefined || !isUndecided(diff)) return
    this.#close(rejected(diff, 'it can not be shown'))
    if (error instanceof EditorGoneError) call?.answer.resolve({ kind: 'rejected' })
    else call?.answer.reject(cannotBeShown(error, this.#options.log))
  }

  /** Neovim has the accepted text in a file. Handled without a pause, see `DiffWindows`. */
  #accept(id: string): void {
    const diff = this.#store.get(id)
    if (diff === undefined || !isUndecided(diff)) return
    const { log, notices, texts } = this.#options
    const name = basename(diff.newPath)
    const call = this.#calls.get(id)
    let text: string
    try {
      text = this.#windows.acceptedText(id)
    } catch (error) {
      log.error('an accepted text can not be read', error)
      notices.error(`what you accepted for ${name} did not reach Claude`)
      this.#reject(id, 'its text can not be read')
      return
    }
    const pending = diff.state === 'opening' ? shown(diff) : diff // the user was faster than the answer to `open`
    this.#put(accepted(pending, text))
    this.#calls.delete(id)
    if (call === undefined) {
      notices.warn(`Claude waits no more for ${name}: :ClaudeCodeCloseAllDiffs puts what you accepted into its buffer`)
      return
    }
    texts.follow({ ...diff, text, since: call.since })
    call.answer.resolve({ kind: 'accepted', text })
  }

  #reject(id: string, reason: string): void {
    const diff = this.#store.get(id)
    const call = this.#calls.get(id)
    if (diff === undefined || !isUndecided(diff)) return
    this.#close(rejected(diff, reason))
    call?.answer.resolve({ kind: 'rejected' })
  }

  /** Ends a diff that nobody has decided. The user's word comes first: what they accepted in this moment stays. */
  async #end(id: string, reason: string): Promise<void> {
    const diff = this.#store.get(id)
    if (diff === undefined || !isUndecided(diff)) return
    const closing = ignoreGone(this.#windows.close(id, 'pending', reason)).then(() => this.#reject(id, reason))
    this.#run(closing)
    await withPatience(closing, this.#options.clock)
    this.#abandon(id, reason)
    this.#windows.retry()
  }

  /**
   * Nobody waits for a diff any more, but the editor has not closed it yet. Should the user accept it still, the text
   * is nobody's: its client has been told that it is rejected.
   */
  #abandon(id: string, reason: string): void {
    const diff = this.#store.get(id)
    if (diff?.state === 'opening') this.#reject(id, reason)
    if (diff?.state !== 'pending') return
    this.#put({ ...diff, owner: undefined })
    this.#calls.get(id)?.answer.resolve({ kind: 'rejected' })
    this.#calls.delete(id)
  }

  /** Closes a diff as far as `client` may. Returns whether it is closed. */
  async #closeFor(client: Client | undefined, { id }: OpenDiff, reason: string): Promise<boolean> {
    await this.#end(id, reason)
    const left = this.#store.get(id)
    if (left?.state !== 'accepted') return true
    return client !== undefined && left.owner === client && this.#closeAccepted(left, reason)
  }

  async #closeAccepted(diff: AcceptedDiff, reason: string): Promise<boolean> {
    const closing = this.#windows.close(diff.id, 'accepted', reason)
    this.#run(ignoreGone(closing))
    await withPatience(closing, this.#options.clock)
    this.#close(diff)
    return true
  }

  #put(diff: OpenDiff): void {
    this.#store.put(diff)
    this.#report()
  }

  #close(diff: AcceptedDiff | RejectedDiff): void {
    this.#store.close(diff)
    this.#calls.delete(diff.id)
    if (diff.state === 'rejected') this.#options.log.info(`diff ${diff.tabName} is rejected: ${diff.reason}`)
    this.#report()
    this.#run(this.#windows.forget(diff.id))
  }

  #report(): void {
    const pending_diffs = this.#store.undecidedCount
    this.#run(ignoreGone(this.#options.editor.call('status.set', { pending_diffs }, nothing)))
  }

  #run(work: Promise<unknown>): void {
    inBackground(this.#options.log, work, 'a step of a diff')
  }
}

function countTrue(values: readonly boolean[]): number {
  return values.filter(Boolean).length
}
