// The kernel of one notebook: started on first use, asked by one after the other, replaced when it is gone.
import type { Clock } from '../base/clock.ts'
import { createDeferred, type Deferred } from '../base/deferred.ts'
import { UserError } from '../base/errors.ts'
import type { ToolContent } from '../ide/tool.ts'
import { abortable } from './abortable.ts'
import type { Kernel } from './kernel.ts'

/** Cancelled code is interrupted; some catches that, or is in the middle of C code. */
const stubbornMs = 5000
const restartGraceMs = 2000 // for `atexit` functions of the code
const quitGraceMs = 150 // the whole host has 400 ms to end

const newKernelNote = '[The kernel had ended. This ran in a new one: the variables of before are gone.]'

/** The kernel of one notebook, whether it runs or not. */
export class NotebookKernel {
  readonly #start: (signal: AbortSignal) => Promise<Kernel>
  readonly #clock: Clock
  #kernel: Promise<Kernel> | undefined
  #current: Kernel | undefined
  #life = new AbortController()
  #turn: Deferred<void> | undefined
  #lostKernel = false

  /** @param start starts a kernel; its signal says that nobody wants it any more. */
  constructor(start: (signal: AbortSignal) => Promise<Kernel>, clock: Clock) {
    this.#start = start
    this.#clock = clock
  }

  /** Whether there is a kernel, or one on its way. */
  get hasKernel(): boolean {
    return this.#kernel !== undefined
  }

  /**
   * Runs code when all before it is done.
   * @throws {UserError} there is no kernel, it died, or is still busy with code that was cancelled.
   * @throws the reason of the signal, once that is aborted; the code is interrupted then.
   */
  async run(code: string, signal: AbortSignal): Promise<ToolContent[]> {
    const before = this.#turn
    const turn = createDeferred<void>()
    this.#turn = turn
    try {
      await before?.promise
      signal.throwIfAborted()
      const kernel = await abortable(this.#startOnce(), signal)
      await this.#waitUntilFree(kernel, signal)
      const hadLost = this.#lostKernel
      this.#lostKernel = false
      const content = await kernel.execute(code, signal)
      return hadLost ? [{ type: 'text', text: newKernelNote }, ...content] : content
    } finally {
      turn.resolve()
      if (this.#turn === turn) this.#turn = undefined
    }
  }

  /** Interrupts what runs. Returns whether anything did. */
  interrupt(): boolean {
    if (this.#current?.isBusy !== true) return false
    this.#current.interrupt()
    return true
  }

  /**
   * Ends the kernel and starts another one.
   * @throws {UserError} it can't be started.
   */
  async restart(): Promise<void> {
    await this.#end(restartGraceMs)
    await this.#startOnce()
  }

  /** Ends the kernel, if there is one. */
  async dispose(): Promise<void> {
    await this.#end(quitGraceMs)
  }

  #startOnce(): Promise<Kernel> {
    if (this.#current?.hasEnded === true) {
      this.#forget()
      this.#lostKernel = true
    }
    if (this.#kernel === undefined) {
      const life = this.#life
      const starting = this.#start(life.signal)
      this.#kernel = starting
      starting.then(
        kernel => {
          if (this.#kernel === starting) this.#current = kernel // else `#end` ends it, too
        },
        () => {
          if (this.#kernel === starting) this.#forget() // the next one may have more luck: a package was installed
        },
      )
    }
    return this.#kernel
  }

  async #end(graceMs: number): Promise<void> {
    const kernel = this.#kernel
    this.#life.abort(new UserError('The kernel was restarted'))
    this.#life = new AbortController()
    this.#forget()
    this.#lostKernel = false
    await kernel?.then(
      running => running.end(graceMs),
      () => undefined, // it had not started, and whoever waited for it knows
    )
  }

  #forget(): void {
    this.#kernel = undefined
    this.#current = undefined
  }

  async #waitUntilFree(kernel: Kernel, signal: AbortSignal): Promise<void> {
    if (!kernel.isBusy) return
    const late = new Promise<void>(resolve => this.#clock.after(stubbornMs, resolve))
    await abortable(Promise.race([kernel.idle(), late]), signal)
    if (kernel.isBusy) {
      throw new UserError(
        'The kernel is still busy with code that was cancelled. :ClaudeCodeKernelInterrupt tries again, :ClaudeCodeKernelRestart starts it anew',
      )
    }
  }
}
