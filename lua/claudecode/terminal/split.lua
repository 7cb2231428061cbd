-- Claude's splits: the windows beside one give way evenly when it opens, and are as they were when it closes.
local layout = require("claudecode.terminal.layout")
local look = require("claudecode.terminal.look")

local M = {}

---What the windows of a tab page had been, and were made.
---@class claudecode.terminal.Split
---@field tab integer tab page
---@field before claudecode.terminal.Layout
---@field after claudecode.terminal.Layout
---@field width integer that it was given
---@field part number of the screen

local splits = {} ---@type table<integer, claudecode.terminal.Split> by window

local function columns_for(part)
  return math.max(1, math.floor(vim.o.columns * part))
end

---Opens one. The user stays where they are.
---@param buffer integer
---@param view claudecode.terminal.View
---@return integer window
function M.open(buffer, view)
  local tab = vim.api.nvim_get_current_tabpage()
  local before = layout.take(tab)
  local width = columns_for(view.width)
  local win = layout.without_equalising(function()
    local opened = vim.api.nvim_open_win(buffer, false, { split = view.split_side, win = -1, width = width })
    vim.wo[opened][0].winfixwidth = true
    return opened
  end)
  look.dress(win)
  layout.share(tab, win, before.sizes)
  if vim.api.nvim_win_get_width(win) ~= width then
    vim.api.nvim_win_set_width(win, width)
  end
  splits[win] = { tab = tab, before = before, after = layout.take(tab), width = width, part = view.width }
  return win
end

---A window closes. Nothing is known of it any more.
---@param win integer
---@return claudecode.terminal.Split? split nil when it was none
function M.take(win)
  local split = splits[win]
  splits[win] = nil
  return split
end

---Undoes what opening a split has done to the other windows, now that it is closed.
---@param split claudecode.terminal.Split
---@param now claudecode.terminal.Layout as they were just before it closed
function M.give_back(split, now)
  if not vim.api.nvim_tabpage_is_valid(split.tab) then
    return
  end
  local untouched = vim.deep_equal(now.sizes, split.after.sizes) and layout.same_windows(now, split.after)
  if untouched and layout.same_windows(layout.take(split.tab), split.before) then
    layout.set_sizes(split.before.sizes)
  elseif vim.api.nvim_get_current_tabpage() == split.tab then
    layout.share(split.tab, nil, now.sizes)
  end
end

---The screen has another size: a split whose width the user has not changed keeps its part of it.
---@param win integer
---@return boolean is_split
function M.fit(win)
  local split = splits[win]
  if not split then
    return false
  end
  -- 'winfixwidth' has kept it, unless the screen is too narrow for that
  local is_users = vim.api.nvim_win_get_width(win) ~= split.width and split.width < vim.o.columns
  if not is_users then
    split.width = columns_for(split.part)
    vim.api.nvim_win_set_width(win, split.width)
  end
  return true
end

return M
