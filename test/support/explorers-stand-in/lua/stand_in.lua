-- What the stand-ins for file explorers share: a window with a row for each file and folder below a folder.
local M = {}

---@param folder string
---@param is_deep boolean with what is in its folders, each below its own row
---@return {name: string, path: string, type: string, depth: integer}[] nodes
function M.list(folder, is_deep, depth)
  depth = depth or 1
  local nodes = {}
  for name, type in vim.fs.dir(folder) do
    nodes[#nodes + 1] = { name = name, path = folder .. "/" .. name, type = type, depth = depth }
  end
  table.sort(nodes, function(a, b)
    return a.name < b.name
  end)
  local all = {}
  for _, node in ipairs(nodes) do
    all[#all + 1] = node
    if is_deep and node.type == "directory" then
      vim.list_extend(all, M.list(node.path, true, depth + 1))
    end
  end
  return all
end

---Shows lines in the current window, as a buffer with a 'filetype' of its own.
---@param lines string[]
---@param filetype string
---@param name string?
---@return integer buffer
function M.show(lines, filetype, name)
  local buffer = vim.api.nvim_create_buf(false, true)
  if name then
    vim.api.nvim_buf_set_name(buffer, name)
  end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = filetype
  vim.api.nvim_set_current_buf(buffer)
  return buffer
end

---The lines of nodes, with what a tree draws before them.
function M.lines(nodes)
  return vim.tbl_map(function(node)
    return ("%s> %s"):format(("| "):rep(node.depth), node.name)
  end, nodes)
end

return M
