-- The original text that a proposal is reviewed against: the file's buffer, or the file where none is loaded.
local compare = require("claudecode.editor.diff.hunks.compare")
local texts = require("claudecode.editor.diff.hunks.text")

local M = {}

---@class claudecode.diff.Source
---@field buffer integer? whose text may change
---@field text claudecode.diff.Text as it was last
---@field tick integer?
---@field endofline boolean?

local function look(source)
  source.tick = vim.api.nvim_buf_get_changedtick(source.buffer)
  source.endofline = vim.bo[source.buffer].endofline
end

---@param original claudecode.diff.Original? nil for a new file
---@return claudecode.diff.Source
function M.of(original)
  if not original then
    return { text = { lines = {}, eol = true } }
  elseif not vim.api.nvim_buf_is_loaded(original.buffer) then
    return { text = texts.read(vim.api.nvim_buf_get_name(original.buffer)) }
  end
  local source = { buffer = original.buffer, text = texts.of(original.buffer) }
  look(source)
  return source
end

local function copy(text)
  return { lines = vim.list_slice(text.lines), eol = text.eol }
end

---@param source claudecode.diff.Source
---@return claudecode.diff.Text text for a base, which is changed
function M.text(source)
  return copy(source.text)
end

---Calls `run` after each change of the original.
---@param source claudecode.diff.Source
---@param run fun(): boolean? true when nobody asks any more
function M.follow(source, run)
  if source.buffer then
    vim.api.nvim_buf_attach(source.buffer, false, { on_lines = run, on_reload = run })
  end
end

local function join(text)
  return texts.join(text.lines, text.eol)
end

---The new text with what was accepted, as far as it is elsewhere than what has changed.
local function accept_again(old, new, base)
  local moved = compare.texts(join(old), join(new))
  local result = copy(new)
  local accepted = compare.texts(join(old), join(base))
  for index = #accepted, 1, -1 do
    local hunk = accepted[index]
    local shift, is_free = 0, true
    for _, other in ipairs(moved) do
      if other[1] + other[2] < hunk[1] then
        shift = other[3] + other[4] - other[1] - other[2]
      elseif other[1] <= hunk[1] + hunk[2] then
        is_free = false
      end
    end
    if is_free then
      texts.splice(result.lines, hunk[1] + shift, hunk[2], vim.list_slice(base.lines, hunk[3] + 1, hunk[3] + hunk[4]))
      if hunk[1] + hunk[2] == #old.lines then
        result.eol = base.eol
      end
    end
  end
  return result
end

---Where lines of the original are in the base, which has what was accepted.
---@param source claudecode.diff.Source
---@param base claudecode.diff.Text
---@param first integer 0-based
---@param last integer 0-based
---@return integer first
---@return integer last
function M.lines_in_base(source, base, first, last)
  local shift_first, shift_last = 0, 0
  for _, hunk in ipairs(compare.texts(join(source.text), join(base))) do
    local shift = hunk[3] + hunk[4] - hunk[1] - hunk[2]
    shift_first = hunk[1] + hunk[2] <= first and shift or shift_first
    shift_last = hunk[1] + hunk[2] <= last and shift or shift_last
  end
  return first + shift_first, last + shift_last
end

---@param source claudecode.diff.Source
---@param base claudecode.diff.Text the original with what was accepted
---@return claudecode.diff.Text? base the same for the original as it is now; nil when that has not changed
function M.base_after_change(source, base)
  local buffer = source.buffer
  if not buffer or not vim.api.nvim_buf_is_loaded(buffer) then
    return nil
  end
  local tick, endofline = source.tick, source.endofline
  look(source)
  if tick == source.tick and endofline == source.endofline then
    return nil
  end
  local old = source.text
  local new = texts.of(buffer)
  if new.eol == old.eol and vim.deep_equal(new.lines, old.lines) then
    return nil
  end
  source.text = new
  return accept_again(old, new, base)
end

return M
