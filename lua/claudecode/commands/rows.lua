-- The rows of a buffer that the user means: those of Visual mode, or of a command's range.
local M = {}

---Leaves Visual and Select mode, where a command from a `<Cmd>` key map finds the user.
---@return integer? first the rows that were selected, 1-based; nil when the mode is another one
---@return integer? last
function M.leave_visual()
  if not vim.fn.mode():match("^[vV\22sS\19]") then
    return nil
  end
  local first, last = vim.fn.line("v"), vim.fn.line(".")
  vim.cmd.normal({ "\27", bang = true })
  return math.min(first, last), math.max(first, last)
end

---@param call {range: integer, line1: integer, line2: integer} as a user command gets it
---@return integer? first 1-based; nil without a selection and a range
---@return integer? last
---@return boolean was_visual
function M.take(call)
  local first, last = M.leave_visual()
  if first then
    return first, last, true
  elseif call.range > 0 then
    return math.min(call.line1, call.line2), math.max(call.line1, call.line2), false
  end
  return nil, nil, false
end

return M
