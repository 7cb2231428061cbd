// Running code is the user's decision: they see it, and say yes or no.
import { z } from 'zod'
import { createDeferred, type Deferred } from '../base/deferred.ts'
import { DisposableStack } from '../base/disposable.ts'
import { inBackground, type Log } from '../base/log.ts'
import { createTurns } from '../base/turns.ts'
import { type Editor, isRefusal, nothing } from '../neovim/editor.ts'
import { EditorGoneError } from '../neovim/transport.ts'
import { EditorBusyError, type Watchdog } from '../neovim/watchdog.ts'

/** What is asked. */
export interface CodeQuestion {
  code: string
  /** One line each. */
  title: string
  note: string
}

const Answer = z.object({ id: z.int(), runs: z.boolean() })

/** Asks the user, one question at a time. */
export class Consent {
  readonly #editor: Watchdog
  readonly #log: Log
  readonly #parts = new DisposableStack()
  readonly #asked = new Map<number, Deferred<boolean>>()
  readonly #inTurn = createTurns()
  #lastId = 0

  constructor(editor: Watchdog, events: Pick<Editor, 'on'>, log: Log) {
    this.#editor = editor
    this.#log = log
    this.#parts.add(events.on('codeAnswer', Answer, ({ id, runs }) => this.#asked.get(id)?.resolve(runs)))
  }

  /**
   * Shows the code and waits for the user's answer, however long that takes.
   * @param isNeeded asked when it is this question's turn: an earlier answer may have said enough.
   * @throws {EditorBusyError} it can't be shown. @throws the reason of the signal, once that is aborted.
   */
  ask(question: CodeQuestion, isNeeded: () => boolean, signal: AbortSignal): Promise<boolean> {
    return this.#inTurn(async () => !isNeeded() || (await this.#askNow(question, signal)))
  }

  dispose(): Promise<void> {
    return this.#parts.dispose()
  }

  async #askNow(question: CodeQuestion, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted()
    this.#lastId += 1
    const id = this.#lastId
    const answer = createDeferred<boolean>()
    this.#asked.set(id, answer)
    const onAbort = () => {
      answer.reject(signal.reason)
      inBackground(this.#log, this.#dismiss(id), 'taking back a question')
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      await this.#editor.call('jupyter.ask', { id, ...question }, nothing, { signal })
      return await answer.promise
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#asked.delete(id)
    }
  }

  async #dismiss(id: number): Promise<void> {
    try {
      await this.#editor.call('jupyter.dismiss', { id }, nothing, { signal: new AbortController().signal })
    } catch (error) {
      const isExpected = error instanceof EditorBusyError || error instanceof EditorGoneError
      if (!isExpected && !isRefusal(error)) throw error
    }
  }
}
