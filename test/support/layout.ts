// Everything about a Neovim's screen that a user would notice if it changed.
import type { TestNeovim } from './neovim.ts'

/** A picture of all tab pages, windows and buffers, for comparison. Names of buffers that come and go by themselves are left out. */
export type LayoutSnapshot = Record<string, unknown>

const snapshotCode = `
  local by_order = ...
  local function number_of(win)
    if not by_order or not win then
      return win
    end
    local position = vim.fn.win_id2tabwin(win)
    return position[1] * 1000 + position[2]
  end
  local function tree_of(node)
    if node[1] == 'leaf' then
      return { 'leaf', number_of(node[2]) }
    end
    return { node[1], vim.tbl_map(tree_of, node[2]) }
  end
  local function window_options(win)
    local values = {}
    for name, info in pairs(vim.api.nvim_get_all_options_info()) do
      if info.scope == 'win' then
        values[name] = vim.api.nvim_get_option_value(name, { win = win })
      end
    end
    return values
  end
  local function folds(win)
    return vim.api.nvim_win_call(win, function()
      local closed = {}
      for line = 1, math.min(vim.fn.line('$'), 300) do
        closed[line] = ('%d/%d'):format(vim.fn.foldlevel(line), vim.fn.foldclosed(line))
      end
      return table.concat(closed, ' ')
    end)
  end
  local function describe(win)
    local buffer = vim.api.nvim_win_get_buf(win)
    local is_terminal = vim.bo[buffer].buftype == 'terminal'
    return {
      id = number_of(win),
      buffer = buffer,
      name = vim.api.nvim_buf_get_name(buffer),
      size = { vim.api.nvim_win_get_width(win), vim.api.nvim_win_get_height(win) },
      position = vim.api.nvim_win_get_position(win),
      view = not is_terminal and vim.api.nvim_win_call(win, vim.fn.winsaveview) or nil,
      options = window_options(win),
      folds = not is_terminal and folds(win) or nil,
      alternate = vim.api.nvim_win_call(win, function() return vim.fn.bufnr('#') end),
      jumps = vim.api.nvim_win_call(win, vim.fn.getjumplist),
    }
  end
  -- The window before the current one. That there has been none is known only until the first window is left.
  local function previous(tab)
    local number = vim.api.nvim_tabpage_get_number(tab)
    local win = vim.fn.win_getid(vim.fn.tabpagewinnr(number, '#'), number)
    return win ~= 0 and win ~= vim.api.nvim_tabpage_get_win(tab) and win or nil
  end
  local tabs = {}
  for _, tab in ipairs(vim.api.nvim_list_tabpages()) do
    tabs[#tabs + 1] = {
      id = tab,
      tree = tree_of(vim.fn.winlayout(vim.api.nvim_tabpage_get_number(tab))),
      current = number_of(vim.api.nvim_tabpage_get_win(tab)),
      previous = number_of(previous(tab)),
      windows = vim.tbl_map(describe, vim.api.nvim_tabpage_list_wins(tab)),
    }
  end
  local buffers = {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    buffers[#buffers + 1] = ('%d %s loaded=%s listed=%s bufhidden=%s type=%s'):format(
      buffer, vim.api.nvim_buf_get_name(buffer), vim.api.nvim_buf_is_loaded(buffer), vim.bo[buffer].buflisted,
      vim.bo[buffer].bufhidden, vim.bo[buffer].buftype)
  end
  local globals = {}
  for _, name in ipairs { 'equalalways', 'scrollopt', 'eventignore', 'cpoptions', 'fileformats', 'fileencodings', 'modeline',
      'viewoptions', 'diffopt', 'cmdheight', 'showtabline', 'undoreload', 'backup', 'writebackup', 'fsync' } do
    globals[name] = vim.go[name]
  end
  return {
    tabs = tabs,
    tab = vim.api.nvim_get_current_tabpage(),
    mode = vim.api.nvim_get_mode().mode,
    buffers = buffers,
    globals = globals,
  }
`

/** Takes a picture, with windows by their numbers, or by their order. */
export async function layoutOf(nvim: TestNeovim, { byOrder = false } = {}): Promise<LayoutSnapshot> {
  await nvim.lua('vim.cmd.redraw()')
  return nvim.lua<LayoutSnapshot>(snapshotCode, byOrder)
}
