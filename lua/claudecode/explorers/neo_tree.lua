-- neo-tree: its sources of files (filesystem, buffers, git_status), by the state of the current window.
local M = { name = "neo-tree" }

local sources = { filesystem = true, buffers = true, git_status = true }

---@return table? state with a tree
---@return string? reason
local function state_of(buffer)
  local source = vim.b[buffer].neo_tree_source
  if source and not sources[source] then
    return nil, ("neo-tree shows no files here, but %s"):format(source)
  end
  local state = require("neo-tree.sources.manager").get_state_for_window(vim.api.nvim_get_current_win())
  if not (state and state.tree) then
    return nil, "neo-tree shows nothing yet"
  end
  return state
end

---Messages such as "3 hidden items" have a type, but no file. The root is at depth 1.
local function path_of(node)
  if node and node.type ~= "message" and node:get_depth() > 1 then
    return node.path or node:get_id()
  end
end

function M.marked(buffer)
  local state, reason = state_of(buffer)
  if not state then
    return nil, reason
  end
  local paths = {}
  for id in pairs(state.selected or {}) do
    paths[#paths + 1] = path_of(state.tree:get_node(id))
  end
  table.sort(paths) -- it keeps them in no order
  return paths
end

function M.rows(buffer, first, last)
  local state, reason = state_of(buffer)
  if not state then
    return nil, reason
  end
  local paths = {}
  for row = first, last do
    paths[#paths + 1] = path_of(state.tree:get_node(row))
  end
  return paths
end

return M
