// :ClaudeCodeAutoAccept: for a while the user lets Claude's proposals through without a look.
import { z } from 'zod'
import type { Disposable } from '../base/disposable.ts'
import { inBackground, type Log } from '../base/log.ts'
import type { Client } from '../ide/client.ts'
import { type Editor, nothing } from '../neovim/editor.ts'
import { ignoreGone, type Notices } from '../neovim/notices.ts'

/** What the command takes; empty: it says what is so. */
export const AutoAcceptWord = z.enum(['on', 'off', 'toggle', ''])

/** What it works with. */
export interface AutoAcceptOptions {
  editor: Editor
  notices: Notices
  /** The Claudes that are connected. */
  clients: () => readonly Client[]
  log: Log
}

/**
 * Who is let through: those who were connected when the user said so, each until its connection ends. A Claude that
 * comes later, also one that comes back, is reviewed.
 */
export class AutoAccept implements Disposable {
  readonly #options: AutoAcceptOptions
  readonly #clients = new Set<Client>()
  readonly #listening: Disposable

  constructor(options: AutoAcceptOptions) {
    this.#options = options
    this.#listening = options.editor.on('autoAccept', z.object({ word: AutoAcceptWord }), ({ word }) => this.set(word))
  }

  /** Whether what this client proposes is accepted without a look. */
  isOnFor(client: Client | undefined): boolean {
    return client !== undefined && this.#clients.has(client)
  }

  /** Carries the command out, and tells the user what is so now. */
  set(word: z.output<typeof AutoAcceptWord>): void {
    const { clients, notices } = this.#options
    const isWanted = word === 'toggle' ? this.#clients.size === 0 : word === 'on'
    if (word !== '') {
      this.#clients.clear()
      if (isWanted) for (const client of clients()) this.#clients.add(client)
      this.#report()
    }
    if (this.#clients.size > 0) {
      notices.info('auto-accept is on until this Claude ends: what it proposes is accepted without a review')
    } else if (isWanted) {
      notices.warn('auto-accept stays off: no Claude is connected')
    } else {
      notices.info('auto-accept is off')
    }
  }

  /** A connection has ended, and what the user allowed it with it. */
  clientGone(client: Client): void {
    if (!this.#clients.delete(client) || this.#clients.size > 0) return
    this.#report()
    this.#options.notices.info('auto-accept is off: that Claude has ended')
  }

  dispose(): void | Promise<void> {
    return this.#listening.dispose()
  }

  #report(): void {
    const { editor, log } = this.#options
    const call = editor.call('status.set', { auto_accept: this.#clients.size > 0 }, nothing)
    inBackground(log, ignoreGone(call), 'reporting auto-accept')
  }
}
