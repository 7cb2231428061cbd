-- mini.files: the entries of the column that the cursor is in.
local M = { name = "mini.files" }

function M.rows(buffer, first, last)
  local files = require("mini.files")
  local paths = {}
  for row = first, last do
    local entry = files.get_fs_entry(buffer, row)
    paths[#paths + 1] = entry and entry.path
  end
  return paths
end

return M
