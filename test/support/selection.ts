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
  await nvim.waitFor(async () => (await readLockFiles(nvim.configDir)).size === 1, 'the lock file')
  if (!/track_selection\s*=\s*false/.test(setup)) await nvim.waitFor(isTracking, 'the selection to be tracked')
  return new Tracking(nvim)
}

const isTracking = `(vim.fn.exists('#ClaudeCodeSelection#CursorMoved') == 1)`

/** The two sides of a test: what the user does, and what Claude hears. */
export class Tracking {
  readonly nvim: TestNeovim

  constructor(nvim: TestNeovim) {
    this.nvim = nvim
  }

  /** A new Claude, which ends with the test. */
  async connect(): Promise<ClaudeClient> {
    const claude = await connectThroughLockFile(this.nvim.configDir)
    await atTestEnd(() => claude.close())
    return claude
  }
}

/** All that a Claude was told of the selection, the newest at the end. */
export function selectionsOf(claude: ClaudeClient): Selection[] {
  return claude.notifications
    .filter(one => one.method === 'selection_changed')
    .map(one => one.params as unknown as Selection)
}

/** Waits until the newest selection that a Claude was told is like that, and returns it. */
export async function waitForSelection(
  { nvim }: Tracking,
  claude: ClaudeClient,
  isLike: (selection: Selection) => boolean,
  what: string,
): Promise<Selection> {
  try {
    return await nvim.waitFor(() => {
      const newest = selectionsOf(claude).at(-1)
      return newest && isLike(newest) ? newest : undefined
    }, what)
  } catch (error) {
    throw new Error(`Told last: ${selectionsOf(claude).slice(-3).map(show).join(', ')}`, { cause: error })
  }
}

/** `line:character-line:character "text"`, to compare a selection at one glance. */
export function show({ selection: { start, end, isEmpty }, text }: Selection): string {
  const range = `${start.line}:${start.character}-${end.line}:${end.character}`
  return isEmpty ? `cursor ${start.line}:${start.character}` : `${range} ${JSON.stringify(text)}`
}
