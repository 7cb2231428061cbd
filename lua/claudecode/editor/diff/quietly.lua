-- Steps that nobody else shall notice: without autocommands, and with global options of our own for their time.
local M = {}

---Runs `step` with these global options. They are as before when it ends, however it ends.
---@param options table<string, any>
---@param step fun(): any
---@return any value what `step` returned
function M.with(options, step)
  local before = { eventignore = vim.go.eventignore }
  vim.go.eventignore = "all" -- first, so that no OptionSet is told of the others
  for name, value in pairs(options) do
    before[name] = before[name] or vim.go[name]
    vim.go[name] = value
  end
  local done, value = xpcall(step, debug.traceback)
  local events = before.eventignore
  before.eventignore = nil
  for name, old in pairs(before) do
    vim.go[name] = old
  end
  vim.go.eventignore = events
  if not done then
    error(value, 0)
  end
  return value
end

return M
