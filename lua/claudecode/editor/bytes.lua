-- What files hold, byte for byte.
local M = {}

---@param path string
---@return string? bytes nil when the file can't be read
function M.of_file(path)
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local bytes = file:read("*a")
  file:close()
  return bytes
end

return M
