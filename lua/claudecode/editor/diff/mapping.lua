-- What a key that the user has mapped will run, as far as the mapping says.
local M = {}

local depth = 5 -- of maps to <Plug> maps

-- The first letter of nvim_get_mode() -> the mode of a mapping.
local modes = { i = "i", R = "i", v = "x", V = "x", ["\22"] = "x", s = "s", S = "s", ["\19"] = "s" }

---@class claudecode.diff.Mapping
---@field lines string[] what it runs as |<Cmd>|
---@field is_open boolean it runs what can't be seen: a Lua function, an expression
---@field hint string how it is called: its keys and its description

---@param keys string as they were typed
---@return claudecode.diff.Mapping? mapping nil when there is none
function M.find(keys)
  local mode = modes[vim.api.nvim_get_mode().mode:sub(1, 1)] or "n"
  local lhs = vim.fn.keytrans(keys)
  local found
  for _ = 1, depth do
    local map = vim.fn.maparg(lhs, mode, false, true)
    if not map.lhs then
      break
    end
    found = found or { lines = {}, is_open = false, hint = lhs .. " " .. (map.desc or "") }
    if map.callback or map.expr == 1 then
      found.is_open = true
      break
    end
    for line in (map.rhs or ""):gmatch("<[Cc][Mm][Dd]>(.-)<[Cc][Rr]>") do
      found.lines[#found.lines + 1] = (line:gsub("<[Bb]ar>", "|"):gsub("<lt>", "<"))
    end
    lhs = map.rhs or ""
  end
  return found
end

return M
