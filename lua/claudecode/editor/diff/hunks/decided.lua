-- What a decision does to the hunks: one goes, or comes back, and all others stay. Texts that are compared anew may come out as
-- other hunks than those that the user has seen.
local tracker = require("claudecode.editor.diff.hunks.tracked")

local M = {}

local old_side, new_side = 1, 3 -- of a hunk: where its line is; its count is behind that

local function note_text(tracked, side, delta, eol)
  if side == new_side then
    tracked.length = tracked.length + delta
    if eol ~= nil then
      tracked.eol = eol
    end
  end
end

---Takes a hunk out. One side has got the lines of the other one.
---@param tracked claudecode.diff.Tracked
---@param hunk claudecode.diff.Hunk one of them
---@param side 1|3 that has changed
---@param eol boolean? the final line break of the proposal, where that has changed
---@return true
function M.take_out(tracked, hunk, side, eol)
  local delta = hunk[4 - side + 1] - hunk[side + 1]
  local rest, shift = {}, 0
  for _, one in ipairs(tracked.hunks) do
    if one == hunk then
      shift = delta
    else
      one[side] = one[side] + shift
      rest[#rest + 1] = one
    end
  end
  note_text(tracked, side, delta, eol)
  tracker.replace(tracked, rest, { hunk }, {})
  return true
end

---Puts a hunk back. One side, which had the lines of the other one, has got its own again.
---@param tracked claudecode.diff.Tracked
---@param side 1|3 that has changed
---@param hunk claudecode.diff.Hunk its line on the other side may be missing
---@param eol boolean? the final line break of the proposal, where that has changed
---@return boolean done not when something has been edited there
local function put_back(tracked, side, hunk, eol)
  local other = 4 - side
  local count = hunk[other + 1]
  local hunks = tracked.hunks
  local index = 1
  while hunks[index] and hunks[index][side] + hunks[index][side + 1] < hunk[side] do
    index = index + 1
  end
  local line = hunk[side] + tracker.shift_behind(hunks[index - 1], side)
  local is_free = not hunks[index] or hunks[index][side] > hunk[side] + count
  if not is_free or line ~= (hunk[other] or line) then
    return false
  end
  hunk[other] = line
  local delta = hunk[side + 1] - count
  local all = vim.list_slice(hunks, 1, index - 1)
  all[index] = hunk
  for behind = index, #hunks do
    hunks[behind][side] = hunks[behind][side] + delta
    all[behind + 1] = hunks[behind]
  end
  note_text(tracked, side, delta, eol)
  tracker.replace(tracked, all, {}, { hunk })
  return true
end

---Puts back the hunk of a decision that has been taken back, in the text or in the base.
---@param tracked claudecode.diff.Tracked
---@param decision claudecode.diff.Decision
---@param line integer? of the proposed lines, where these are back in the text
---@return boolean done not when something has been edited there
function M.put_back(tracked, decision, line)
  local hunk = { decision.at, #decision.old, line, #decision.new }
  return put_back(tracked, line and new_side or old_side, hunk, line and decision.new_eol)
end

return M
