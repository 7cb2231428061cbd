-- Claude's windows: a split, a float or a tab page. There may be one in each tab page, all of the same buffer.
local layout = require("claudecode.terminal.layout")
local look = require("claudecode.terminal.look")
local splits = require("claudecode.terminal.split")

local M = {}

---@class claudecode.terminal.View
---@field position "split"|"float"|"tab"
---@field split_side "left"|"right"
---@field width number part of the screen
---@field float {width: number, height: number, border: string}
---@field auto_insert boolean
---@field auto_close boolean
---@field leave_key string|false
---@field exit_tip boolean

---Windows that were opened for Claude: where they are, and the terminal in them. By window.
local ours = {} ---@type table<integer, {position: "split"|"float"|"tab", buffer: integer}>

local function float_config(view)
  local width = math.max(1, math.floor(vim.o.columns * view.float.width))
  local height = math.max(1, math.floor((vim.o.lines - vim.o.cmdheight) * view.float.height))
  local frame = view.float.border == "none" and 0 or 2
  width = math.max(1, math.min(width, vim.o.columns - frame))
  height = math.max(1, math.min(height, vim.o.lines - vim.o.cmdheight - frame - 1))
  return {
    relative = "editor",
    width = width,
    height = height,
    col = math.floor((vim.o.columns - width - frame) / 2),
    row = math.floor((vim.o.lines - vim.o.cmdheight - height - frame) / 2),
    border = view.float.border,
  }
end

local function open_float(buffer, view)
  local win = vim.api.nvim_open_win(buffer, false, float_config(view))
  look.dress(win)
  return win
end

local function open_tab(buffer)
  local from = vim.api.nvim_get_current_win()
  vim.cmd("tab split")
  local win = vim.api.nvim_get_current_win()
  vim.api.nvim_win_set_buf(win, buffer)
  look.dress(win)
  vim.api.nvim_set_current_win(from)
  return win
end

---The window of this tab page that shows another Claude in the same position: there is one place for all of them.
local function shared_window(position)
  for _, win in ipairs(position ~= "tab" and vim.api.nvim_tabpage_list_wins(0) or {}) do
    if ours[win] and ours[win].position == position and vim.api.nvim_win_get_buf(win) == ours[win].buffer then
      return win
    end
  end
end

---Puts a terminal into a window of Claude's, in the place of the one that it shows. For a moment Neovim takes that window for
---the one where the user is: BufEnter would begin Terminal mode for them.
local function put(win, buffer)
  local ignored = vim.o.eventignore
  if win ~= vim.api.nvim_get_current_win() then
    vim.opt.eventignore:append({ "BufEnter", "BufLeave", "WinEnter", "WinLeave" })
  end
  ours[win].buffer = buffer
  vim.wo[win].winfixbuf = false
  local done, problem = pcall(vim.api.nvim_win_set_buf, win, buffer)
  vim.o.eventignore = ignored
  if not done then
    error(problem, 0)
  end
  look.dress(win)
  vim.wo[win][0].winfixwidth = ours[win].position == "split"
end

---Opens a window for the buffer, in this tab page or one of its own. The user stays where they are.
---@param buffer integer
---@param view claudecode.terminal.View
---@return integer window
function M.open(buffer, view)
  local shared = shared_window(view.position)
  if shared then
    put(shared, buffer)
    return shared
  end
  local openers = { split = splits.open, float = open_float, tab = open_tab }
  local win = openers[view.position](buffer, view)
  ours[win] = { position = view.position, buffer = buffer }
  return win
end

---@param win integer
---@return integer? buffer of the Claude that the window was opened for
function M.terminal_of(win)
  return ours[win] and ours[win].buffer
end

---The user has put another Claude into a window of ours.
---@param win integer
---@param buffer integer
function M.adopt(win, buffer)
  put(win, buffer)
end

---@param buffer integer
---@return "focused"|"here"|"elsewhere"|"hidden"
function M.where(buffer)
  local win = M.here(buffer)
  if win and M.is_hidden(win) then
    return "hidden"
  elseif win then
    return win == vim.api.nvim_get_current_win() and "focused" or "here"
  end
  return M.anywhere(buffer) and "elsewhere" or "hidden"
end

---@param buffer integer
---@return integer? window of this tab page
function M.here(buffer)
  local win = vim.fn.bufwinid(buffer)
  return win ~= -1 and win or nil
end

---@param win integer
---@return boolean hidden a float that is out of the way of a diff (lua/claudecode/editor/diff/beside.lua)
function M.is_hidden(win)
  return vim.api.nvim_win_get_config(win).hide == true
end

---@param buffer integer
---@return integer? window of any tab page, this one first
function M.anywhere(buffer)
  return M.here(buffer) or vim.fn.win_findbuf(buffer)[1]
end

---A window of Claude's closes, whoever closes it.
---@param win integer
function M.closing(win)
  ours[win] = nil
  local split = splits.take(win)
  if not split then
    return
  end
  local now = layout.take(split.tab)
  local back = win == vim.api.nvim_get_current_win() and vim.fn.win_getid(vim.fn.winnr("#")) or 0
  vim.schedule(function()
    splits.give_back(split, now)
    if back ~= 0 and vim.api.nvim_win_is_valid(back) and vim.api.nvim_get_current_tabpage() == split.tab then
      vim.api.nvim_set_current_win(back) -- else the user is in the neighbour, wherever they came from
    end
  end)
end

---@return integer buffer for a window of Claude's that has to stay: the file that was used last, else an empty one
local function in_place_of_claude()
  local files = vim.tbl_filter(function(buffer)
    return vim.bo[buffer.bufnr].buftype == ""
  end, vim.fn.getbufinfo({ buflisted = 1 }))
  table.sort(files, function(a, b)
    return a.lastused > b.lastused
  end)
  return files[1] and files[1].bufnr or vim.api.nvim_create_buf(true, false)
end

---Closes a window. The last one of all can't be closed: it shows a file then.
---@param win integer
function M.close(win)
  local before = vim.fn.win_getid(vim.fn.winnr("#"))
  if win == vim.api.nvim_get_current_win() and before ~= 0 and before ~= win then
    vim.api.nvim_set_current_win(before) -- else Neovim goes to the neighbour
  end
  local split = splits.take(win)
  ours[win] = nil
  local now = split and layout.take(split.tab)
  local closed = layout.without_equalising(function()
    return (pcall(vim.api.nvim_win_close, win, true))
  end)
  if not closed then
    vim.wo[win][0].winfixwidth = false
    vim.api.nvim_win_set_buf(win, in_place_of_claude())
  elseif split then
    splits.give_back(split, now)
  end
end

---Removes a buffer and its windows.
---@param buffer integer
function M.forget(buffer)
  for _, win in ipairs(vim.fn.win_findbuf(buffer)) do
    M.close(win)
  end
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_delete(buffer, { force = true })
  end
end

---The screen has another size: splits and floats keep their part of it.
---@param buffer integer
---@param view claudecode.terminal.View
function M.fit(buffer, view)
  for _, win in ipairs(vim.fn.win_findbuf(buffer)) do
    if not splits.fit(win) and vim.api.nvim_win_get_config(win).relative ~= "" then
      vim.api.nvim_win_set_config(win, float_config(view))
    end
  end
end

return M
