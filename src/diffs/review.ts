// The review of proposals: diffs, the editor that shows them, and the clients that wait for an answer, together.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { createDeferred } from '../base/deferred.ts'
import type { Disposable } from '../base/disposable.ts'
import type { Client } from '../ide/client.ts'
import type { ToolCall } from '../ide/tool.ts'
import { ignoreGone } from '../neovim/notices.ts'
import {
  type AcceptedDiff,
  accepted,
  isUndecided,
  type OpenDiff,
  type OpeningDiff,
  opening,
  shown,
  written,
} from './diff.ts'
import { OpenDiffs, type OpenDiffsOptions, type Verdict } from './open-diffs.ts'
import { nameIsTaken } from './refusals.ts'
import { stampNow } from './written-file.ts'

/** What a client proposes (protocol document, "openDiff"). */
export interface Proposal {
  oldPath: string
  newPath: string
  text: string
  tabName: string
}

/** Every `openDiff` gets exactly one answer. */
export class Review implements Disposable {
  readonly #options: OpenDiffsOptions
  readonly #diffs: OpenDiffs

  constructor(options: OpenDiffsOptions) {
    this.#options = options
    this.#diffs = new OpenDiffs(options)
  }

  /**
   * Shows a proposal, and resolves when the user has decided or the diff has ended otherwise.
   * @throws {ProtocolError} -32000: the name belongs to a text that was accepted for another client; or the diff can't
   *   be shown.
   */
  async openDiff(proposal: Proposal, { client, signal }: ToolCall): Promise<Verdict> {
    const { tabName, oldPath, newPath, text } = proposal
    const claim = this.#diffs.store.claim(client, tabName)
    if (claim.kind === 'refused') throw nameIsTaken(tabName)
    const diff = opening({ id: randomUUID(), tabName, oldPath, newPath, owner: client })
    const call = { answer: createDeferred<Verdict>(), proposed: text, since: stampNow(newPath) }
    this.#diffs.begin(diff, call)
    const onAbort = () => this.#diffs.run(this.#diffs.end(diff.id, 'Claude has withdrawn it'))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    this.#diffs.run(this.#show(diff, text, claim.kind === 'replaces' ? claim.diff : undefined))
    try {
      return await call.answer.promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** `close_tab` of a client: closes what the rules let it close, and nothing else. */
  async closeTab(client: Client, tabName: string): Promise<void> {
    this.#options.reasons.closed(client, tabName)
    const diff = this.#diffs.store.closable(client, tabName)
    if (diff === undefined) return
    const call = this.#diffs.callOf(diff.id)
    await this.#diffs.closeFor(
      client,
      diff,
      isUndecided(diff) ? 'diff tab closed after reject' : 'diff tab closed after save',
    )
    const verdict = await call?.answer.promise.catch(() => undefined)
    if (call === undefined || verdict?.kind !== 'rejected') return
    // The user may have said yes in the terminal: then the client writes what it proposed.
    this.#options.texts.follow({ ...diff, text: call.proposed, since: call.since })
  }

  /** The clients whose proposals wait for the user. */
  get pendingOwners(): readonly Client[] {
    return this.#diffs.store.all.filter(isUndecided).flatMap(({ owner }) => owner ?? [])
  }

  /**
   * `closeAllDiffTabs` of a client. Returns how many were closed. The CLI calls it whenever its user writes something: that
   * is no answer to what another Claude of theirs, in another terminal of this Neovim, waits for.
   */
  async closeAllTabs(client: Client): Promise<number> {
    const { areApart } = this.#options
    const closings = this.#diffs.store
      .allClosable(client)
      .filter(({ owner }) => owner === undefined || !areApart(owner, client))
      .map(diff => this.#diffs.closeFor(client, diff, 'all diff tabs closed'))
    return countTrue(await Promise.all(closings))
  }

  /** How many diffs of these clients wait for the user. */
  undecidedOf(isTheirs: (owner: Client) => boolean): number {
    return this.#diffs.store.all.filter(diff => isUndecided(diff) && diff.owner && isTheirs(diff.owner)).length
  }

  /** A client's connection has ended: so have its pending diffs. What the user has accepted stays open. */
  clientGone(client: Client): void {
    this.#options.reasons.clientGone(client)
    for (const { id } of this.#diffs.store.endingWith(client)) this.#diffs.run(this.#diffs.end(id, 'Claude is gone'))
    for (const diff of this.#diffs.store.all) {
      if (diff.state === 'accepted' && diff.owner === client) this.#diffs.run(this.#diffs.tellUnwritten(diff))
    }
  }

  /**
   * `:ClaudeCodeCloseAllDiffs`. Returns how many were closed. Of several texts for one file the newest diff's comes last:
   * it is what the buffer shows, and the others are one undo away.
   */
  async closeAllByUser(): Promise<number> {
    const reason = 'closed by the user'
    const all = this.#diffs.store.all
    await Promise.all(all.map(({ id }) => this.#diffs.end(id, reason)))
    const closings: (boolean | Promise<boolean>)[] = []
    for (const { id } of all) {
      const left = this.#diffs.store.get(id)
      if (left?.state !== 'accepted') closings.push(true)
      else if (await this.#isSafe(left)) closings.push(this.#diffs.closeAccepted(left, reason))
    }
    return countTrue(await Promise.all(closings))
  }

  async #isSafe(diff: AcceptedDiff): Promise<boolean> {
    return diff.isWritten || this.#options.texts.keep(diff, this.#diffs.windows.snapshot(diff.id))
  }

  /** After the end of another host: its pending diffs are closed, its accepted ones kept, with no owner. */
  async adopt(): Promise<void> {
    for (const {
      id,
      tab_name: tabName,
      old_file_path: oldPath,
      new_file_path: newPath,
      is_written: isWritten,
    } of await this.#diffs.windows.adopt()) {
      const diff = shown(opening({ id, tabName, oldPath, newPath, owner: undefined }))
      try {
        const adopted = accepted(diff, this.#diffs.windows.acceptedText(id))
        this.#diffs.put(isWritten ? written(adopted) : adopted)
        if (!isWritten) await this.#diffs.followAdopted(adopted)
      } catch (error) {
        this.#options.log.error(`the text that was accepted for ${newPath} is only in its buffer`, error)
      }
    }
  }

  /** The end of the host: all who wait are answered at once. The windows are left to Neovim, or to the next host. */
  async dispose(): Promise<void> {
    for (const { id } of this.#diffs.store.all) this.#diffs.reject(id, 'shutdown')
    await this.#diffs.windows.dispose()
  }

  /** What the user has typed and not saved is never written over without a look. */
  async #hasUnsaved({ oldPath, newPath }: OpeningDiff): Promise<boolean> {
    const { editor } = this.#options
    const args = { paths: [oldPath, newPath] }
    return editor.call('buffers.has_unsaved', args, z.boolean())
  }

  async #show(diff: OpeningDiff, text: string, replaced: OpenDiff | undefined): Promise<void> {
    const { id } = diff
    const isOpening = () => this.#diffs.store.get(id)?.state === 'opening'
    try {
      if (replaced !== undefined && !(await this.#diffs.closeFor(diff.owner, replaced, 'replaced by new diff'))) {
        throw nameIsTaken(diff.tabName) // the user accepted it for another client just now
      }
      if (this.#options.isUnseen(diff.owner) && !(await this.#hasUnsaved(diff)) && isOpening()) {
        this.#diffs.acceptUnseen(diff, text)
        return
      }
      await this.#diffs.windows.show(diff, text, isOpening)
      if (isOpening()) this.#diffs.put(shown(diff))
    } catch (error) {
      this.#diffs.fail(id, error)
    }
    if (this.#diffs.store.get(id) !== undefined) return
    await ignoreGone(this.#diffs.windows.close(id, 'pending', 'closed while it opened'))
    await this.#diffs.windows.forget(id)
  }
}

function countTrue(values: readonly boolean[]): number {
  return values.filter(Boolean).length
}
