-- nvim-tree: what |nvim-tree-api| tells.
local M = { name = "nvim-tree" }

---The root has no parent, and in older versions is a node called "..".
local function path_of(node)
  if node and node.absolute_path and node.parent and node.name ~= ".." then
    return node.absolute_path
  end
end

function M.marked()
  local paths = {}
  for _, node in ipairs(require("nvim-tree.api").marks.list() or {}) do
    paths[#paths + 1] = path_of(node)
  end
  table.sort(paths) -- it keeps them in no order
  return paths
end

function M.rows(_, first, last)
  local tree = require("nvim-tree.api").tree
  local window = vim.api.nvim_get_current_win()
  local view = vim.fn.winsaveview()
  local paths = {}
  local done, err = pcall(function()
    for row = first, last do
      vim.api.nvim_win_set_cursor(window, { row, 0 }) -- it tells of the node under the cursor only
      paths[#paths + 1] = path_of(tree.get_node_under_cursor())
    end
  end)
  vim.fn.winrestview(view)
  if not done then
    error(err, 0)
  end
  return paths
end

return M
