-- The provider "none": Claude runs in a terminal of the user's own.
local M = {}

local nowhere =
  'terminal.provider is "none": start `claude --ide` in a terminal of your own, or type /ide in one that runs'

local None = {}
None.__index = None

function M.is_available()
  return true
end

function M.new()
  return setmetatable({}, None)
end

function None:is_running() -- luacheck: ignore 212
  return false
end

---@return nil, string
function None:start() -- luacheck: ignore 212
  return nil, nowhere
end

function None:stop() end -- luacheck: ignore 212

return M
