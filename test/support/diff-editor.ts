// Lua's side of the diffs (lua/claudecode/editor/diff.lua) as a model, for tests of what the host makes of it. It knows
// no windows; its messages arrive when the test says so, in their order, as on the channel.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { z } from 'zod'
import { type Disposable, onDispose } from '../../src/base/disposable.ts'
import { type Editor, EditorError } from '../../src/neovim/editor.ts'

/** A diff as the editor has it. */
export interface EditorDiff {
  readonly id: string
  readonly tabName: string
  readonly path: string
  readonly snapshot: string
  state: 'pending' | 'accepted'
}

type Args = Record<string, unknown>
type Listener = (payload: unknown) => void

const quietTurns = 3 // of the event loop without anything to do: promises have run on

export class DiffEditor {
  /** The diffs that are open, oldest first. */
  readonly diffs = new Map<string, EditorDiff>()
  /** The user is in Insert mode. */
  isBusy = false
  /** The file has changes of the user's that are not saved. */
  hasUnsaved = false
  /** What `diff.open` refuses with, when it does. */
  refusal: string | undefined
  pendingDiffs = 0
  readonly #folder: string
  readonly #calls: (() => void)[] = []
  readonly #messages: (() => void)[] = []
  #listeners = new Map<string, Set<Listener>>()
  #count = 0
  #epoch = 0

  /** @param folder where the private folders of the diffs come to be */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** The editor as a host sees it. When that host is killed, it hears and says nothing more. */
  connect(): Editor {
    const epoch = this.#epoch
    return {
      channel: epoch,
      gone: new Promise<unknown>(() => undefined),
      call: <T>(name: string, args: Args, result: z.ZodType<T>) =>
        new Promise<T>((resolve, reject) => {
          if (epoch !== this.#epoch) return
          this.#calls.push(() => {
            let answer: () => void
            try {
              const value = this.#run(name, args)
              answer = () => resolve(result.parse(value))
            } catch (error) {
              answer = () => reject(error)
            }
            this.#messages.push(answer)
          })
        }),
      readMode: () => Promise.resolve({ mode: 'n', blocking: false }),
      on: (event, schema, listener) => this.#on(event, payload => listener(schema.parse(payload))),
    }
  }

  #on(event: string, listener: Listener): Disposable {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
    return onDispose(() => void listeners.delete(listener))
  }

  /** The user types :w in a proposal that has this text by now. False when it can't be taken. */
  accept(diff: EditorDiff, text: string): boolean {
    if (diff.state !== 'pending' || !existsSync(dirname(diff.snapshot))) return false
    writeFileSync(diff.snapshot, text)
    diff.state = 'accepted'
    this.#notify('diffAccepted', { id: diff.id })
    return true
  }

  /** The user closes a pending proposal. */
  reject(diff: EditorDiff): void {
    this.diffs.delete(diff.id)
    this.#notify('diffRejected', { id: diff.id, reason: 'by the user' })
  }

  /** The user is calm again. */
  calm(): void {
    if (!this.isBusy) return
    this.isBusy = false
    this.#notify('diffMoment', {})
  }

  /** Lets one message through, in one of the directions. */
  async step(direction: 'to editor' | 'to host'): Promise<void> {
    const queue = direction === 'to editor' ? this.#calls : this.#messages
    queue.shift()?.()
    await nextTurn()
  }

  /** Lets all messages to the host through at once, as when they arrive in one piece. */
  async burst(): Promise<void> {
    for (const message of this.#messages.splice(0)) message()
    await nextTurn()
  }

  /** Lets everything through, and all that follows from it. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < quietTurns; quiet += 1) {
      while (this.#calls.length + this.#messages.length > 0 || readsOrWritesFiles()) {
        this.#calls.shift()?.()
        this.#messages.shift()?.()
        quiet = 0
        await nextTurn()
      }
      await nextTurn()
    }
  }

  /** The host is killed: what was on its way is lost, in both directions. */
  killHost(): void {
    this.#epoch += 1
    this.pendingDiffs = 0 // lua/claudecode/status.lua forgets what the host said
    this.#listeners = new Map()
    this.#calls.length = 0
    this.#messages.length = 0
  }

  #notify(event: string, payload: Args): void {
    this.#messages.push(() => {
      for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(payload)
    })
  }

  #run(name: string, args: Args): unknown {
    if (name === 'diff.folder') {
      this.#count += 1
      return join(this.#folder, String(this.#count))
    }
    if (name === 'diff.open') return this.#open(args)
    if (name === 'diff.close') return this.#close(args)
    if (name === 'diff.adopt') return this.#adopt()
    if (name === 'buffers.has_unsaved') return this.hasUnsaved
    if (name === 'status.set' && args.pending_diffs !== undefined) this.pendingDiffs = Number(args.pending_diffs)
    return true
  }

  #open(args: Args): string {
    if (this.refusal !== undefined) throw new EditorError(this.refusal)
    if (this.isBusy) return 'later'
    const [id, tabName, path, snapshot] = [args.id, args.tab_name, args.new_file_path, args.snapshot].map(String)
    if (id === undefined || tabName === undefined || path === undefined || snapshot === undefined)
      throw new Error('args')
    this.diffs.set(id, { id, tabName, path, snapshot, state: 'pending' })
    return 'opened'
  }

  #close(args: Args): string {
    const diff = this.diffs.get(String(args.id))
    if (diff === undefined) return 'gone'
    if (diff.state === args.state) this.diffs.delete(diff.id)
    return diff.state
  }

  #adopt(): unknown[] {
    for (const diff of [...this.diffs.values()]) {
      if (diff.state !== 'pending') continue
      this.diffs.delete(diff.id)
      rmSync(dirname(diff.snapshot), { recursive: true })
    }
    return [...this.diffs.values()].map(({ id, tabName, path, snapshot }) => ({
      id,
      tab_name: tabName,
      old_file_path: path,
      new_file_path: path,
      snapshot,
      is_written: false,
    }))
  }
}

/** Whether this process waits for its disk. */
function readsOrWritesFiles(): boolean {
  return process.getActiveResourcesInfo().some(name => name.startsWith('FSReq') || name === 'CloseReq')
}
