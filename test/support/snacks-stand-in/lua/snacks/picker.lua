-- In the place of the picker of snacks.nvim where it is not there: its explorer, as a list in a window.
local M = { util = {} }
local picker ---@type table?

local List = {}
List.__index = List

function List:get(index)
  return self.items[index]
end

function List:row2idx(row)
  return row
end

local Picker = {}
Picker.__index = Picker

function Picker:is_focused()
  return vim.list_contains({ self.buffer, self.input }, vim.api.nvim_get_current_buf())
end

function Picker:cwd()
  return self.folder
end

function Picker:selected(options)
  if #self.chosen == 0 and options and options.fallback then
    return { self.list:get(vim.api.nvim_win_get_cursor(vim.fn.bufwinid(self.buffer))[1]) }
  end
  return self.chosen
end

function M.get()
  return { picker }
end

function M.util.path(item)
  return item.file
end

---@param folder string
---@param list fun(folder: string): table[]
---@param show fun(lines: string[]): integer
function M.open(folder, list, show)
  local items, lines = { { file = folder, dir = true } }, { folder }
  for _, node in ipairs(list(folder)) do
    items[#items + 1] = { file = node.path, dir = node.type == "directory" }
    lines[#lines + 1] = "- " .. node.name
  end
  items[#items + 1], lines[#lines + 1] = { text = "no file" }, "no file"
  picker = setmetatable({
    folder = folder,
    chosen = {},
    list = setmetatable({ items = items }, List),
    buffer = show(lines),
  }, Picker)
  vim.keymap.set("n", "<Tab>", function()
    table.insert(picker.chosen, items[vim.api.nvim_win_get_cursor(0)[1]])
  end, { buffer = picker.buffer })
  vim.keymap.set("n", "i", function()
    picker.input = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_open_win(picker.input, true, { split = "above", height = 1 })
    vim.bo[picker.input].filetype = "snacks_picker_input"
    vim.cmd.startinsert()
  end, { buffer = picker.buffer })
end

return M
