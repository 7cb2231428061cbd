-- A diff in two windows: the file at the left or above, the proposal at the right or below; a new file has no left side.
local diff_mode = require("claudecode.editor.diff.diff_mode")
local originals = require("claudecode.editor.diff.original")
local panes = require("claudecode.editor.diff.pane")
local place = require("claudecode.editor.diff.place")
local stage = require("claudecode.editor.diff.stage")

local M = {}

local function show_left(view, win, kind)
  view.left = win
  if kind == "borrowed" then
    view.pane = panes.borrow(win)
    panes.show(view.pane, view.original.buffer)
  elseif vim.api.nvim_win_get_buf(win) ~= view.original.buffer then
    vim.api.nvim_win_call(win, function()
      vim.cmd(("silent buffer! %d"):format(view.original.buffer))
    end)
  end
end

local function show_proposal(view, win, kind)
  if view.left or kind == "borrowed" then
    local side = view.kind == "horizontal" and "below" or "right"
    view.win = place.split(view, view.proposal, side, win)
  else
    view.win = win
    vim.api.nvim_win_set_buf(win, view.proposal)
  end
end

local function build(view, win, kind)
  if view.original then
    show_left(view, win, kind)
  end
  show_proposal(view, win, kind)
  if view.left then
    diff_mode.start({ view.left, view.win })
    diff_mode.go_to_first_change(view.win)
    if vim.bo[view.original.buffer].endofline ~= vim.bo[view.proposal].endofline then
      diff_mode.show_end({ view.left, view.win }) -- where it says what becomes of the final line break
    end
  end
end

---Shows the diff.
---@param proposal integer buffer
---@param original claudecode.diff.Original?
---@param display claudecode.diff.Display
---@return claudecode.diff.View? view
---@return string? problem with its stack
function M.open(proposal, original, display)
  return stage.open(proposal, original, display, build, M.close)
end

---Gives the left side back. The proposal stays.
---@param view claudecode.diff.View
function M.end_comparison(view)
  diff_mode.stop({ view.win, view.left })
  if view.pane then
    panes.give_back(view.pane)
    view.pane, view.left = nil, nil
  end
  if view.original then
    originals.release(view.original)
  end
end

---Closes the diff's windows and brings back what was there before. May be called for a view that is half open, or
---that the user has closed in part.
---@param view claudecode.diff.View
function M.close(view)
  diff_mode.stop({ view.win, view.left }) -- before a window closes: else 'diffopt' "closeoff" acts on others
  stage.close_windows(view)
  M.end_comparison(view)
  stage.restore(view)
end

return M
