// One kernel: started, asked to run code one piece after the other, interrupted, ended.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import { createDeferred, type Deferred } from '../base/deferred.ts'
import { hasErrorCode, UserError } from '../base/errors.ts'
import { inBackground, type Log } from '../base/log.ts'
import type { ToolContent } from '../ide/tool.ts'
import { abortable } from './abortable.ts'
import { type Arrival, type Channels, openChannels } from './channels.ts'
import { type Connection, createConnection, type Transport } from './connection.ts'
import type { Environment } from './jupyter-folders.ts'
import { type KernelProcess, startKernelProcess } from './kernel-process.ts'
import { installHint, type KernelSpec, kernelCommand, kernelEnvironment } from './kernel-spec.ts'
import { loadZeroMq } from './load-zeromq.ts'
import { Outputs } from './outputs.ts'

const startMs = 60_000 // Python with a cold disk cache on a busy machine
const helloEveryMs = 500 // a kernel hears nothing before it listens, and drops what nobody listened to
const lastWordsMs = 2000 // between a kernel's reply and the end of its output, which come on two channels
const interruptEveryMs = 1000 // an interrupt is lost between two steps of a kernel
const mostInterrupts = 3

/** How to start one. */
export interface KernelOptions {
  spec: KernelSpec
  /** The folder that the code runs in. */
  cwd: string
  env: Environment
  log: Log
  clock: Clock
  /** Default: `ipc` for ipykernel, where the system has it. */
  transport?: Transport
  /** Nobody waits for the start any more. */
  signal?: AbortSignal
}

const Status = z.looseObject({ execution_state: z.string() })

interface Execution {
  id: string
  outputs: Outputs
  isReplied: boolean
  finished: Deferred<void>
}

/** A running kernel. */
export class Kernel {
  readonly spec: KernelSpec
  readonly #options: KernelOptions
  readonly #process: KernelProcess
  readonly #connection: Connection
  readonly #channels: Channels
  #running: Execution | undefined
  #isEnding = false

  /**
   * Starts a kernel and waits until it answers.
   * @throws {UserError} it can't be started, or ends at once; the sentence has its own words.
   */
  static async start(options: KernelOptions): Promise<Kernel> {
    const { spec, cwd, env, log } = options
    const zmq = await loadZeroMq()
    const connection = await createConnection(options.transport ?? transportFor(spec))
    try {
      const argv = kernelCommand(spec, connection.file, env)
      log.info(`starting the kernel "${spec.name}": ${argv[0]}`)
      const kernelProcess = await startKernelProcess({
        argv,
        cwd,
        env: { ...env, ...kernelEnvironment(spec, env) },
        connectionFile: connection.file,
      }).catch(error => {
        if (!hasErrorCode(error, 'ENOENT', 'EACCES', 'ENOTDIR')) throw error
        throw new UserError(`The kernel "${spec.name}" can't be started: ${argv[0]} is not there. ${installHint}`)
      })
      const kernel = new Kernel(options, kernelProcess, connection, openChannels(zmq, connection, randomUUID(), log))
      await kernel.#waitUntilReady()
      return kernel
    } catch (error) {
      await connection.remove()
      throw error
    }
  }

