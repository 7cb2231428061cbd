-- What was selected last: it still counts after Visual mode until the cursor moves or the text changes.
local facts = require("claudecode.editor.selection.facts")
local files = require("claudecode.editor.selection.files")
local privacy = require("claudecode.editor.privacy")

local M = {}

local visual ---@type {buffer: integer, changedtick: integer, block: claudecode.SelectionFacts?}? Visual mode, as last seen
local held ---@type {buffer: integer, changedtick: integer, cursor: integer[]}? what was selected counts while the cursor is here

---Notes that the user is in Visual or Select mode, if they are.
function M.see_visual()
  local kind = facts.kind(vim.fn.mode())
  if kind then
    local buffer = vim.api.nvim_get_current_buf()
    visual = {
      buffer = buffer,
      changedtick = vim.api.nvim_buf_get_changedtick(buffer),
      block = kind == "blockwise" and facts.selected(kind) or nil,
    }
  end
end

---@return boolean visual whether Visual mode was seen, and not its end
function M.is_visual()
  return visual ~= nil
end

---Visual mode has ended: what was selected counts from now on, unless an operator has changed the text. Then it exists no
---more.
---@return claudecode.SelectionFacts? dropped without text
function M.end_visual()
  local seen = visual
  visual = nil
  local buffer = vim.api.nvim_get_current_buf()
  if not seen or seen.buffer ~= buffer or not files.is_file(buffer) or privacy.is_hidden(buffer) then
    return nil
  end
  local changedtick = vim.api.nvim_buf_get_changedtick(buffer)
  if changedtick ~= seen.changedtick then
    held = nil
    return nil
  end
  local dropped = facts.dropped(seen.block)
  if dropped then
    held = { buffer = buffer, changedtick = changedtick, cursor = vim.fn.getpos(".") }
  end
  return dropped
end

---@param buffer integer the current one
---@return boolean counts whether what was selected in it still counts
function M.counts(buffer)
  return held ~= nil
    and held.buffer == buffer
    and held.changedtick == vim.api.nvim_buf_get_changedtick(buffer)
    and vim.deep_equal(held.cursor, vim.fn.getpos("."))
end

---Something else is selected, or nothing: what was does not count any more.
function M.let_go()
  held = nil
end

---Visual mode is over without a look at what was selected.
function M.leave_visual()
  visual = nil
end

---@param buffer integer
function M.forget(buffer)
  visual = (not visual or visual.buffer ~= buffer) and visual or nil
  held = (not held or held.buffer ~= buffer) and held or nil
end

return M
