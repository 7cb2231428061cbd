// What tools answered before, for the time when Neovim answers nobody.

import type { Clock } from '../base/clock.ts'
import type { Event } from '../base/emitter.ts'
import { type ToolResult, textResult } from '../ide/tool.ts'
import { EditorBusyError, type Patience } from '../neovim/watchdog.ts'

/** Claude gives the first of its own two calls of getDiagnostics 500 ms, the second 2 s (2.1.332). */
const patienceWithAnswer = { forMs: 1000, forKeyMs: 200 }
const longestMemory = 100 // answers; files that an agent works on at a time are fewer

/** The last answers to the questions of one tool. */
export class LastKnown {
  readonly #clock: Clock
  readonly #answers = new Map<string, { result: ToolResult; at: number }>()
  #generation = 0

  /** `privacyChanged`: what was answered before may be private by now. */
  constructor(clock: Clock, privacyChanged: Event<void>) {
    this.#clock = clock
    privacyChanged(() => {
      this.#generation += 1
      this.#answers.clear()
    })
  }

  /**
   * Answers with `ask`, or, when Neovim answers nobody, with the last answer to the same question and a note. Without
   * such an answer the wait is longer and ends with the error.
   */
  async answer(
    question: string,
    signal: AbortSignal,
    ask: (patience: Patience) => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const known = this.#answers.get(question)
    const generation = this.#generation
    try {
      const result = await ask(known === undefined ? { signal } : { signal, ...patienceWithAnswer })
      if (generation === this.#generation) this.#remember(question, result)
      return result
    } catch (error) {
      if (known === undefined || generation !== this.#generation || !(error instanceof EditorBusyError)) throw error
      const age = Math.round((this.#clock.now() - known.at) / 1000)
      const note = textResult(`This is what was known ${age} s ago. ${error.message}`)
      return { ...known.result, content: [...known.result.content, ...note.content] }
    }
  }

  #remember(question: string, result: ToolResult): void {
    this.#answers.delete(question)
    this.#answers.set(question, { result, at: this.#clock.now() })
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > longestMemory && oldest !== undefined) this.#answers.delete(oldest)
  }
}
