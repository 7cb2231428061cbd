-- Where a diff goes: into the tab page of Claude's session, and there into a window of the user's, into one that is split
-- off, or into a tab page of its own.
local beside = require("claudecode.editor.diff.beside")
local quietly = require("claudecode.editor.diff.quietly")
local windows = require("claudecode.editor.windows")

local M = {}

local function directory(tab)
  return vim.fn.getcwd(-1, vim.api.nvim_tabpage_get_number(tab))
end

local function is_project_of(tab, path)
  return vim.startswith(path, (directory(tab):gsub("/?$", "/")))
end

local function shows(tab, buffer)
  return vim.iter(vim.api.nvim_tabpage_list_wins(tab)):any(function(win)
    return vim.api.nvim_win_get_buf(win) == buffer
  end)
end

---The tab page that a diff belongs in: where Claude is shown. When Claude is shown nowhere that is where the user is,
---unless that has a directory of its own (|:tcd|) and the file is of another tab page's.
---@param display claudecode.diff.Display
---@param buffer integer? of the file
---@return integer tab
function M.home(display, buffer)
  local here = vim.api.nvim_get_current_tabpage()
  local claude = beside.tabs(display.session)
  if #claude > 0 then
    return vim.list_contains(claude, here) and here or claude[1]
  end
  if is_project_of(here, display.path) or (buffer and shows(here, buffer)) then
    return here
  end
  for _, tab in ipairs(vim.api.nvim_list_tabpages()) do
    if is_project_of(tab, display.path) then
      return tab
    end
  end
  return here
end

---Runs a step in another tab page without the user, or anything that listens to events, going there.
---@generic T
---@param tab integer
---@param step fun(): T
---@return T
function M.visit(tab, step)
  local here = vim.api.nvim_get_current_tabpage()
  if tab == here then
    return step()
  end
  local last = vim.fn.tabpagenr("#")
  last = last > 0 and vim.api.nvim_list_tabpages()[last] or nil
  quietly.with({}, function()
    vim.api.nvim_set_current_tabpage(tab)
  end)
  local done, result = xpcall(step, debug.traceback)
  quietly.with({}, function()
    if last and vim.api.nvim_tabpage_is_valid(last) then
      vim.api.nvim_set_current_tabpage(last)
    end
    vim.api.nvim_set_current_tabpage(here)
  end)
  if not done then
    error(result, 0)
  end
  return result
end

local function share_of(size, part)
  return math.max(1, math.floor((size - 1) * part))
end

---Splits a window off another. A size is given so that 'equalalways' leaves all the others alone.
---@param view claudecode.diff.View
---@param buffer integer
---@param side "left"|"right"|"above"|"below"
---@param from integer window
---@param part number? of the window that the new one takes, half of it by default
---@return integer win
function M.split(view, buffer, side, from, part)
  local config = { split = side, win = from }
  if side == "left" or side == "right" then
    config.width = share_of(vim.api.nvim_win_get_width(from), part or 0.5)
  else
    config.height = share_of(vim.api.nvim_win_get_height(from), part or 0.5)
  end
  local win = vim.api.nvim_open_win(buffer, false, config)
  view.own[#view.own + 1] = win
  for _, option in ipairs({ "winfixwidth", "winfixheight", "winfixbuf", "previewwindow" }) do
    vim.wo[win][0][option] = false -- a new window has the options of the one that it is split from
  end
  return win
end

local function own_tab(view)
  local claude = not view.display.hide_terminal_in_new_tab and beside.window() or nil
  vim.cmd("keepalt tabnew")
  view.tab = vim.api.nvim_get_current_tabpage()
  local win = vim.api.nvim_get_current_win()
  view.own[#view.own + 1] = win
  vim.bo.bufhidden = "wipe" -- the empty buffer that came with the tab page
  if claude then
    view.own[#view.own + 1] = beside.copy(claude)
  end
  return win
end

---A window for the diff in the current tab page, or in a new one.
---@param view claudecode.diff.View
---@param in_own_tab boolean
---@return integer win
---@return "own"|"borrowed" kind
function M.window(view, in_own_tab)
  local buffer = view.original and view.original.buffer
  if in_own_tab then
    return own_tab(view), "own"
  end
  local win = windows.for_code(buffer)
  if win then
    return win, "borrowed"
  end
  if view.display.layout == "unified" then
    return M.split(view, view.proposal, "left", windows.widest()), "own"
  end
  local is_wide = view.original and view.display.layout == "vertical"
  return M.split(view, buffer or view.proposal, "left", windows.widest(), is_wide and 2 / 3 or nil), "own"
end

return M
