-- Who has the cursor when a diff opens, and when it closes.
local beside = require("claudecode.editor.diff.beside")
local layout = require("claudecode.editor.diff.layout")
local terminal_mode = require("claudecode.editor.diff.terminal_mode")

local M = {}

---@param was claudecode.diff.Layout
---@return boolean takes whether the diff may take the cursor: not out of a terminal that is not Claude's, where the user types
local function may_take_focus(was)
  return was.mode ~= "t" or beside.is_claude(was.current)
end

---Where the cursor is from now on. The diff is in the tab page in which the user is, or in one that was made for it.
---@param view claudecode.diff.View that has just been opened
function M.take(view)
  local was = view.layout
  if not may_take_focus(was) then
    layout.return_focus(was)
  elseif not view.display.keep_terminal_focus then
    terminal_mode.leave()
    vim.api.nvim_set_current_win(view.win)
  elseif beside.is_claude(was.current) and not view.tab then
    layout.return_focus(was) -- in the mode that it was in
  elseif not beside.enter(was.mode == "t") then
    if beside.is_claude(was.current) then
      layout.return_focus(was)
    else
      vim.api.nvim_set_current_win(view.win)
    end
  end
  if not view.display.keep_terminal_focus and vim.api.nvim_get_current_win() == view.win then
    beside.step_aside(view)
  end
end

---Puts the user back where they were before the diff, or to Claude.
---@param view claudecode.diff.View that has been closed
function M.give_back(view)
  layout.return_focus(view.layout)
  if view.display.keep_terminal_focus or view.was_typing then
    beside.enter(view.was_typing or view.layout.mode == "t")
  end
end

return M
