-- Accepting and rejecting a hunk, and taking that back. What is accepted becomes part of the base, what is rejected gets
-- the old lines.
local decided = require("claudecode.editor.diff.hunks.decided")
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

---Sets the final line break, which is part of a rejection: the one of the old lines, or of the proposed ones again.
---@param eol boolean? nil when it is none of the hunk's
local function set_eol(review, decision, eol)
  if decision.kind == "reject" and eol ~= nil then
    review.is_deciding = true -- who follows that option would look at half of a decision
    vim.bo[review.buffer].endofline = eol
    review.is_deciding = false
  end
end

---Makes proposed lines part of the base.
---@param hunk claudecode.diff.Hunk? the one that is decided; nil when undo has brought the decision again
local function keep(review, decision, hunk)
  local tracked = review.tracked
  local found = hunk
  for _, one in ipairs(found and {} or tracked.hunks) do
    found = one[1] == decision.at and one or found
  end
  decision.mark = found and marks.kept(review.buffer, found)
  local eol = either(decision.new_eol, tracked.base.eol)
  tracker.change_base(tracked, decision.at, #decision.old, decision.new, eol, hunk and function()
    return decided.take_out(tracked, hunk, 1)
  end)
end

---The opposite.
---@param settle fun(): boolean? see `claudecode.editor.diff.hunks.tracked`
local function keep_no_more(review, decision, settle)
  local tracked = review.tracked
  marks.remove(review.buffer, decision.mark)
  local eol = either(decision.old_eol, tracked.base.eol)
  tracker.change_base(tracked, decision.at, #decision.new, decision.old, eol, settle)
end

---Takes in what has happened to the buffer. Its own undo has brought the lines of a state already; the final line break must
---be that of the same state before they are compared, or hunks are found that no state has.
---@param review claudecode.diff.Review
function M.follow_undo(review)
  local history = review.history
  local state = histories.state(history, review.buffer)
  local back, forth = histories.way(history.now, state)
  for _, decision in ipairs(back) do
    set_eol(review, decision, decision.new_eol)
  end
  for _, decision in ipairs(forth) do
    set_eol(review, decision, decision.old_eol)
  end
  tracker.refresh(review.tracked)
  for _, decision in ipairs(back) do
    if decision.kind == "accept" then
      keep_no_more(review, decision)
    end
  end
  for _, decision in ipairs(forth) do
    if decision.kind == "accept" then
      keep(review, decision)
    end
  end
  history.now = state
  local kept = histories.kept_hunks(history, review.buffer)
  if kept and not vim.deep_equal(kept, review.tracked.hunks) then
    tracker.replace(review.tracked, kept, review.tracked.hunks, kept)
  end
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
---@param line integer from 0, where undo will move the cursor to
local function touch(review, line)
  local length = review.tracked.length
  if length == 0 then
    vim.api.nvim_buf_set_lines(review.buffer, 0, -1, false, {})
  else
    line = math.min(line, length - 1)
    vim.api.nvim_buf_set_text(review.buffer, line, 0, line, 0, { "" })
  end
  tracker.replace(review.tracked, review.tracked.hunks, {}, {})
end

---Keeps what is proposed.
---@param review claudecode.diff.Review
---@param hunk claudecode.diff.Hunk
function M.accept(review, hunk)
  local decision = decision_of(review, "accept", hunk)
  touch(review, hunk[3])
  keep(review, decision, hunk)
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
  set_eol(review, decision, decision.old_eol)
  histories.set(review.history, buffer, decision)
  tracker.change_text(review.tracked, function()
    return decided.take_out(review.tracked, hunk, 3, decision.old_eol)
  end)
end

---Puts the proposed lines in the place of those that a rejection has put back.
---@return integer? line where they are; nil when those have been edited
local function propose_again(review, decision)
  local buffer = review.buffer
  local from, to = marks.range(buffer, decision.mark)
  if not from then
    return nil
  end
  to = decision.old_eol == nil and to or -1
  local lines = texts.canonical(vim.api.nvim_buf_get_lines(buffer, from, to, false), false)
  if not vim.deep_equal(lines, texts.canonical(vim.list_slice(decision.old), false)) then
    return nil
  end
  vim.api.nvim_buf_set_lines(buffer, from, to, false, decision.new)
  set_eol(review, decision, decision.new_eol)
  return from
end

---Takes the last decision back, whatever has been edited elsewhere since then.
---@param review claudecode.diff.Review
---@return string? refusal
function M.undo(review)
  local decision = review.history.now
  if not decision.parent then
    return "there is no decision about a hunk to take back"
  end
  local tracked = review.tracked
  if decision.kind == "accept" then
    touch(review, decision.mark and marks.range(review.buffer, decision.mark) or 0)
    keep_no_more(review, decision, function()
      return decided.put_back(tracked, decision)
    end)
  else
    local line = propose_again(review, decision)
    if not line then
      return "the lines have been edited since they were put back; u takes back one edit after the other"
    end
    tracker.change_text(tracked, function()
      return decided.put_back(tracked, decision, line)
    end)
  end
  histories.set(review.history, review.buffer, decision.parent)
end

return M
