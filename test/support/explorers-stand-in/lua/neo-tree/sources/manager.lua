-- In the place of neo-tree where it is not there: a state with a tree, whose nodes are of the kind of nui.nvim.
local M = {}
local state

local Node = {}
Node.__index = Node

function Node:get_id()
  return self.path
end

function Node:get_depth()
  return self.depth
end

function M._open()
  local stand_in = require("stand_in")
  local root = vim.fn.getcwd()
  local nodes = { { name = root, path = root, type = "directory", depth = 1 } }
  vim.list_extend(nodes, stand_in.list(root, true, 2))
  nodes[#nodes + 1] = { name = "(2 hidden items)", type = "message", depth = 2 }
  local by_path = {}
  for _, node in ipairs(nodes) do
    setmetatable(node, Node)
    by_path[node.path or ""] = node
  end
  local buffer = stand_in.show(stand_in.lines(nodes), "neo-tree")
  vim.b[buffer].neo_tree_source = "filesystem"
  local tree = {
    get_node = function(_, id)
      return type(id) == "string" and by_path[id] or nodes[id or vim.api.nvim_win_get_cursor(0)[1]]
    end,
  }
  state = { tree = tree, selected = {} }
  vim.keymap.set("n", "<Tab>", function()
    state.selected[tree:get_node():get_id()] = true
  end, { buffer = buffer })
end

function M.get_state_for_window()
  return state
end

return M
