-- The hunks between a base text and the text of a buffer, kept up to date while either changes: only what is near a
-- change is compared anew, so that a key typed in a long text costs nothing.
local compare = require("claudecode.editor.diff.hunks.compare")
local texts = require("claudecode.editor.diff.hunks.text")

local M = {}

local old_side, new_side = 1, 3 -- where a hunk has its line; its count is behind it

---@class claudecode.diff.Tracked
---@field buffer integer
---@field base claudecode.diff.Text
---@field hunks claudecode.diff.Hunk[]
---@field length integer lines of the text
---@field eol boolean of the text
---@field count integer lines of the buffer
---@field endofline boolean of the buffer
---@field edit {first: integer, last: integer, now: integer}? lines changed since then; they end at `now` instead of `last`
---@field is_stale boolean all must be compared
---@field on_change fun(gone: claudecode.diff.Hunk[], come: claudecode.diff.Hunk[])

local function note_state(tracked)
  tracked.edit, tracked.is_stale = nil, false
  tracked.count = vim.api.nvim_buf_line_count(tracked.buffer)
  tracked.endofline = vim.bo[tracked.buffer].endofline
end

---@param tracked claudecode.diff.Tracked
---@param whole string? the text of the buffer, when it is at hand
local function compare_all(tracked, whole)
  local gone = tracked.hunks
  local base = tracked.base
  if whole then
    tracked.length, tracked.eol = vim.api.nvim_buf_line_count(tracked.buffer), vim.bo[tracked.buffer].endofline
  else
    local text = texts.of(tracked.buffer)
    whole = texts.join(text.lines, text.eol)
    tracked.length, tracked.eol = #text.lines, text.eol
  end
  local come = compare.texts(texts.join(base.lines, base.eol), whole)
  M.replace(tracked, come, gone, come)
end

---The hunks that touch some lines of a side, and those lines widened to the whole of them.
local function around(hunks, side, from, to)
  local low = 1
  while hunks[low] and hunks[low][side] + hunks[low][side + 1] < from do
    low = low + 1
  end
  local high = low - 1
  while hunks[high + 1] and hunks[high + 1][side] <= to do
    high = high + 1
    to = math.max(to, hunks[high][side] + hunks[high][side + 1])
  end
  if high >= low then
    from = math.min(from, hunks[low][side])
  end
  return low, high, from, to
end

---How much further down a line behind a hunk is on the other side.
---@param hunk claudecode.diff.Hunk? nil for a line before the first one
---@param side 1|3
---@return integer
function M.shift_behind(hunk, side)
  local other = 4 - side
  return hunk and hunk[other] + hunk[other + 1] - hunk[side] - hunk[side + 1] or 0
end

