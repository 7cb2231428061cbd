-- In the place of nvim-tree where it is not there: the part of its API that tells of files.
local M = { tree = {}, marks = {} }
local rows, marked = {}, {}

function M.tree.open()
  local stand_in = require("stand_in")
  local root = { absolute_path = vim.fn.getcwd(), name = ".." }
  rows = { root }
  local nodes = stand_in.list(root.absolute_path, true)
  for _, node in ipairs(nodes) do
    rows[#rows + 1] = { absolute_path = node.path, name = node.name, type = node.type, parent = root }
  end
  local buffer = stand_in.show(vim.list_extend({ root.absolute_path .. "/.." }, stand_in.lines(nodes)), "NvimTree")
  vim.keymap.set("n", "m", function()
    local node = M.tree.get_node_under_cursor()
    marked[node.absolute_path] = node
  end, { buffer = buffer, nowait = true })
end

function M.tree.expand_all() end

function M.tree.get_node_under_cursor()
  return rows[vim.api.nvim_win_get_cursor(0)[1]]
end

function M.marks.list()
  return vim.tbl_values(marked)
end

return M
