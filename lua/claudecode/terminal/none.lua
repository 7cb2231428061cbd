-- The provider "none": Claude runs in a terminal of the user's own.
local M = {}

local nowhere =
  'terminal.provider is "none": start `claude --ide` in a terminal of your own, or type /ide in one that runs'

function M.is_available()
  return true
end

function M.is_running()
  return false
end

---@return nil, string
function M.start()
  return nil, nowhere
end

function M.stop() end

return M