---Compares some lines of the base with some of the buffer.
---@return claudecode.diff.Hunk[]? hunks nil when the line before counts, too: one text ends there, without a line break
local function compare_part(tracked, old_from, old_to, new_from, new_to, is_end)
  local base = tracked.base
  local old = vim.list_slice(base.lines, old_from + 1, old_to)
  local new, eol = vim.api.nvim_buf_get_lines(tracked.buffer, new_from, is_end and -1 or new_to, false), true
  if is_end then
    new, eol = texts.canonical(new, vim.bo[tracked.buffer].endofline)
    tracked.length = new_from + #new
    tracked.eol = #new > 0 and eol or vim.bo[tracked.buffer].endofline
    if old_from > 0 and new_from > 0 and ((#old == 0 and not base.eol) or (#new == 0 and not tracked.eol)) then
      return nil
    end
  end
  local come = compare.texts(texts.join(old, not is_end or base.eol), texts.join(new, eol))
  for _, hunk in ipairs(come) do
    hunk[old_side] = hunk[old_side] + old_from
    hunk[new_side] = hunk[new_side] + new_from
  end
  return come
end

---Compares again what is near a change of one side, which has taken place already: nothing but the hunks that it touches,
---for others stay as they are, and where they are.
---@param tracked claudecode.diff.Tracked
---@param side 1|3
---@param length integer lines of that side before
---@param first integer
---@param last integer behind the lines that changed, as they were numbered before
---@param delta integer lines that it is longer by now
local function compare_near(tracked, side, length, first, last, delta)
  local hunks = tracked.hunks
  local low, high, from, to = around(hunks, side, math.min(first, length), math.min(last, length))
  local is_end = to == length
  local other_from = from + M.shift_behind(hunks[low - 1], side)
  local other_to = to + M.shift_behind(hunks[high], side)
  local come
  if side == new_side then
    come = compare_part(tracked, other_from, other_to, from, to + delta, is_end)
  else
    come = compare_part(tracked, from, to + delta, other_from, other_to, is_end)
  end
  if not come then
    compare_near(tracked, side, length, from - 1, to, delta)
    return
  end
  if side == new_side and not is_end then
    tracked.length = tracked.length + delta
  end
  local gone = vim.list_slice(hunks, low, high)
  local all = vim.list_slice(hunks, 1, low - 1)
  vim.list_extend(all, come)
  for index = high + 1, #hunks do
    hunks[index][side] = hunks[index][side] + delta
    all[#all + 1] = hunks[index]
  end
  M.replace(tracked, all, gone, come)
end

local function note_edit(tracked, first, last, now)
  local edit = tracked.edit
  if not edit then
    tracked.edit = { first = first, last = last, now = now }
    return
  end
  local reach = math.max(edit.now, last)
  edit.last = edit.last + reach - edit.now
  edit.now = reach + now - last
  edit.first = math.min(edit.first, first)
end

---Takes in what has happened to the buffer.
---@param tracked claudecode.diff.Tracked
function M.refresh(tracked)
  local edit = tracked.edit
  local has_eol_changed = vim.bo[tracked.buffer].endofline ~= tracked.endofline
  local expected = tracked.count + (edit and edit.now - edit.last or 0)
  local count = vim.api.nvim_buf_line_count(tracked.buffer)
  if tracked.is_stale or count ~= expected or tracked.length == 0 or texts.is_empty(tracked.buffer) then
    if tracked.is_stale or edit or has_eol_changed then
      compare_all(tracked)
    end
    return
  end
  if has_eol_changed then
    local first = math.min(edit and edit.first or tracked.count - 1, tracked.count - 1)
    edit = { first = first, last = tracked.count, now = count }
  end
  if edit then
    compare_near(tracked, new_side, tracked.length, edit.first, edit.last, edit.now - edit.last)
  end
end

---Changes the base. The buffer's own changes must have been taken in before.
---@param tracked claudecode.diff.Tracked
---@param at integer 0-based
---@param count integer of lines that go
---@param lines string[]
---@param eol boolean
---@param settle fun(): boolean? brings the hunks in line itself, where it returns true
function M.change_base(tracked, at, count, lines, eol, settle)
  local base = tracked.base
  local length = #base.lines
  texts.splice(base.lines, at, count, lines)
  base.eol = eol
  if tracked.length == 0 then
    compare_all(tracked)
  elseif not (settle and settle()) then
    compare_near(tracked, old_side, length, at, at + count, #lines - count)
  end
end

---Takes in a change of the buffer which `settle` knows all about.
---@param tracked claudecode.diff.Tracked
---@param settle fun(): boolean as for `change_base`
function M.change_text(tracked, settle)
  if tracked.length == 0 or texts.is_empty(tracked.buffer) or not settle() then
    M.refresh(tracked)
  end
end

---Other hunks, which are right for the texts as they are now.
---@param tracked claudecode.diff.Tracked
---@param hunks claudecode.diff.Hunk[]
---@param gone claudecode.diff.Hunk[]
---@param come claudecode.diff.Hunk[]
function M.replace(tracked, hunks, gone, come)
  tracked.hunks = hunks
  note_state(tracked)
  tracked.on_change(gone, come)
end

---@param tracked claudecode.diff.Tracked
---@param base claudecode.diff.Text another one
function M.set_base(tracked, base)
  tracked.base = base
  compare_all(tracked)
end

---Follows the buffer. |:edit| ends that, though the buffer stays.
---@param tracked claudecode.diff.Tracked
---@param calls {on_edit: fun(), on_gone: fun()}
function M.attach(tracked, calls)
  vim.api.nvim_buf_attach(tracked.buffer, false, {
    on_lines = function(_, _, _, first, last, now)
      note_edit(tracked, first, last, now)
      calls.on_edit()
    end,
    on_reload = function()
      tracked.is_stale = true
      calls.on_edit()
    end,
    on_detach = calls.on_gone,
  })
end

---@param buffer integer
---@param base claudecode.diff.Text becomes the tracker's own
---@param on_change fun(gone: claudecode.diff.Hunk[], come: claudecode.diff.Hunk[])
---@param file string? that the buffer was just read from
---@return claudecode.diff.Tracked
function M.new(buffer, base, on_change, file)
  local tracked = { buffer = buffer, base = base, hunks = {}, on_change = on_change }
  compare_all(tracked, file and texts.of_file(buffer, file))
  return tracked
end

return M
