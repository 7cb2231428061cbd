-- What the user has changed in a proposal that ends without their yes, such as when they approve it in Claude's
-- terminal: their text is kept in a register.
local proposals = require("claudecode.editor.diff.proposal")

local M = {}

local registers = "pqrstuvwxyzabcdefghijklmno"

---The register that takes a text: p (for proposal), or the next one that is free; the user may have a macro in p.
local function free_register()
  for register in registers:gmatch("%a") do
    if vim.fn.getreg(register) == "" then
      return register
    end
  end
  return "p"
end

---Remembers what the proposal is like before the user changes it.
---@param diff claudecode.diff.Diff
function M.begin(diff)
  diff.tick = vim.api.nvim_buf_get_changedtick(diff.buffer)
end

local function keep(diff)
  local buffer = diff.buffer
  if diff.state == "accepted" or not vim.api.nvim_buf_is_loaded(buffer) then
    return nil
  end
  if vim.api.nvim_buf_get_changedtick(buffer) == diff.tick then
    return nil
  end
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  if vim.fn.filereadable(diff.proposal) == 1 then
    local proposed = proposals.read(diff.proposal).lines
    if vim.deep_equal(lines, #proposed > 0 and proposed or { "" }) then
      return nil -- all was undone
    end
  end
  local register = free_register()
  vim.fn.setreg(register, lines, "l")
  return ("the text with your changes is in register %s"):format(register)
end

---Keeps the changes, once: the first call has to come before the host is told, which removes the proposal's file then.
---@param diff claudecode.diff.Diff
---@return string|false note for the user, when there was something to keep
function M.keep(diff)
  if diff.kept == nil then
    diff.kept = keep(diff) or false
  end
  return diff.kept
end

return M
