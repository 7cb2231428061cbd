// The user's own files in Neovim: opening one, and how it looks now.
import type { ClaudeSession } from './claude-session.ts'

/** A file's buffer as the user sees it. */
export interface OpenFile {
  readonly lines: readonly string[]
  readonly modified: boolean
  /** Line (from 1) and column (bytes, from 0) of the cursor in the window that shows the file. */
  readonly cursor: readonly [number, number]
}

/** Opens a file of the project in the window that is not Claude's, with the cursor at `line` and `column` (both from 1). */
export async function edit(session: ClaudeSession, name: string, line = 1, column = 1): Promise<void> {
  await session.nvim.lua(`
    local claude = require('claudecode.terminal').get_active_terminal_bufnr()
    for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      if vim.api.nvim_win_get_buf(window) ~= claude then
        vim.api.nvim_set_current_win(window)
      end
    end
  `)
  await session.nvim.feed(`<C-Bslash><C-n>:edit ${name}<CR>:call cursor(${line}, ${column})<CR>`)
}

/** The buffer of a file of the project that a window shows, when there is one. */
export async function openFile(session: ClaudeSession, name: string): Promise<OpenFile | undefined> {
  const code = `
    local path = ...
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local buffer = vim.api.nvim_win_get_buf(window)
      if vim.api.nvim_buf_get_name(buffer) == path then
        return {
          lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false),
          modified = vim.bo[buffer].modified,
          cursor = vim.api.nvim_win_get_cursor(window),
        }
      end
    end
  `
  return (await session.nvim.lua<OpenFile | null>(code, session.path(name))) ?? undefined
}

/** Waits until the buffer of a file of the project has a line `text`, and returns what the user sees. */
export async function waitForLine(session: ClaudeSession, name: string, text: string): Promise<OpenFile> {
  async function look(): Promise<OpenFile | undefined> {
    const file = await openFile(session, name)
    return file?.lines.includes(text) ? file : undefined
  }
  return session.until(look, `the buffer of ${name} to show "${text}"`)
}
