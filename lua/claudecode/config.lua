-- What the user gave to setup(), as it was given. The host checks it (src/options/schema.ts); Lua reads only what it
-- needs before there is a host, and never trusts its type.
local M = {}

local written = {}

---@param options any
function M.set(options)
  written = options == nil and {} or options
end

---@return claudecode.Options what setup() was called with last; empty when that was no table
function M.given()
  return type(written) == "table" and written or {}
end

---One top-level option, when it has the type that Lua needs.
---@param name string
---@param type_name type
---@return any value nil when it is not set, or of another type
function M.get(name, type_name)
  local value = M.given()[name]
  if type(value) == type_name then
    return value -- may be false
  end
end

---@return string program the Node program: a name, or a path
function M.node_cmd()
  return vim.fs.normalize(M.get("node_cmd", "string") or "node")
end

local function data_only(value, seen)
  if type(value) ~= "table" then
    return type(value) == "function" and "<function>" or value
  end
  if seen[value] then
    return "<table that contains itself>"
  end
  seen[value] = true
  local copy = vim.empty_dict()
  local is_list = vim.islist(value) and next(value) ~= nil
  if is_list then
    copy = {}
  end
  for key, item in pairs(value) do
    copy[is_list and key or tostring(key)] = data_only(item, seen)
  end
  seen[value] = nil
  return copy
end

---The options as data that can travel: functions cannot.
---@return any
function M.as_data()
  return data_only(written, {})
end

return M
