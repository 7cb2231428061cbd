// The editor's side of the diffs (lua/claudecode/editor/diff.lua): its calls and its events, with their types.
import { z } from 'zod'
import { type Disposable, DisposableStack } from '../base/disposable.ts'
import { type Editor, luaList } from '../neovim/editor.ts'
import type { DiffIdentity } from './diff.ts'
import { type ProposalFiles, proposalFilesIn } from './proposal-files.ts'

const EditorState = z.enum(['pending', 'accepted', 'rejected', 'gone'])
/** What a diff is for the editor; `gone` is also one that it was never asked to show. */
export type EditorState = z.output<typeof EditorState>

const Kept = z.object({
  id: z.string(),
  tab_name: z.string(),
  old_file_path: z.string(),
  new_file_path: z.string(),
  snapshot: z.string(),
})
/** An accepted diff from the time of another host. */
export type Kept = z.output<typeof Kept>

/** What the user decides. */
export interface DiffListeners {
  /** The text is in the snapshot file. */
  onAccepted(id: string): void
  /** The diff is closed already. */
  onRejected(id: string, reason: string): void
}

/**
 * Messages of one channel stay in order: a call to `close` after one to `open` finds it opened, and a decision of the
 * user is heard before the answer to a call that came after it.
 */
export class DiffWindows implements Disposable {
  readonly #editor: Editor
  readonly #listening = new DisposableStack()
  readonly #waiting = new Set<() => void>()

  constructor(editor: Editor, listeners: DiffListeners) {
    this.#editor = editor
    this.#listening.add(editor.on('diffAccepted', z.object({ id: z.string() }), ({ id }) => listeners.onAccepted(id)))
    this.#listening.add(
      editor.on('diffRejected', z.object({ id: z.string(), reason: z.string() }), ({ id, reason }) =>
        listeners.onRejected(id, reason),
      ),
    )
    this.#listening.add(editor.on('diffMoment', z.unknown(), () => this.retry()))
  }

  /** A place for the files of a new diff. Nothing is there yet. */
  async files(): Promise<ProposalFiles> {
    return proposalFilesIn(await this.#editor.call('diff.folder', {}, z.string()))
  }

  /**
   * Shows a diff. When the user is in the middle of something, such as Insert mode, it waits for the end of that, for
   * as long as `isWanted` says so.
   * @throws {EditorError} it can't be shown.
   */
  async open(diff: DiffIdentity, files: ProposalFiles, isWanted: () => boolean): Promise<void> {
    const args = {
      id: diff.id,
      tab_name: diff.tabName,
      old_file_path: diff.oldPath,
      new_file_path: diff.newPath,
      proposal: files.proposal,
      snapshot: files.snapshot,
    }
    while (isWanted()) {
      const answer = await this.#editor.call('diff.open', args, z.enum(['opened', 'later']))
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

  /** Closes what is pending from the time of another host, and returns what the user has accepted. */
  adopt(): Promise<Kept[]> {
    return this.#editor.call('diff.adopt', {}, luaList(Kept))
  }

  dispose(): Promise<void> {
    this.retry()
    return this.#listening.dispose()
  }
}
