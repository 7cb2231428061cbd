-- Where the hunks of a review are, and which are meant by lines.
local sources = require("claudecode.editor.diff.hunks.source")

local M = {}

---The hunks of some lines, else one that is missing right below them.
---@param review claudecode.diff.Review
---@param first integer 0-based
---@param last integer 0-based
---@param is_original boolean? they are lines of the original
---@return claudecode.diff.Hunk[]
function M.at(review, first, last, is_original)
  local side, length = 3, review.tracked.length
  if is_original then
    side, length = 1, #review.tracked.base.lines
    first, last = sources.lines_in_base(review.source, review.tracked.base, first, last)
  end
  local found, below = {}, {}
  for _, hunk in ipairs(review.tracked.hunks) do
    local from, count = hunk[side], hunk[side + 1]
    if math.min(from, math.max(length - 1, 0)) <= last and from + math.max(count, 1) - 1 >= first then
      found[#found + 1] = hunk
    elseif count == 0 and from == last + 1 then
      below[#below + 1] = hunk
    end
  end
  return #found > 0 and found or below
end

---The line where a hunk is: its first one, or the one behind what is missing, if there is one.
---@param review claudecode.diff.Review
---@param hunk claudecode.diff.Hunk
---@return integer line 0-based
function M.line_of(review, hunk)
  return math.max(math.min(hunk[3], review.tracked.length - 1), 0)
end

---The hunk that comes next in a direction, the first one again behind the last.
---@param review claudecode.diff.Review
---@param line integer 0-based
---@param step 1|-1
---@return claudecode.diff.Hunk? hunk nil when there is none
---@return boolean is_around it went around the end
function M.next(review, line, step)
  local hunks = review.tracked.hunks
  local first, last = step > 0 and 1 or #hunks, step > 0 and #hunks or 1
  for index = first, last, step do
    if (M.line_of(review, hunks[index]) - line) * step > 0 then
      return hunks[index], false
    end
  end
  return hunks[first], true
end

return M
