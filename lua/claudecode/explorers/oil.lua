-- oil: the entries of a folder that is edited as a buffer.
local M = { name = "oil" }

function M.rows(buffer, first, last)
  local oil = require("oil")
  local folder = oil.get_current_dir(buffer)
  if not folder then
    local name = vim.api.nvim_buf_get_name(buffer)
    return nil, ("%s is no folder of this computer, so Claude could not read it"):format(name)
  end
  local paths = {}
  for row = first, last do
    local entry = oil.get_entry_on_line(buffer, row)
    if entry and entry.name ~= ".." and entry.name ~= "." then
      paths[#paths + 1] = folder:gsub("/*$", "") .. "/" .. entry.name
    end
  end
  return paths
end

return M
