// Two Claudes in one Neovim, each in a folder of its own, and what the windows show of them.
import { expect } from 'vitest'
import { type FakeRun, type FakeSetup, startWithFakeClaude } from './fake-claude.ts'

/** The files of the project: a folder for each Claude. */
export const files = { 'api/a.txt': 'one\n', 'web/b.txt': 'two\n', 'top.txt': 'top\n' }

/** `name:width` of the windows of this tab page, left to right; Claudes are called by their folder, and `*` is where the user is. */
export function windows({ nvim }: FakeSetup): Promise<string[]> {
  return nvim.lua(`
    local list = {}
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local buf = vim.api.nvim_win_get_buf(win)
      local session = require('claudecode.terminal.sessions').of_buffer(buf)
      local name = session and session.name or vim.fs.basename(vim.api.nvim_buf_get_name(buf))
      local here = win == vim.api.nvim_get_current_win() and '*' or ''
      list[#list + 1] = here .. name .. ':' .. vim.api.nvim_win_get_width(win)
    end
    return list`)
}

/** Waits until the windows are as `windows` tells. */
export async function waitForWindows(setup: FakeSetup, ...expected: string[]): Promise<void> {
  let last: string[] = []
  const look = async () => {
    last = await windows(setup)
    return last.join() === expected.join()
  }
  await setup.nvim.waitFor(look, `the windows to be ${expected}`, 5000).catch(error => {
    expect(last, String(error).slice(-800)).toEqual(expected)
  })
}

/** The names of the sessions that run, the oldest first. */
export const names = ({ nvim }: FakeSetup) =>
  nvim.lua<string[]>(`return vim.tbl_map(function(session) return session.name end,
    require('claudecode.terminal.sessions').all())`)

/**
 * Two Claudes: `api` and `web`, each in its folder. The user is in the terminal of `web`, but for Claudes that run outside of
 * Neovim (`isOutside`).
 */
export async function startTwo({
  isOutside = false,
  ...options
}: Parameters<typeof startWithFakeClaude>[0] & { isOutside?: boolean } = {}) {
  const setup = await startWithFakeClaude({ files, args: ['top.txt'], ...options })
  const { nvim } = setup
  async function open(count: number): Promise<FakeRun> {
    await nvim.feed(':ClaudeCode<CR>')
    const run = await setup.waitForRun(count)
    await nvim.waitFor(`#require('claudecode.terminal.sessions').all() == ${count}`, `${count} Claudes`)
    if (!isOutside) await nvim.waitFor("vim.fn.mode() == 't'", 'its terminal')
    return run
  }
  await nvim.feed(':cd api<CR>')
  const api = await open(1)
  await nvim.feed('<C-Bslash><C-n>:tabfirst | wincmd t | cd ../web<CR>')
  const web = await open(2)
  return { setup, nvim, api, web }
}

/** What was typed into a run. */
export async function typed(setup: FakeSetup, run: FakeRun): Promise<string> {
  return (await setup.typed(run)).toString()
}

/** Waits until `:ClaudeCodeSessions` shows these states, and leaves the list. */
export async function waitForStates({ nvim }: FakeSetup, ...states: string[]): Promise<void> {
  await nvim.lua(`Select = Select or vim.ui.select
    vim.ui.select = function(rows, options) Rows = vim.tbl_map(options.format_item, rows) end`)
  await nvim.waitFor(async () => {
    await nvim.lua('Rows = nil require("claudecode.commands.session_list").run("", "go")')
    const rows = await nvim.waitFor<string[]>('Rows or nil', 'the list')
    return states.every((state, i) => rows[i]?.includes(`  ${state}`)) && rows.length === states.length
  }, `the states ${states}`)
  await nvim.lua('vim.ui.select = Select')
}
