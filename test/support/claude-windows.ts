// Claude's window among the user's, as tests look at it.
import { expect } from 'vitest'
import { type FakeSetup, startClaude as startFakeClaude } from './fake-claude.ts'
import type { TestNeovim } from './neovim.ts'

/** The files of such a test. */
export const files = { 'a.txt': 'one\n', 'b.txt': 'two\n' }

/** `name:width` of the windows of this tab page, left to right; Claude's is `claude`, and `*` is where the user is. */
export function windows(nvim: TestNeovim): Promise<string[]> {
  return nvim.lua(`
    local list = {}
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local buf = vim.api.nvim_win_get_buf(win)
      local name = vim.bo[buf].filetype == 'claudecode' and 'claude' or vim.fs.basename(vim.api.nvim_buf_get_name(buf))
      local here = win == vim.api.nvim_get_current_win() and '*' or ''
      list[#list + 1] = here .. name .. ':' .. vim.api.nvim_win_get_width(win)
    end
    return list`)
}

/** Waits until the windows of this tab page are these, as `windows` shows them. */
export async function waitForWindows(nvim: TestNeovim, expected: string[]): Promise<void> {
  let last: string[] = []
  await nvim
    .waitFor(
      async () => {
        last = await windows(nvim)
        return last.join() === expected.join()
      },
      `the windows to be ${expected}`,
      5000,
    )
    .catch(error => {
      expect(last, String(error).slice(-800)).toEqual(expected)
    })
}

/** A Neovim with the user in Claude's window, the files a.txt and b.txt, and a.txt open. */
export async function startClaude(options: Parameters<typeof startFakeClaude>[0] = {}): Promise<FakeSetup> {
  const { setup } = await startFakeClaude({ files, ...options })
  return setup
}
