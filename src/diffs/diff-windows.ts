// The editor's side of the diffs (lua/claudecode/editor/diff.lua): calls, events, and the files that the texts go through.
import { z } from 'zod'
import { type Disposable, DisposableStack } from '../base/disposable.ts'
import { readIfThere } from '../base/read-if-there.ts'
import type { Client } from '../ide/client.ts'
import { type Editor, luaList, nothing, shownText } from '../neovim/editor.ts'
import type { DiffIdentity } from './diff.ts'
import type { DiffDisplay } from './display.ts'
import { gainsCrlf } from './line-ends.ts'
import {
  type ProposalFiles,
  proposalFilesAround,
  proposalFilesIn,
  readAccepted,
  removeProposal,
  writeProposal,
} from './proposal-files.ts'

const EditorState = z.enum(['pending', 'accepted', 'rejected', 'gone'])
/** What a diff is for the editor; `gone` is also one that it was never asked to show. */
export type EditorState = z.output<typeof EditorState>

const Kept = z.object({
  id: z.string(),
  tab_name: z.string(),
  old_file_path: z.string(),
  new_file_path: z.string(),
  snapshot: z.string(),
  is_written: z.boolean(),
})
/** An accepted diff from the time of another host. */
export type Kept = z.output<typeof Kept>

const Rejection = z.object({ id: z.string(), reason: z.string(), why: shownText.optional() })

/** What the user decides. */
export interface DiffListeners {
  /** `DiffWindows.acceptedText` has the text. */
  onAccepted(id: string): void
  /** The diff is closed already. `why`: what the user wants to tell the client. */
  onRejected(id: string, reason: string, why: string | undefined): void
  /** The user quits, and an accepted text went into the buffer of its file, unsaved. The diff is closed already. */
  onKept(id: string): void
}

/**
 * Messages of one channel stay in order: a call to `close` after one to `open` finds it opened, and a decision of the
 * user is heard before the answer to a call that came after it.
 */
export class DiffWindows implements Disposable {
  readonly #editor: Editor
  readonly #display: (client: Client | undefined) => DiffDisplay
  readonly #listening = new DisposableStack()
  readonly #waiting = new Set<() => void>()
  readonly #files = new Map<string, ProposalFiles>()
  /** Diffs whose proposal is shown with the line ends that its client will write. */
  readonly #asCrlf = new Set<string>()

  constructor(editor: Editor, display: (client: Client | undefined) => DiffDisplay, listeners: DiffListeners) {
    this.#editor = editor
    this.#display = display
    this.#listening.add(editor.on('diffAccepted', z.object({ id: z.string() }), ({ id }) => listeners.onAccepted(id)))
    this.#listening.add(
      editor.on('diffRejected', Rejection, ({ id, reason, why }) => listeners.onRejected(id, reason, why)),
    )
    this.#listening.add(editor.on('diffKept', z.object({ id: z.string() }), ({ id }) => listeners.onKept(id)))
    this.#listening.add(editor.on('diffMoment', z.unknown(), () => this.retry()))
  }

  /**
   * Shows a proposal. When the user is in the middle of something, such as Insert mode, it waits for the end of that.
   * Whenever `isWanted` says no it is let go, also when it has just been shown.
   * @throws {EditorError} it can't be shown.
   */
  async show(diff: DiffIdentity, text: string, isWanted: () => boolean): Promise<void> {
    const files = proposalFilesIn(await this.#editor.call('diff.folder', {}, z.string()))
    this.#files.set(diff.id, files)
    const old = await readIfThere(diff.oldPath).catch(() => undefined) // a folder, or not ours to read: Lua refuses it
    const asCrlf = old !== undefined && gainsCrlf(old, text)
    if (asCrlf) this.#asCrlf.add(diff.id)
    await writeProposal(files, asCrlf ? text.replaceAll('\n', '\r\n') : text)
    await this.#open(diff, files, asCrlf, isWanted)
  }

  async #open(diff: DiffIdentity, files: ProposalFiles, asCrlf: boolean, isWanted: () => boolean): Promise<void> {
    const args = {
      id: diff.id,
      tab_name: diff.tabName,
      old_file_path: diff.oldPath,
      new_file_path: diff.newPath,
      proposal: files.proposal,
      snapshot: files.snapshot,
      fileformats: asCrlf ? 'unix' : 'unix,dos', // the file, with both kinds of line ends, is read as "unix" too
    }
    while (isWanted()) {
      const answer = await this.#editor.call(
        'diff.open',
        { ...args, display: this.#display(diff.owner) },
        z.enum(['opened', 'later']),
      )
      if (answer === 'opened') return
      await new Promise<void>(resolve => this.#waiting.add(resolve))
    }
  }

  /** Lets diffs that wait for their moment look again whether it has come, or whether they are wanted at all. */
  retry(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const resolve of waiting) resolve()
  }

  /** Closes a diff if it is in `state` for the editor too. Returns the state that it was in. */
  close(id: string, state: 'pending' | 'accepted', reason: string): Promise<EditorState> {
    return this.#editor.call('diff.close', { id, state, reason }, EditorState)
  }

  /** The text that the user has accepted. @throws the system's error when its file is gone. */
  acceptedText(id: string): string {
    const text = readAccepted(this.#filesOf(id))
    return this.#asCrlf.has(id) ? text.replaceAll('\r\n', '\n') : text
  }

  /** The file that holds the accepted text. */
  snapshot(id: string): string {
    return this.#filesOf(id).snapshot
  }

  #filesOf(id: string): ProposalFiles {
    const files = this.#files.get(id)
    if (files === undefined) throw new Error(`the diff ${id} has no files`)
    return files
  }

  /** The file of an accepted diff holds its text. */
  async markWritten(id: string): Promise<void> {
    await this.#editor.call('diff.written', { id }, nothing)
  }

  /** Removes the files of a diff that has ended. */
  async forget(id: string): Promise<void> {
    const files = this.#files.get(id)
    this.#files.delete(id)
    this.#asCrlf.delete(id)
    if (files !== undefined) await removeProposal(files)
  }

  /** Closes what is pending from the time of another host, and returns what the user has accepted. */
  async adopt(): Promise<Kept[]> {
    const kept = await this.#editor.call('diff.adopt', {}, luaList(Kept))
    for (const { id, snapshot } of kept) this.#files.set(id, proposalFilesAround(snapshot))
    return kept
  }

  dispose(): Promise<void> {
    this.retry()
    return this.#listening.dispose()
  }
}
