// The review of proposals: diffs, the editor that shows them, and the clients that wait for an answer, together.
import { randomUUID } from 'node:crypto'
import { createDeferred, type Deferred } from '../base/deferred.ts'
import type { Disposable } from '../base/disposable.ts'
import { errorCodes, ProtocolError } from '../base/errors.ts'
import { inBackground, type Log } from '../base/log.ts'
import type { Client } from '../ide/client.ts'
import type { ToolCall } from '../ide/tool.ts'
import { type Editor, EditorError, nothing } from '../neovim/editor.ts'
import { ignoreGone, type Notices } from '../neovim/notices.ts'
import { EditorGoneError } from '../neovim/transport.ts'
import type { AcceptedTexts } from './accepted-text.ts'
import { type AcceptedDiff, accepted, isUndecided, type OpenDiff, type OpeningDiff, opening, shown } from './diff.ts'
import { DiffStore } from './diff-store.ts'
import { DiffWindows } from './diff-windows.ts'
import { type ProposalFiles, proposalFilesOf, readAccepted, removeProposal, writeProposal } from './proposal-files.ts'
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
  log: Log
  texts: AcceptedTexts
}

/** What belongs to an open diff besides its state. */
interface Case {
  answer: Deferred<Verdict>
  proposed: string | undefined
  files: ProposalFiles | undefined
  /** The state of the file when the diff was opened. */
  since: FileStamp
}

/** Every `openDiff` gets exactly one answer. */
export class Review implements Disposable {
  readonly #options: ReviewOptions
  readonly #store = new DiffStore()
  readonly #cases = new Map<string, Case>()
  readonly #windows: DiffWindows

