// A review beside Claude's terminal: how it is started, and the windows of it in a line of text.
import { type ReviewSession, recordNotices, startReview } from './diff.ts'
import type { NeovimOptions } from './neovim.ts'

/** What a.txt holds. */
export const old = 'one\ntwo\nthree\n'
export const changed = 'one\nTWO\nthree\n'
const files = { 'a.txt': old, 'b.txt': 'other\n' }

/** A review in a Neovim that shows a.txt, with these options of setup(), as they are written in it. */
export function startLayout(setup = '', options: NeovimOptions = {}): Promise<ReviewSession> {
  return startReview({
    files,
    args: ['a.txt'],
    init: recordNotices,
    setup: `vim.tbl_extend('keep', { ${setup} }, { terminal_cmd = 'cat' })`,
    ...options,
  })
}

/** The user starts Claude, and is in its terminal. */
export async function startClaude({ nvim }: ReviewSession): Promise<void> {
  await nvim.feed(':ClaudeCode<CR>')
  await nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, "Claude's terminal")
}

/**
 * The current tab page as a tree of rows and columns, such as `row(a.txt, proposal, *claude)`; `*` is where the user is.
 * Floats come behind it, a hidden one in brackets.
 */
export function shapeOf({ nvim }: ReviewSession): Promise<string> {
  return nvim.lua(`
    local function name(win)
      local buffer = vim.api.nvim_win_get_buf(win)
      local here = win == vim.api.nvim_get_current_win() and '*' or ''
      if vim.b[buffer].claudecode_diff_tab_name then
        return here .. 'proposal'
      elseif vim.bo[buffer].filetype == 'claudecode' then
        return here .. 'claude'
      end
      return here .. vim.fs.basename(vim.api.nvim_buf_get_name(buffer))
    end
    local function describe(node)
      if node[1] == 'leaf' then
        return name(node[2])
      end
      return node[1] .. '(' .. table.concat(vim.tbl_map(describe, node[2]), ', ') .. ')'
    end
    local text = describe(vim.fn.winlayout())
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local config = vim.api.nvim_win_get_config(win)
      if config.relative ~= '' then
        text = text .. (config.hide and ' [%s]' or ' %s'):format(name(win))
      end
    end
    return text`)
}

/** As |mode()| says. */
export const modeOf = ({ nvim }: ReviewSession) => nvim.lua<string>('return vim.api.nvim_get_mode().mode')
/** Number of the current tab page, and how many there are. */
export const tabsOf = ({ nvim }: ReviewSession) =>
  nvim.lua<number[]>(`return { vim.fn.tabpagenr(), vim.fn.tabpagenr('$') }`)

/** The user rejects the proposal, and it is gone. */
export async function reject(
  review: ReviewSession,
  proposed: Awaited<ReturnType<ReviewSession['open']>>,
): Promise<void> {
  await review.nvim.lua(`require('claudecode.editor.diff').deny()`)
  await proposed.answer
  await review.waitForClosed(proposed)
}
