// A Neovim whose `claude` is a program of the test's (fake-claude.mjs), and what that program tells.
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { atTestEnd } from './at-test-end.ts'
import { type CallResult, type ClaudeClient, connectThroughLockFile } from './claude-client.ts'
import { type NeovimOptions, startNeovim, type TestNeovim } from './neovim.ts'
import { makePlaces, repository } from './places.ts'
import { waitForServer } from './plugin.ts'
import { commandOf, isAlive } from './processes.ts'
import { waitFor } from './wait-for.ts'

/** The program, as an option for `terminal_cmd`. */
export const fakeClaude = join(repository, 'test', 'support', 'fake-claude.mjs')

/** One run of the fake CLI. */
export interface FakeRun {
  pid: number
  /** Without `--settings`. */
  argv: string[]
  /** The value of `--settings`. */
  settings?: string
  env: Record<string, string>
  cwd: string
  startedAt: number
}

/** A Neovim with the plugin set up and the fake CLI called `claude` on its PATH. */
export interface FakeSetup {
  nvim: TestNeovim
  /** Runs of the CLI so far, the oldest first. */
  runs(): Promise<FakeRun[]>
  /** Waits until so many runs have begun, and returns the newest. */
  waitForRun(count?: number): Promise<FakeRun>
  /** What was typed into a run, as bytes. */
  typed(run: FakeRun): Promise<Buffer>
  /** `columns x rows` of a run's terminal: at its start, and after each change. */
  sizes(run: FakeRun): Promise<string[]>
  /** A Claude that connects as the CLI does, that of a run or any; it ends with the test. */
  connect(run?: FakeRun): Promise<ClaudeClient>
}

/** Starts Neovim. `setup` is the Lua table for setup(), as written. */
export async function startWithFakeClaude(
  options: NeovimOptions & { setup?: string; waits?: boolean } = {},
): Promise<FakeSetup> {
  const { setup = '{}', init = '', env = {}, files = {}, waits = true, ...rest } = options
  const places = options.places ?? (await makePlaces(files))
  const records = join(places.base, 'fake')
  const bin = join(places.base, 'bin')
  for (const folder of [records, bin]) await mkdir(folder)
  await symlink(fakeClaude, join(bin, 'claude'))
  await atTestEnd(() => endRuns(records)) // after Neovim's end, by which all but those of the provider `external` have ended
  const nvim = await startNeovim({
    ...rest,
    places,
    init: `${init}\nrequire('claudecode').setup(${setup})`,
    env: { FAKE_CLAUDE_RECORDS: records, PATH: `${bin}:${places.environment.PATH}`, ...env },
  })
  if (waits) await waitForServer(nvim)

  async function runs(): Promise<FakeRun[]> {
    const found: FakeRun[] = []
    for (const pid of await readdir(records)) {
      const text = await readFile(join(records, pid, 'start.json'), 'utf8').catch(() => undefined) // not yet
      if (text !== undefined) found.push({ pid: Number(pid), ...JSON.parse(text) })
    }
    return found.sort((a, b) => a.startedAt - b.startedAt)
  }
  const read = (run: FakeRun, name: string) => readFile(join(records, String(run.pid), name))
  return {
    nvim,
    runs,
    waitForRun: (count = 1) =>
      nvim.waitFor(async () => {
        const all = await runs()
        return all.length >= count && all[count - 1]
      }, `${count} runs of Claude`),
    typed: run => read(run, 'stdin'),
    sizes: async run => (await read(run, 'sizes')).toString().trim().split('\n'),
    async connect(run) {
      const claude = await connectThroughLockFile(nvim.configDir, undefined, run?.pid)
      await atTestEnd(() => claude.close())
      return claude
    },
  }
}

/** Ends what still runs of those who have left a record there. */
async function endRuns(records: string): Promise<void> {
  for (const pid of (await readdir(records)).map(Number)) {
    if (commandOf(pid).some(part => part.startsWith(dirname(records)))) process.kill(pid, 'SIGKILL')
  }
}

/** Waits until a run has ended. */
export async function waitForEnd(run: FakeRun): Promise<void> {
  await waitFor(() => !isAlive(run.pid), `process ${run.pid} to end`)
}

/** Starts Neovim, and Claude in it with `:ClaudeCode`; the user is in its terminal. */
export async function startClaude(options: Parameters<typeof startWithFakeClaude>[0] = {}) {
  const setup = await startWithFakeClaude({
    files: { 'a.txt': 'one\n', 'sub/b.txt': 'two\n' },
    args: ['a.txt'],
    ...options,
  })
  await setup.nvim.feed(':ClaudeCode<CR>')
  const run = await setup.waitForRun()
  await setup.nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
  return { setup, nvim: setup.nvim, run }
}

/** Waits until the user has been told `text`. */
export function waitForMessage({ nvim }: FakeSetup, text: string): Promise<unknown> {
  return nvim.waitFor(async () => (await nvim.messages()).includes(text), `the message "${text}"`)
}

/** Claude proposes a change of the project's `a.txt`, under the name "proposal". Resolves when the user has answered. */
export function proposeChange(claude: ClaudeClient, { nvim }: Pick<FakeSetup, 'nvim'>): Promise<CallResult> {
  const path = join(nvim.folder, 'a.txt')
  return claude.callTool('openDiff', {
    old_file_path: path,
    new_file_path: path,
    new_file_contents: 'ONE\n',
    tab_name: 'proposal',
  })
}