  private constructor(options: KernelOptions, process: KernelProcess, connection: Connection, channels: Channels) {
    this.spec = options.spec
    this.#options = options
    this.#process = process
    this.#connection = connection
    this.#channels = channels
    channels.arrived(arrival => this.#receive(arrival))
    inBackground(
      options.log,
      process.ended.then(end => this.#onEnded(end)),
      'the end of a kernel',
    )
  }

  /** Whether its process has ended, by itself or by us. */
  get hasEnded(): boolean {
    return this.#process.hasEnded
  }

  /** The number of its process. */
  get processId(): number {
    return this.#process.pid
  }

  /** Whether code runs, also such as nobody waits for any more. */
  get isBusy(): boolean {
    return this.#running !== undefined
  }

  /** Resolves when no code runs. */
  async idle(): Promise<void> {
    await this.#running?.finished.promise.catch(() => undefined)
  }

  /**
   * Runs code and waits for what it puts out. Aborting the signal interrupts it. Only for a kernel that is not busy.
   * @throws {UserError} the kernel ended. @throws the reason of the signal.
   */
  async execute(code: string, signal: AbortSignal): Promise<ToolContent[]> {
    signal.throwIfAborted()
    if (this.#running !== undefined) throw new Error('the kernel is busy')
    const id = this.#channels.request('shell', 'execute_request', {
      code,
      silent: false,
      store_history: false, // IPython's history file is the user's own, and outlives the kernel
      user_expressions: {},
      allow_stdin: false, // there is nobody to ask: input() raises an exception that says so
      stop_on_error: true,
    })
    const execution: Execution = { id, outputs: new Outputs(), isReplied: false, finished: createDeferred() }
    this.#running = execution
    const onAbort = () => this.interrupt()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      await abortable(execution.finished.promise, signal)
      return execution.outputs.content()
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Interrupts what runs; it ends with a KeyboardInterrupt. Resolves at once. */
  interrupt(): void {
    this.#running?.outputs.interrupted()
    this.#interruptAgain(this.#running, mostInterrupts)
  }

  /** Ends the kernel, politely for at most `graceMs`. */
  async end(graceMs: number): Promise<void> {
    this.#isEnding = true
    if (!this.hasEnded) {
      this.#channels.request('control', 'shutdown_request', { restart: false })
      await Promise.race([this.#process.ended, this.#after(graceMs)])
      this.#process.kill()
      await this.#process.ended
    }
    this.#channels.close()
    await this.#connection.remove()
  }

  async #waitUntilReady(): Promise<void> {
    const { log, signal } = this.#options
    const seen = new Set<Arrival['channel']>()
    const ready = createDeferred<void>()
    const listening = this.#channels.arrived(({ channel }) => {
      seen.add(channel)
      if (seen.has('shell') && seen.has('iopub')) ready.resolve()
    })
    const sayHello = () => this.#channels.request('shell', 'kernel_info_request', {})
    sayHello()
    const hellos = this.#options.clock.every(helloEveryMs, sayHello)
    try {
      const late = this.#after(startMs).then(() => `no answer within ${startMs / 1000} s`)
      const outcome = await abortable(Promise.race([ready.promise, this.#process.ended, late]), signal)
      if (outcome === undefined) return log.info(`the kernel "${this.spec.name}" runs as process ${this.processId}`)
      const said = this.#process.output()
      log.warn(`the kernel "${this.spec.name}" did not start (${outcome}): ${said}`)
      throw new UserError(describeFailedStart(this.spec, outcome, said))
    } catch (error) {
      await this.end(0)
      throw error
    } finally {
      hellos.dispose()
      listening.dispose()
    }
  }

  #receive({ channel, message }: Arrival): void {
    const execution = this.#running
    if (execution === undefined || message.parent !== execution.id) return
    if (channel === 'shell') {
      if (message.type !== 'execute_reply') return
      execution.isReplied = true
      this.#options.clock.after(lastWordsMs, () => this.#finish(execution))
    } else if (message.type !== 'status') {
      execution.outputs.add(message.type, message.content)
    } else if (Status.parse(message.content).execution_state === 'idle') {
      this.#finish(execution)
    }
  }

  #finish(execution: Execution): void {
    if (this.#running === execution) this.#running = undefined
    execution.finished.resolve()
  }

  #onEnded(end: string): void {
    const execution = this.#running
    this.#running = undefined
    if (this.#isEnding) {
      execution?.finished.reject(new UserError('The kernel was restarted while the code ran'))
      return
    }
    this.#options.log.warn(`the kernel "${this.spec.name}" ended (${end}): ${this.#process.output()}`)
    execution?.finished.reject(new UserError(`The kernel died while the code ran (${end}). All variables are lost`))
    this.#channels.close()
    inBackground(this.#options.log, this.#connection.remove(), 'removing a connection file')
  }

  #interruptAgain(execution: Execution | undefined, times: number): void {
    if (execution === undefined || this.#running !== execution || times === 0) return
    if (this.spec.interruptMode === 'message') this.#channels.request('control', 'interrupt_request', {})
    else this.#process.interrupt()
    this.#options.clock.after(interruptEveryMs, () => this.#interruptAgain(execution, times - 1))
  }

  #after(ms: number): Promise<void> {
    return new Promise(resolve => this.#options.clock.after(ms, resolve))
  }
}

function transportFor(spec: KernelSpec): Transport {
  const isIpykernel = spec.argv.some(word => word.startsWith('ipykernel'))
  return isIpykernel && process.platform !== 'win32' ? 'ipc' : 'tcp'
}

function describeFailedStart(spec: KernelSpec, end: string, said: string): string {
  if (/No module named '?(ipykernel|IPython)/.test(said)) {
    return `The Python of the kernel "${spec.name}" has no ipykernel. ${installHint}`
  }
  const lastLine = said.split('\n').at(-1) ?? ''
  return `The kernel "${spec.name}" did not start (${end})${lastLine === '' ? '' : `: ${lastLine.slice(0, 200)}`}`
}
