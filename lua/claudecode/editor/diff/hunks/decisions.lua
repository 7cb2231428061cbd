-- Accepting and rejecting a hunk, and taking that back. What is accepted becomes part of the base, what is rejected gets
-- the old lines.
local histories = require("claudecode.editor.diff.hunks.history")
local marks = require("claudecode.editor.diff.hunks.marks")
local texts = require("claudecode.editor.diff.hunks.text")
local tracker = require("claudecode.editor.diff.hunks.tracked")

local M = {}

---One of two values, the second one where there is none.
local function either(value, default)
  if value == nil then
    return default
  end
  return value
end

---The final line break that belongs to rejected lines, or to the proposed ones.
---@param eol boolean? nil when it is none of the hunk's
local function set_eol(review, eol)
  if eol ~= nil then
    vim.bo[review.buffer].endofline = eol
  end
end

---Makes a decision of which the text has its part already.
local function apply(review, decision)
  if decision.kind == "reject" then
    return set_eol(review, decision.old_eol)
  end
  local tracked = review.tracked
  for _, hunk in ipairs(tracked.hunks) do
    if hunk[1] == decision.at then
      decision.mark = marks.kept(review.buffer, hunk)
      break
    end
  end
  local eol = either(decision.new_eol, tracked.base.eol)
  tracker.change_base(tracked, decision.at, #decision.old, decision.new, eol)
end

---The opposite.
local function take_back(review, decision)
  if decision.kind == "reject" then
    return set_eol(review, decision.new_eol)
  end
  local tracked = review.tracked
  marks.remove(review.buffer, decision.mark)
  local eol = either(decision.old_eol, tracked.base.eol)
  tracker.change_base(tracked, decision.at, #decision.new, decision.old, eol)
end

---Follows the buffer's undo, which has brought the lines of a state already.
---@param review claudecode.diff.Review
function M.follow_undo(review)
  local history = review.history
  local state = histories.state(history, review.buffer)
  local back, forth = histories.way(history.now, state)
  for _, decision in ipairs(back) do
    take_back(review, decision)
    tracker.refresh(review.tracked)
  end
  for _, decision in ipairs(forth) do
    apply(review, decision)
    tracker.refresh(review.tracked)
  end
  history.now = state
end

---@return claudecode.diff.Decision
local function decision_of(review, kind, hunk)
  local tracked = review.tracked
  local base = tracked.base
  local now = review.history.now
  local decision = {
    parent = now,
    depth = now.depth + 1,
    kind = kind,
    at = hunk[1],
    old = vim.list_slice(base.lines, hunk[1] + 1, hunk[1] + hunk[2]),
    new = vim.api.nvim_buf_get_lines(review.buffer, hunk[3], hunk[3] + hunk[4], false),
  }
  if hunk[1] + hunk[2] == #base.lines then
    decision.old_eol, decision.new_eol = base.eol, tracked.eol
  end
  return decision
end

---A change that leaves the text as it is, so that there is something to undo.
local function touch(review)
  if review.tracked.length == 0 then
    vim.api.nvim_buf_set_lines(review.buffer, 0, -1, false, {})
  else
    vim.api.nvim_buf_set_text(review.buffer, 0, 0, 0, 0, { "" })
  end
  tracker.refresh(review.tracked)
end

---Keeps what is proposed.
---@param review claudecode.diff.Review
---@param hunk claudecode.diff.Hunk
function M.accept(review, hunk)
  local decision = decision_of(review, "accept", hunk)
  touch(review)
  apply(review, decision)
  histories.set(review.history, review.buffer, decision)
end

---Puts the old lines back.
---@param review claudecode.diff.Review
---@param hunk claudecode.diff.Hunk
function M.reject(review, hunk)
  local buffer = review.buffer
  local decision = decision_of(review, "reject", hunk)
  local behind = decision.old_eol == nil and hunk[3] + hunk[4] or -1
  vim.api.nvim_buf_set_lines(buffer, hunk[3], behind, false, decision.old)
  decision.mark = marks.place(buffer, hunk[3], #decision.old)
  apply(review, decision)
  histories.set(review.history, buffer, decision)
  tracker.refresh(review.tracked)
end

---Puts the proposed lines in the place of those that a rejection has put back.
---@return boolean done not when these have been edited
local function propose_again(review, decision)
  local buffer = review.buffer
  local from, to = marks.range(buffer, decision.mark)
  if not from then
    return false
  end
  to = decision.old_eol == nil and to or -1
  local lines = texts.canonical(vim.api.nvim_buf_get_lines(buffer, from, to, false), false)
  if not vim.deep_equal(lines, texts.canonical(vim.list_slice(decision.old), false)) then
    return false
  end
  vim.api.nvim_buf_set_lines(buffer, from, to, false, decision.new)
  return true
end

---Takes the last decision back, whatever has been edited elsewhere since then.
---@param review claudecode.diff.Review
---@return string? refusal
function M.undo(review)
  local decision = review.history.now
  if not decision.parent then
    return "there is no decision about a hunk to take back"
  end
  if decision.kind == "accept" then
    touch(review)
  elseif not propose_again(review, decision) then
    return "the lines have been edited since they were put back; u takes back one edit after the other"
  end
  tracker.refresh(review.tracked)
  take_back(review, decision)
  histories.set(review.history, review.buffer, decision.parent)
  tracker.refresh(review.tracked)
end

return M
