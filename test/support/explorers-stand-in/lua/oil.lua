-- In the place of oil where it is not there: a folder as a buffer, its name a URL.
local M = {}
local folders, entries = {}, {}

function M.setup() end

---@param folder string or a URL, such as oil-ssh://host/folder/
function M.open(folder)
  local is_local = folder:sub(1, 1) == "/"
  local nodes = { { name = "..", type = "directory" } }
  vim.list_extend(nodes, is_local and require("stand_in").list(folder, false) or { { name = "a.txt", type = "file" } })
  local lines = vim.tbl_map(function(node)
    return node.name .. (node.type == "directory" and "/" or "")
  end, nodes)
  local buffer = require("stand_in").show(lines, "oil", is_local and ("oil://%s/"):format(folder) or folder)
  folders[buffer], entries[buffer] = is_local and folder .. "/" or nil, nodes
end

function M.get_current_dir(buffer)
  return folders[buffer]
end

function M.get_entry_on_line(buffer, row)
  return entries[buffer][row]
end

return M
