// A real Neovim for a test: started as a user starts it, with a screen, and driven with keys.
import { setTimeout as pause } from 'node:timers/promises'
import { connectNeovim } from '../../src/neovim/transport.ts'
import { atTestEnd } from './at-test-end.ts'
import { EditorBlockedError, EditorCalls } from './editor-calls.ts'
import { type Exit, type Launch, launchNeovim, type NeovimProcess } from './neovim-process.ts'
import { makePlaces, type Places } from './places.ts'
import { hostsOf } from './processes.ts'
import { Screen, type ScreenCell } from './screen.ts'
import type { Files } from './temporary-folder.ts'
import { type NotYet, waitFor } from './wait-for.ts'

export interface NeovimOptions {
  /** Lua for init.lua, such as `require('claudecode').setup {}`, after the line that puts this plugin on 'runtimepath'. */
  init?: string
  /** False leaves that line out. */
  plugin?: boolean
  /** More arguments for `nvim`, such as the name of a file. */
  args?: readonly string[]
  /** The project's files, by their path in the project folder, which is the working folder. */
  files?: Files
  /** More environment. */
  env?: Readonly<Record<string, string>>
  /** Folders made before (`makePlaces`), for two Neovims of one user. They outlive this Neovim. */
  places?: Places
  columns?: number
  rows?: number
  /** True: permissions of files count, also when the tests run as root. */
  mereUser?: boolean
}

/** Twenty at once share two cores, and the first ones come from a cold disk. */
const START_PATIENCE_MS = 40_000
const EXIT_PATIENCE_MS = 3_000
/** A Neovim that hangs must not make its own report hang. */
const REPORT_PATIENCE_MS = 1_000

/**
 * Starts Neovim and waits until it has read its configuration. At the end of the test it is ended by itself.
 *
 * @example
 * const nvim = await startNeovim({ files: { 'a.txt': 'one\n' }, args: ['a.txt'] })
 * await nvim.feed('Gotwo<Esc>')
 * expect(nvim.screen().slice(0, 2)).toEqual(['one', 'two'])
 */
export async function startNeovim(options: NeovimOptions = {}): Promise<TestNeovim> {
  const places = options.places ?? (await makePlaces(options.files))
  const { init = '', plugin = true, args = [], env = {}, mereUser = false } = options
  const nvim = await TestNeovim.launch(places, { init, plugin, args, env, mereUser }, options.places === undefined)
  await atTestEnd(() => nvim.close())
  try {
    await nvim.attach(options.columns ?? 160, options.rows ?? 45)
  } catch (error) {
    await nvim.close()
    throw error
  }
  return nvim
}

/** A running Neovim. Calls are refused with an EditorBlockedError while it waits for a key; see {@link EditorCalls}. */
export class TestNeovim {
  /** Resolves when the process has ended. */
  readonly exited: Promise<Exit>
  readonly pid: number
  /** The project folder, where Neovim was started. */
  readonly folder: string
  readonly home: string
  /** `CLAUDE_CONFIG_DIR` */
  readonly configDir: string
  readonly places: Places
  readonly #process: NeovimProcess
  readonly #ownsPlaces: boolean
  readonly #screen = new Screen()
  readonly #calls: EditorCalls
  /** What a listener of the harness threw: a bug of the harness, told at close. */
  readonly #errors: unknown[] = []

