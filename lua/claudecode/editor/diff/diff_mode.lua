-- Diff mode, and the one global option that it touches: |:diffthis| adds "hor" to 'scrollopt', and |:diffoff| takes it
-- away, whoever had it there.
local windows = require("claudecode.editor.windows")

local M = {}

local scrollopt ---@type string? as it was when no window was in diff mode; nil while none of ours is
local seen ---@type string? as it was last, without the "hor" that comes and goes with diff mode

local function any_diff()
  for _, tab in ipairs(vim.api.nvim_list_tabpages()) do
    if windows.has_diff(tab) then
      return true
    end
  end
  return false
end

local function without_hor()
  local values = vim.split(vim.o.scrollopt, ",")
  return table.concat(
    vim.tbl_filter(function(value)
      return value ~= "hor"
    end, values),
    ","
  )
end

---Compares windows with each other, as |:diffthis| does: colours, folds, and scrolling together.
---@param wins integer[]
function M.start(wins)
  scrollopt = any_diff() and scrollopt or vim.o.scrollopt
  for _, win in ipairs(wins) do
    vim.api.nvim_win_call(win, vim.cmd.diffthis)
  end
  seen = without_hor()
end

---What the user has set meanwhile stays.
local function note_change()
  if scrollopt and without_hor() ~= seen then
    scrollopt, seen = vim.o.scrollopt, without_hor()
  end
end

---Ends diff mode in one window.
---@param win integer
function M.leave(win)
  if vim.api.nvim_win_is_valid(win) and vim.wo[win].diff then
    vim.api.nvim_win_call(win, vim.cmd.diffoff)
  end
end

---Ends diff mode in the windows of a diff. Other diffs scroll on together.
---@param wins integer[]
function M.stop(wins)
  for _, win in ipairs(wins) do
    M.leave(win)
  end
  if not scrollopt then
    return
  end
  note_change()
  if any_diff() then
    vim.opt.scrollopt:append("hor")
  else
    vim.o.scrollopt = scrollopt
    scrollopt = nil
  end
end

---Moves the cursor of a window in diff mode to its first change.
---@param win integer
function M.go_to_first_change(win)
  vim.api.nvim_win_call(win, function()
    vim.api.nvim_win_set_cursor(win, { 1, 0 })
    if vim.fn.diff_hlID(1, 1) == 0 and vim.fn.diff_filler(1) == 0 then
      vim.cmd("silent! keepjumps normal! ]c")
    end
  end)
end

---Opens the fold at the end of the text.
---@param wins integer[]
function M.show_end(wins)
  for _, win in ipairs(wins) do
    vim.api.nvim_win_call(win, function()
      vim.cmd("silent! $foldopen!")
    end)
  end
end

return M
