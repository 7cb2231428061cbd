// Why the user has rejected a proposal, typed into Claude's prompt for them to send.
import { basename } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { inBackground, type Log } from '../base/log.ts'
import type { Client } from '../ide/client.ts'
import type { Notices } from '../neovim/notices.ts'
import type { DiffIdentity } from './diff.ts'

/** The CLI says `close_tab` when it takes a rejection up, and shows its prompt a moment after that (ms). */
const settlingMs = 300
/** A CLI that says nothing is taken to show its prompt after so long (ms). */
const patienceMs = 3000

/** What it works with. */
export interface RejectReasonsOptions {
  /** Types into the prompt of a client, without Enter. Says whether it runs where that can be done. */
  type: (client: Client, text: string) => Promise<boolean>
  notices: Notices
  clock: Clock
  log: Log
}

interface Waiting {
  readonly client: Client
  readonly tabName: string
  readonly newPath: string
  readonly why: string
}

/** Until the CLI has left its own question about the edit, what is typed would be taken for an answer to that. */
export class RejectReasons {
  readonly #options: RejectReasonsOptions
  readonly #waiting = new Map<Waiting, Disposable>()

  constructor(options: RejectReasonsOptions) {
    this.#options = options
  }

  /** The user has rejected a diff, and said why. */
  note({ owner, tabName, newPath }: DiffIdentity, why: string): void {
    if (owner === undefined) this.#tellUntyped(newPath)
    else this.#typeAfter(patienceMs, { client: owner, tabName, newPath, why })
  }

  /** `close_tab` has come. */
  closed(client: Client, tabName: string): void {
    for (const [waiting, timer] of [...this.#waiting]) {
      if (waiting.client !== client || waiting.tabName !== tabName) continue
      void timer.dispose()
      this.#waiting.delete(waiting)
      this.#typeAfter(settlingMs, waiting)
    }
  }

  /** The client has nobody any more who could read it. */
  clientGone(client: Client): void {
    for (const [waiting, timer] of [...this.#waiting]) {
      if (waiting.client !== client) continue
      void timer.dispose()
      this.#waiting.delete(waiting)
      this.#tellUntyped(waiting.newPath)
    }
  }

  #typeAfter(ms: number, waiting: Waiting): void {
    const timer = this.#options.clock.after(ms, () => {
      this.#waiting.delete(waiting)
      inBackground(this.#options.log, this.#type(waiting), 'typing why a proposal is rejected')
    })
    this.#waiting.set(waiting, timer)
  }

  async #type({ client, newPath, why }: Waiting): Promise<void> {
    if (!(await this.#options.type(client, why))) this.#tellUntyped(newPath)
  }

  #tellUntyped(newPath: string): void {
    const name = basename(newPath)
    this.#options.notices.warn(
      `the proposal for ${name} is rejected, but its Claude runs where Neovim can't type: tell it why yourself`,
    )
  }
}
