-- A tab page before a diff and after it: sizes, scroll positions, and where the user was.
local quietly = require("claudecode.editor.diff.quietly")
local terminal_mode = require("claudecode.editor.diff.terminal_mode")
local line_map = require("claudecode.editor.line_map")
local windows = require("claudecode.editor.windows")

local M = {}

local passes = 3 -- a size that is set changes its neighbours', so one round is not enough (|winrestcmd()| does two)

---@class claudecode.diff.Layout
---@field tab integer
---@field tree table |winlayout()|
---@field screen table
---@field windows {win: integer, buffer: integer, width: integer, height: integer, view: table}[]
---@field current integer window
---@field previous integer window, or 0
---@field mode string |mode()|

local function tree_of(tab)
  return vim.fn.winlayout(vim.api.nvim_tabpage_get_number(tab))
end

local function screen()
  local has_tabline = vim.o.showtabline == 2 or (vim.o.showtabline == 1 and #vim.api.nvim_list_tabpages() > 1)
  return { vim.o.columns, vim.o.lines, vim.o.cmdheight, vim.o.laststatus, has_tabline }
end

---Everything about the current tab page that opening a diff could change.
---@return claudecode.diff.Layout
function M.take()
  local tab = vim.api.nvim_get_current_tabpage()
  local layout = {
    tab = tab,
    tree = tree_of(tab),
    screen = screen(),
    windows = {},
    current = vim.api.nvim_get_current_win(),
    previous = vim.fn.win_getid(vim.fn.winnr("#")),
    mode = terminal_mode.mode(),
  }
  for _, win in ipairs(windows.list(tab)) do
    layout.windows[#layout.windows + 1] = {
      win = win,
      buffer = vim.api.nvim_win_get_buf(win),
      width = vim.api.nvim_win_get_width(win),
      height = vim.api.nvim_win_get_height(win),
      view = vim.api.nvim_win_call(win, vim.fn.winsaveview),
    }
  end
  return layout
end

local function restore_sizes(layout)
  for _ = 1, passes do
    for _, item in ipairs(layout.windows) do
      if vim.api.nvim_win_get_height(item.win) ~= item.height then
        vim.api.nvim_win_set_height(item.win, item.height)
      end
      if vim.api.nvim_win_get_width(item.win) ~= item.width then
        vim.api.nvim_win_set_width(item.win, item.width)
      end
    end
  end
end

---A window that became smaller and larger again may have scrolled. One in which the user has moved is left alone.
local function restore_scrolling(layout)
  for _, item in ipairs(layout.windows) do
    if vim.api.nvim_win_get_buf(item.win) == item.buffer and vim.bo[item.buffer].buftype ~= "terminal" then
      vim.api.nvim_win_call(item.win, function()
        local now = vim.fn.winsaveview()
        local unmoved = now.lnum == item.view.lnum and now.col == item.view.col
        if unmoved and (now.topline ~= item.view.topline or now.leftcol ~= item.view.leftcol) then
          vim.fn.winrestview(item.view)
        end
      end)
    end
  end
end

---Another window has taken the place of one.
---@param layout claudecode.diff.Layout
---@param old integer
---@param new integer
function M.replace_window(layout, old, new)
  local function replace(node)
    if node[1] == "leaf" then
      node[2] = node[2] == old and new or node[2]
    else
      vim.iter(node[2]):each(replace)
    end
  end
  replace(layout.tree)
  for _, item in ipairs(layout.windows) do
    item.win = item.win == old and new or item.win
  end
  layout.current = layout.current == old and new or layout.current
  layout.previous = layout.previous == old and new or layout.previous
end

---The views of a buffer are at other lines now.
---@param layout claudecode.diff.Layout
---@param buffer integer
---@param follow fun(line: integer): integer
function M.follow_lines(layout, buffer, follow)
  for _, item in ipairs(layout.windows) do
    if item.buffer == buffer then
      line_map.move_view(item.view, follow)
    end
  end
end

---Sizes and scroll positions as they were, when the windows are the same again. A screen of another size, or windows
---that the user has opened or closed, make the old sizes meaningless.
---@param layout claudecode.diff.Layout of the current tab page
---@return boolean restored
function M.restore(layout)
  local same = vim.deep_equal(tree_of(layout.tab), layout.tree) and vim.deep_equal(screen(), layout.screen)
  if same then
    restore_sizes(layout)
    restore_scrolling(layout)
  end
  return same
end

local function in_terminal(win)
  return vim.bo[vim.api.nvim_win_get_buf(win)].buftype == "terminal"
end

---Puts the user back where they were before the diff, in the mode that they were in.
---@param layout claudecode.diff.Layout
function M.return_focus(layout)
  if not vim.api.nvim_win_is_valid(layout.current) then
    if vim.api.nvim_tabpage_is_valid(layout.tab) then
      vim.api.nvim_set_current_tabpage(layout.tab)
    end
    return
  end
  if layout.previous ~= 0 and vim.api.nvim_win_is_valid(layout.previous) then
    quietly.with({}, function()
      vim.api.nvim_set_current_tabpage(layout.tab)
      vim.api.nvim_set_current_win(layout.previous)
    end)
  end
  vim.api.nvim_set_current_win(layout.current)
  if not in_terminal(layout.current) then
    return
  elseif layout.mode == "t" then
    terminal_mode.enter(layout.current)
  else
    terminal_mode.leave() -- autocommands may enter it for who comes there
  end
end

return M
