-- A diff in one window: the proposal is the text, to be edited as any other; what it takes away are virtual lines.
local draw = require("claudecode.editor.diff.unified.draw")
local find = require("claudecode.editor.diff.hunks.find")
local originals = require("claudecode.editor.diff.original")
local reviews = require("claudecode.editor.diff.hunks.review")
local stage = require("claudecode.editor.diff.stage")
local tenant = require("claudecode.editor.diff.unified.tenant")

local M = {}

---Shows what is gone above the first line, which Neovim keeps out of sight.
local function reveal_top(view)
  local is_there = view.drawing and vim.api.nvim_win_is_valid(view.win)
  if not is_there or vim.api.nvim_win_get_buf(view.win) ~= view.proposal then
    return
  end
  local rows = math.min(draw.rows_on_top(view.drawing), vim.api.nvim_win_get_height(view.win) - 1)
  vim.api.nvim_win_call(view.win, function()
    local now = vim.fn.winsaveview()
    if now.topline == 1 and now.lnum == 1 and now.topfill ~= rows then
      vim.fn.winrestview({ topfill = rows })
    end
  end)
end

local function go_to_first_hunk(view)
  local first = view.review.tracked.hunks[1]
  vim.api.nvim_win_set_cursor(view.win, { first and find.line_of(view.review, first) + 1 or 1, 0 })
  vim.api.nvim_win_call(view.win, function()
    vim.cmd("silent! keepjumps normal! zz")
  end)
  reveal_top(view)
end

local function follow_cursor(view)
  vim.api.nvim_create_autocmd("CursorMoved", {
    group = view.group,
    buffer = view.proposal,
    callback = function()
      if vim.api.nvim_get_current_win() == view.win and vim.fn.line(".") == 1 then
        reveal_top(view)
      end
    end,
  })
end

local function build(view, win, kind)
  view.win = win
  view.group = vim.api.nvim_create_augroup("ClaudeCodeUnified" .. view.proposal, {})
  if kind == "borrowed" then
    tenant.move_in(view)
  elseif vim.api.nvim_win_get_buf(win) ~= view.proposal then
    vim.api.nvim_win_set_buf(win, view.proposal)
  end
  tenant.furnish(win)
  view.review = reviews.start(view.proposal, view.original, view.display.proposal)
  view.drawing = draw.begin(view.review, win, function()
    reveal_top(view)
  end)
  go_to_first_hunk(view)
  follow_cursor(view)
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

---Takes the drawing away. The proposal stays.
---@param view claudecode.diff.View
function M.end_comparison(view)
  if view.drawing then
    draw.stop(view.drawing)
    view.drawing = nil
  end
  if view.original then
    originals.release(view.original)
  end
end

---Closes the diff and brings back what was there before. May be called for a view that is half open, or that the user
---has closed in part.
---@param view claudecode.diff.View
function M.close(view)
  if view.group then
    vim.api.nvim_del_augroup_by_id(view.group)
    view.group = nil
  end
  M.end_comparison(view)
  tenant.move_out(view)
  stage.close_windows(view)
  stage.restore(view)
end

return M
