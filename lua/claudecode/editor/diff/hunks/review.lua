-- The review of a proposal hunk by hunk. What was accepted becomes part of the base that the proposal is compared with, so
-- the hunks are those that are left to be looked at.
local decisions = require("claudecode.editor.diff.hunks.decisions")
local histories = require("claudecode.editor.diff.hunks.history")
local marks = require("claudecode.editor.diff.hunks.marks")
local sources = require("claudecode.editor.diff.hunks.source")
local tracker = require("claudecode.editor.diff.hunks.tracked")

local M = {}

local rest_ms = 200 -- the original is compared anew when its text has rested for so long
local many_lines = 50000 -- more are compared anew only when the user asks for something: it takes a moment

---@class claudecode.diff.Review
---@field buffer integer of the proposal
---@field source claudecode.diff.Source of the original text
---@field tracked claudecode.diff.Tracked
---@field history claudecode.diff.History
---@field note {text: string, mark: integer}? about the final line break
---@field on_change fun(gone: claudecode.diff.Hunk[], come: claudecode.diff.Hunk[])? for a layout that draws them
---@field is_due boolean a refresh is on its way
---@field is_deciding boolean? a decision is half carried out

local reviews = {} ---@type table<integer, claudecode.diff.Review> by buffer

---@param review claudecode.diff.Review
---@return integer left hunks to be looked at
---@return integer all with those that are decided
function M.count(review)
  local left = #review.tracked.hunks
  return left, left + review.history.now.depth
end

---How much is left, in words.
---@param review claudecode.diff.Review
---@return string
function M.progress(review)
  local left, all = M.count(review)
  return ("%d of %d %s left"):format(left, all, all == 1 and "hunk" or "hunks")
end

---Tells others, such as status lines.
local function publish(review)
  local left, all = M.count(review)
  local old = vim.b[review.buffer].claudecode_hunks
  if not old or old.left ~= left or old.all ~= all then
    vim.b[review.buffer].claudecode_hunks = { left = left, all = all, text = M.progress(review) }
    vim.cmd.redrawstatus({ bang = true })
  end
end

---Decides nothing yet, or nothing any more.
local function begin_anew(review, base)
  marks.remove_all(review.buffer)
  review.history, review.note = histories.new(), nil
  tracker.set_base(review.tracked, base)
end

---Takes in what has happened to the proposal and to the original text since then.
---@param review claudecode.diff.Review
function M.refresh(review)
  if review.is_deciding then
    return
  end
  local base = sources.base_after_change(review.source, review.tracked.base)
  if base then
    begin_anew(review, base)
  end
  decisions.follow_undo(review)
  marks.update(review)
  publish(review)
end

---Whether it goes on: its buffer may be gone for a moment before that is known here.
local function is_there(review)
  return reviews[review.buffer] == review and vim.api.nvim_buf_is_loaded(review.buffer)
end

---Compares anew when the original changes.
local function follow_original(review)
  local generation = 0
  sources.follow(review.source, function()
    if reviews[review.buffer] ~= review then
      return true
    end
    generation = generation + 1
    local mine = generation
    if #review.source.text.lines <= many_lines then
      vim.defer_fn(function()
        if mine == generation and is_there(review) then
          M.refresh(review)
        end
      end, rest_ms)
    end
  end)
end

local function follow_proposal(review)
  tracker.attach(review.tracked, {
    on_edit = function()
      if review.is_due then
        return
      end
      review.is_due = true
      vim.schedule(function()
        review.is_due = false
        if is_there(review) then
          M.refresh(review)
        end
      end)
    end,
    on_gone = vim.schedule_wrap(function()
      if is_there(review) then -- it was read again: |:edit|
        begin_anew(review, sources.text(review.source))
        follow_proposal(review)
        M.refresh(review)
      elseif reviews[review.buffer] == review then
        reviews[review.buffer] = nil
      end
    end),
  })
end

---Runs a step that makes many strings at once, all of which are kept for the moment: collecting in between doubles its time.
---@generic T
---@param step fun(): T
---@return T
local function without_collecting(step)
  collectgarbage("stop")
  local done, result = xpcall(step, debug.traceback)
  collectgarbage("restart")
  if not done then
    error(result, 0)
  end
  return result
end

---Begins the review of a proposal.
---@param buffer integer
---@param original claudecode.diff.Original?
---@param file string? that the proposal was just read from
---@return claudecode.diff.Review
function M.start(buffer, original, file)
  local review = { buffer = buffer, history = histories.new(), is_due = false }
  without_collecting(function()
    review.source = sources.of(original)
    review.tracked = tracker.new(buffer, sources.text(review.source), function(gone, come)
      if review.on_change then
        review.on_change(gone, come)
      end
    end, file)
  end)
  reviews[buffer] = review
  marks.highlight()
  marks.update(review)
  publish(review)
  follow_proposal(review)
  follow_original(review)
  return review
end

---Takes in what has happened, before the text is written: plain undo does not know of the final line break.
---@param buffer integer of a proposal
function M.settle(buffer)
  if reviews[buffer] then
    M.refresh(reviews[buffer])
  end
end

---@param buffer integer of a proposal
---@return claudecode.diff.Review?
function M.get(buffer)
  return reviews[buffer]
end

return M
