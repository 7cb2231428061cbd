// A Neovim that tracks its selection, and a Claude that is told of it.
import type { Selection } from '../../src/selection/encode.ts'
import { atTestEnd } from './at-test-end.ts'
import { type ClaudeClient, connectThroughLockFile, readLockFiles } from './claude-client.ts'
import { type NeovimOptions, startNeovim, type TestNeovim } from './neovim.ts'

export interface SelectionOptions extends Omit<NeovimOptions, 'init'> {
  /** The Lua table for setup(), as written. */
  setup?: string
  /** More Lua for init.lua, before setup(). */
  init?: string
}

/** Starts Neovim with the plugin, and waits until its server can be connected to and the selection is tracked. */
export async function startTracking(options: SelectionOptions = {}): Promise<Tracking> {
  const { setup = '{}', init = '', ...rest } = options
  const nvim = await startNeovim({ ...rest, init: `${init}\nrequire('claudecode').setup(${setup})` })
  const tracking = new Tracking(nvim, !/track_selection\s*=\s*false/.test(setup))
  await nvim.waitFor(async () => (await readLockFiles(nvim.configDir)).size === 1, 'the lock file')
  if (tracking.isTracking) await tracking.waitUntilTracked()
  return tracking
}

/** Longer than the pause between two notifications and 'visual_demotion_delay_ms' together. */
const quietMs = 150

/** The two sides of a test: what the user does, and what Claude hears. */
export class Tracking {
  readonly nvim: TestNeovim
  readonly isTracking: boolean

  constructor(nvim: TestNeovim, isTracking: boolean) {
    this.nvim = nvim
    this.isTracking = isTracking
  }

  async waitUntilTracked(): Promise<void> {
    await this.nvim.waitFor(`vim.fn.exists('#ClaudeCodeSelection#CursorMoved') == 1`, 'the selection to be tracked')
  }

  /** A new Claude, which ends with the test. */
  async connect(): Promise<Listener> {
    const claude = await connectThroughLockFile(this.nvim.configDir)
    await atTestEnd(() => claude.close())
    return new Listener(this.nvim, claude)
  }

  /** Opens a file of the project and puts the cursor at its start. */
  async edit(name: string): Promise<void> {
    await this.nvim.lua('vim.cmd.edit(vim.fn.fnameescape(...)) vim.fn.cursor(1, 1)', name)
  }

  /** Lets so much of Neovim's own time pass that every timer of the tracking has run. */
  async letTimePass(ms = quietMs): Promise<void> {
    const now = await this.nvim.lua<number>('vim.uv.update_time() return vim.uv.now()')
    await this.nvim.waitFor(`vim.uv.now() >= ${now + ms}`, `${ms} ms to pass`)
  }
}

/** A Claude that listens to the selection. */
export class Listener {
  readonly claude: ClaudeClient
  readonly #nvim: TestNeovim
  #read = 0

  constructor(nvim: TestNeovim, claude: ClaudeClient) {
    this.#nvim = nvim
    this.claude = claude
  }

  /** All that it was told of the selection so far. */
  get told(): Selection[] {
    return this.claude.notifications
      .filter(one => one.method === 'selection_changed')
      .map(one => one.params as unknown as Selection)
  }

  /** Waits until the newest selection that it was told is that one, in the notation of `show`. Returns it. */
  async hears(wanted: string, isLike: (selection: Selection) => boolean = () => true): Promise<Selection> {
    try {
      return await this.#nvim.waitFor(() => {
        const newest = this.told.at(-1)
        return newest && show(newest) === wanted && isLike(newest) ? newest : undefined
      }, wanted)
    } catch (error) {
      throw new Error(`Told last: ${this.told.slice(-3).map(show).join(', ')}`, { cause: error })
    }
  }

  /** Waits until it was told twice, as every new client is: what comes after that is news. */
  async isGreeted(): Promise<void> {
    await this.#nvim.waitFor(() => this.told.length >= 2, 'both greetings')
  }

  /** What it was told since the last call, in the notation of `show`. */
  news(): string[] {
    const { told } = this
    const news = told.slice(this.#read).map(show)
    this.#read = told.length
    return news
  }

  /** What a tool answers, as the JSON in it. */
  async asks(tool: 'getCurrentSelection' | 'getLatestSelection'): Promise<Record<string, unknown>> {
    const { content } = await this.claude.callTool(tool)
    return JSON.parse(content[0]?.text ?? '')
  }
}

/** `start-end "text"` with `line:character` for both, or `cursor line:character`: a selection at one glance. */
export function show({ selection: { start, end, isEmpty }, text }: Selection): string {
  const range = `${start.line}:${start.character}-${end.line}:${end.character}`
  return isEmpty ? `cursor ${start.line}:${start.character}` : `${range} ${JSON.stringify(text)}`
}
