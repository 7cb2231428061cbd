-- What the user's commands do with the hunks of a proposal.
local decisions = require("claudecode.editor.diff.hunks.decisions")
local find = require("claudecode.editor.diff.hunks.find")
local histories = require("claudecode.editor.diff.hunks.history")
local reviews = require("claudecode.editor.diff.hunks.review")

local M = {}

local function tell(level, text)
  require("claudecode.notice").show(level, text)
end

---Runs a step on the hunks of the diff that the user means.
---@param question string
---@param step fun(review: claudecode.diff.Review, diff: claudecode.diff.Diff)
local function with_review(question, step)
  local diffs = require("claudecode.editor.diff")
  diffs.with_meant(question, function(diff)
    if diffs.is_undecided(diff) then
      local review = reviews.get(diff.buffer) or reviews.start(diff.buffer, diff.view.original)
      reviews.refresh(review)
      step(review, diff)
    end
  end)
end

---A window that shows the proposal: the one where the user is, else that of the diff.
local function window_of(diff)
  local current = vim.api.nvim_get_current_win()
  if vim.api.nvim_win_get_buf(current) == diff.buffer then
    return current
  end
  local wins = vim.fn.win_findbuf(diff.buffer)
  return vim.list_contains(wins, diff.view.win) and diff.view.win or wins[1]
end

---The lines that the user means: the given ones, or the cursor's, in the proposal or in the file beside it.
local function hunks_meant(review, diff, call)
  local current = vim.api.nvim_get_current_win()
  local is_original = current == diff.view.left
  local is_there = is_original or vim.api.nvim_win_get_buf(current) == diff.buffer
  if is_there and call.range > 0 then
    return find.at(review, call.line1 - 1, call.line2 - 1, is_original)
  end
  local win = is_there and current or window_of(diff)
  local line = win and vim.api.nvim_win_get_cursor(win)[1] - 1 or 0
  return { find.at(review, line, line, is_original)[1] } -- one at a time, where there is one above and one below
end

local function tell_progress(review)
  local left, all = reviews.count(review)
  local text = reviews.progress(review)
  if left == 0 then
    text = all == 0 and "no hunk is left" or "no hunk is left: :w accepts the proposal as it is now"
  end
  tell("info", text)
end

---One command, which is one step of the buffer's undo.
local function as_step(review, step)
  histories.keep_hunks(review.history, review.buffer, review.tracked.hunks)
  histories.begin_step(review.buffer)
  local result = step()
  histories.begin_step(review.buffer)
  histories.keep_hunks(review.history, review.buffer, review.tracked.hunks)
  reviews.refresh(review)
  return result
end

local function decide(call, question, step)
  with_review(question, function(review, diff)
    local hunks = hunks_meant(review, diff, call)
    if #hunks == 0 then
      tell("warn", ("there is no hunk here; %s"):format(reviews.progress(review)))
      return
    end
    as_step(review, function()
      for index = #hunks, 1, -1 do
        step(review, hunks[index])
      end
    end)
    tell_progress(review)
  end)
end

---Keeps what is proposed in this hunk (:ClaudeCodeHunkAccept).
function M.accept(call)
  decide(call, "Accept a hunk of which proposal?", decisions.accept)
end

---Puts the old lines of this hunk back (:ClaudeCodeHunkReject).
function M.reject(call)
  decide(call, "Reject a hunk of which proposal?", decisions.reject)
end

---Takes the last decision about a hunk back (:ClaudeCodeHunkUndo).
function M.undo()
  with_review("Take back a decision about which proposal?", function(review)
    local refusal = as_step(review, function()
      return decisions.undo(review)
    end)
    if refusal then
      tell("warn", refusal)
    else
      tell_progress(review)
    end
  end)
end

---Goes to another hunk that is left (:ClaudeCodeHunkNext, :ClaudeCodeHunkPrev).
---@param step 1|-1
---@param count integer
function M.go(step, count)
  with_review("Go to a hunk of which proposal?", function(review, diff)
    local win = window_of(diff)
    if not win or #review.tracked.hunks == 0 then
      tell_progress(review)
      return
    end
    local line, was_around = vim.api.nvim_win_get_cursor(win)[1] - 1, false
    for _ = 1, math.max(count, 1) do
      local hunk, is_around = find.next(review, line, step)
      line, was_around = find.line_of(review, hunk), was_around or is_around
    end
    vim.api.nvim_set_current_win(win)
    vim.cmd("normal! m'")
    vim.api.nvim_win_set_cursor(win, { line + 1, 0 })
    vim.cmd("normal! ^zv")
    if was_around then
      tell("info", ("%s; began anew at the %s"):format(reviews.progress(review), step > 0 and "top" or "bottom"))
    end
  end)
end

return M