  constructor(options: ReviewOptions) {
    this.#options = options
    this.#windows = new DiffWindows(options.editor, {
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
    const answer = createDeferred<Verdict>()
    this.#cases.set(diff.id, { answer, proposed: text, files: undefined, since: stampNow(newPath) })
    this.#put(diff)
    const onAbort = () => this.#run(this.#end(diff.id, 'Claude has withdrawn it'))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    this.#run(this.#show(diff, claim.kind === 'replaces' ? claim.diff : undefined))
    try {
      return await answer.promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** `close_tab` of a client: closes what the rules let it close, and nothing else. */
  async closeTab(client: Client, tabName: string): Promise<void> {
    const diff = this.#store.closable(client, tabName)
    if (diff === undefined) return
    const its = this.#cases.get(diff.id)
    await this.#closeFor(client, diff)
    if (its?.proposed === undefined || diff.state === 'accepted') return
    // The user may have said yes in the terminal: then the client writes what it proposed.
    this.#options.texts.follow({ ...diff, text: its.proposed, since: its.since })
  }

  /** `closeAllDiffTabs` of a client. Returns how many were closed. */
  async closeAllTabs(client: Client): Promise<number> {
    const closings = this.#store.allClosable(client).map(diff => this.#closeFor(client, diff))
    return (await Promise.all(closings)).filter(isClosed => isClosed).length
  }

  /** A client's connection has ended: so have its pending diffs. What the user has accepted stays open. */
  clientGone(client: Client): void {
    for (const diff of this.#store.endingWith(client)) this.#run(this.#end(diff.id, 'Claude is gone'))
  }

  /** `:ClaudeCodeCloseAllDiffs`. Returns how many were closed. */
  async closeAllByUser(): Promise<number> {
    const closings = this.#store.all.map(async diff => {
      await this.#end(diff.id, 'closed by the user')
      const left = this.#store.get(diff.id)
      if (left?.state !== 'accepted') return true
      const files = this.#cases.get(left.id)?.files
      if (files === undefined || !(await this.#options.texts.keep(left, files.snapshot))) return false
      return this.#closeAccepted(left, 'closed by the user')
    })
    return (await Promise.all(closings)).filter(isClosed => isClosed).length
  }

  /** After the end of another host: its pending diffs are closed, its accepted ones kept, with no owner. */
  async adopt(): Promise<void> {
    for (const kept of await this.#windows.adopt()) {
      const files = proposalFilesOf(kept.snapshot)
      const { id, tab_name: tabName, old_file_path: oldPath, new_file_path: newPath } = kept
      const diff = shown(opening({ id, tabName, oldPath, newPath, owner: undefined }))
      this.#cases.set(id, { answer: createDeferred(), proposed: undefined, files, since: stampNow(newPath) })
      this.#put(accepted(diff, readAccepted(files)))
    }
  }

  /** The end of the host: all who wait are answered at once. The windows are left to Neovim, or to the next host. */
  async dispose(): Promise<void> {
    for (const diff of this.#store.all) if (isUndecided(diff)) this.#reject(diff.id, 'shutdown')
    await this.#windows.dispose()
  }

  async #show(diff: OpeningDiff, replaced: OpenDiff | undefined): Promise<void> {
    const { id } = diff
    let files: ProposalFiles | undefined
    try {
      if (replaced !== undefined && !(await this.#closeFor(diff.owner, replaced, 'replaced by new diff'))) {
        throw nameIsTaken(diff.tabName) // the user accepted it for another client just now
      }
      files = await this.#windows.files()
      const its = this.#cases.get(id)
      if (its?.proposed === undefined) return
      its.files = files
      await writeProposal(files, its.proposed)
      await this.#windows.open(diff, files, () => this.#isOpening(id))
      if (this.#isOpening(id)) this.#put(shown(diff))
      else if (this.#store.get(id) === undefined) await this.#windows.close(id, 'pending', 'closed while it opened')
    } catch (error) {
      this.#fail(id, error)
    } finally {
      if (files !== undefined && !this.#cases.has(id)) await removeProposal(files)
    }
  }

  #isOpening(id: string): boolean {
    return this.#store.get(id)?.state === 'opening'
  }

  /** The editor could not show a diff. */
  #fail(id: string, error: unknown): void {
    const answer = this.#cases.get(id)?.answer
    this.#forget(id)
    if (answer === undefined) return
    if (error instanceof EditorGoneError) answer.resolve({ kind: 'rejected' })
    else if (error instanceof ProtocolError) answer.reject(error)
    else answer.reject(this.#showFailure(error))
  }

  #showFailure(error: unknown): ProtocolError {
    const isRefusal = error instanceof EditorError && error.luaStack === undefined
    if (!isRefusal) this.#options.log.error('a diff could not be shown', error)
    const reason = isRefusal ? error.message : ':ClaudeCodeLog says more'
    return new ProtocolError(errorCodes.toolFailed, `The diff can't be shown: ${reason}.`)
  }

  /** Neovim has the accepted text in a file. Handled without a pause, see `DiffWindows`. */
  #accept(id: string): void {
    const diff = this.#store.get(id)
    const its = this.#cases.get(id)
    if (diff === undefined || !isUndecided(diff) || its?.files === undefined) return
    const text = readAccepted(its.files)
    const pending = diff.state === 'opening' ? shown(diff) : diff // the user was faster than the answer to `open`
    const done = accepted(pending, text)
    this.#put(done)
    this.#options.texts.follow({ ...done, since: its.since })
    its.answer.resolve({ kind: 'accepted', text })
  }

  #reject(id: string, reason: string): void {
    const diff = this.#store.get(id)
    if (diff === undefined || !isUndecided(diff)) return
    this.#options.log.info(`diff ${diff.tabName} is rejected: ${reason}`)
    const answer = this.#cases.get(id)?.answer
    this.#forget(id)
    answer?.resolve({ kind: 'rejected' })
  }

  /** Ends a diff that nobody has decided. The user's word comes first: what they accepted in this moment stays. */
  async #end(id: string, reason: string): Promise<void> {
    const diff = this.#store.get(id)
    if (diff === undefined || !isUndecided(diff)) return
    try {
      await this.#windows.close(id, 'pending', reason)
    } catch (error) {
      if (!(error instanceof EditorGoneError)) throw error
    } finally {
      this.#reject(id, reason)
      this.#windows.retry()
    }
  }

  /** Closes a diff as far as `client` may. Returns whether it is closed. */
  async #closeFor(client: Client | undefined, { id }: OpenDiff, reason = 'diff tab closed'): Promise<boolean> {
    await this.#end(id, reason)
    const left = this.#store.get(id)
    if (left?.state !== 'accepted') return true
    return left.owner === client && client !== undefined && this.#closeAccepted(left, reason)
  }

  async #closeAccepted(diff: AcceptedDiff, reason: string): Promise<boolean> {
    await ignoreGone(this.#windows.close(diff.id, 'accepted', reason))
    this.#forget(diff.id)
    return true
  }

  #put(diff: OpenDiff): void {
    this.#store.put(diff)
    this.#report()
  }

  #forget(id: string): void {
    const files = this.#cases.get(id)?.files
    this.#cases.delete(id)
    this.#store.remove(id)
    this.#report()
    if (files !== undefined) this.#run(removeProposal(files))
  }

  #report(): void {
    const pending_diffs = this.#store.undecidedCount
    this.#run(ignoreGone(this.#options.editor.call('status.set', { pending_diffs }, nothing)))
  }

  #run(work: Promise<unknown>): void {
    inBackground(this.#options.log, work, 'a step of a diff')
  }
}

function nameIsTaken(tabName: string): ProtocolError {
  return new ProtocolError(
    errorCodes.toolFailed,
    `The user has accepted a diff named ${tabName} for another client, and it is not written yet. In Neovim, :ClaudeCodeCloseAllDiffs closes it.`,
  )
}