  private constructor(process: NeovimProcess, places: Places, ownsPlaces: boolean) {
    this.#process = process
    this.#ownsPlaces = ownsPlaces
    this.places = places
    this.exited = process.exited
    this.pid = process.pid
    this.folder = places.folder
    this.home = places.home
    this.configDir = places.configDir
    const { stdout, stdin } = process.child
    const client = connectNeovim(stdout, stdin, { onError: error => this.#errors.push(error), onEnd: () => {} })
    client.on('notification', (method: string, events: unknown[]) => {
      if (method === 'redraw') this.#screen.redraw(events)
    })
    this.#calls = new EditorCalls(client, process.hasExited)
  }

  static async launch(places: Places, launch: Launch, ownsPlaces: boolean): Promise<TestNeovim> {
    return new TestNeovim(await launchNeovim(places, launch), places, ownsPlaces)
  }

  /** Attaches the user interface, on which Neovim starts up, and waits until it is through. */
  async attach(columns: number, rows: number): Promise<void> {
    await this.#calls.attachScreen(columns, rows)
    await this.waitFor('vim.v.vim_did_enter == 1', 'Neovim to have started', START_PATIENCE_MS)
  }

  /** Calls an API function. Strings in the answer that are not UTF-8 are a Buffer; handles are numbers. */
  request<T = unknown>(method: string, args: readonly unknown[] = []): Promise<T> {
    return this.#calls.request<T>(method, args)
  }

  /** Runs Lua, in which `...` are the arguments. Returns what it returns. */
  lua<T = unknown>(code: string, ...args: unknown[]): Promise<T> {
    return this.#calls.request<T>('nvim_exec_lua', [code, args])
  }

  /** Types keys in the notation of |nvim_input()| (`<lt>` for `<`) without waiting for what they do. */
  input(keys: string): Promise<void> {
    return this.#calls.input(keys)
  }

  /** Types keys and waits until Neovim has carried them out, or waits for one more (`f`, "Press ENTER"). */
  feed(keys: string): Promise<void> {
    return this.#calls.feed(keys)
  }

  /** The mode in which Neovim waits for a key and answers no call, or undefined when it is free. */
  blockedMode(): Promise<string | undefined> {
    return this.#calls.blockedMode()
  }

  /**
   * Waits until a Lua expression is neither nil nor false, or a function returns something (see {@link NotYet}), and returns that.
   * A blocked Neovim counts as "not yet".
   *
   * @param what - completes "Waited 10000 ms for …"; the error also has the screen, the messages and the plugin's log
   */
  waitFor<T>(probe: string | (() => T | Promise<T>), what: string, timeoutMs?: number): Promise<Exclude<T, NotYet>> {
    const ask = async (): Promise<T | NotYet> => {
      if (this.#process.hasExited()) throw new Error(`Neovim has ended, waited for ${what}.\n${await this.report()}`)
      try {
        return await (typeof probe === 'string' ? this.lua<T>(`return ${probe}`) : probe())
      } catch (error) {
        if (error instanceof EditorBlockedError) return undefined
        throw error
      }
    }
    return waitFor(ask, what, {
      report: () => this.report(),
      ...(timeoutMs !== undefined && { timeoutMs }),
    }) as Promise<Exclude<T, NotYet>>
  }

  /** Waits until the screen's text matches, and returns the match. Lines are joined by line breaks. */
  waitForScreen(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray> {
    return this.waitFor(() => pattern.exec(this.screen().join('\n')), `the screen to show ${pattern}`, timeoutMs)
  }

  /**
   * The lines on the screen, without spaces at their ends. After `feed` they show what the keys did; Neovim draws what `lua`,
   * `request` or the plugin did a moment later, so use `waitForScreen` then.
   */
  screen(): string[] {
    return this.#screen.lines()
  }

  /** Text and colours of every cell, row by row. */
  screenCells(): ScreenCell[][] {
    return this.#screen.cells()
  }

  /** Where the cursor is on the screen, 0-based, and the name of the mode for its shape. */
  screenCursor(): { row: number; column: number; mode: string } {
    return { ...this.#screen.cursor(), mode: this.#screen.mode() }
  }

  /** What `:messages` shows. */
  async messages(): Promise<string> {
    const { output } = await this.request<{ output: string }>('nvim_exec2', ['messages', { output: true }])
    return output
  }

  /** The numbers of the host processes of this Neovim that are alive. Empty once Neovim itself has ended. */
  hosts(): number[] {
    return hostsOf(this.pid)
  }

  /** Sends a signal to Neovim's process. */
  kill(signal: NodeJS.Signals): void {
    this.#process.child.kill(signal)
  }

  /** Goes away as a terminal does that is closed: Neovim is left without a user interface. */
  hangUp(): void {
    this.#process.child.stdin.destroy()
    this.#process.child.stdout.destroy()
  }

  /** Ends Neovim, as `:qall!` does if it can, and removes its folders. May be called again. */
  async close(): Promise<void> {
    if (!this.#process.hasExited()) {
      if (!(await this.#quit())) this.kill('SIGTERM')
      if (!(await this.#hasEndedSoon())) this.kill('SIGKILL')
      await this.exited
    }
    if (this.#ownsPlaces) await this.places.remove()
    if (this.#errors.length > 0) throw new AggregateError(this.#errors.splice(0), 'The test harness failed')
  }

  /** Everything that helps to see why a test failed. Works in any state. */
  async report(): Promise<string> {
    const log =
      'return table.concat((package.loaded["claudecode.log"] or { lines = function() return {} end }).lines(), "\\n")'
    return [
      ['screen', this.screen().join('\n').trimEnd()],
      [':messages', await soon(this.messages())],
      ["the plugin's log", await soon(this.lua<string>(log))],
      ["Neovim's stderr", this.#process.stderr()],
    ]
      .map(([title, text]) => `--- ${title} ---\n${text}\n`)
      .join('')
  }

  /** Asks it to quit. Returns whether it did. */
  async #quit(): Promise<boolean> {
    // Refused or broken off: how it ended is seen below.
    this.request('nvim_command', ['qall!']).catch(() => {})
    const refused = this.blockedMode().then(
      mode => mode !== undefined,
      () => false,
    )
    const ended = this.#hasEndedSoon()
    return (await Promise.race([refused, ended.then(() => false)])) ? false : ended
  }

  #hasEndedSoon(): Promise<boolean> {
    return waitFor(() => this.#process.hasExited(), 'Neovim to end', { timeoutMs: EXIT_PATIENCE_MS }).then(
      () => true,
      () => false,
    )
  }
}

function soon(answer: Promise<string>): Promise<string> {
  const late = pause(REPORT_PATIENCE_MS, `(no answer within ${REPORT_PATIENCE_MS} ms)`, { ref: false })
  return Promise.race([answer.catch(String), late])
}
