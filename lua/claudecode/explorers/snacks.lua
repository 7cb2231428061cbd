-- snacks.nvim: its explorer and its pickers, whichever of their windows the cursor is in.
local M = { name = "snacks" }

---@return table? picker the one that the user is in, else the newest of this tab page
---@return string? reason
local function current()
  local pickers = require("snacks").picker.get({ tab = true })
  for _, picker in ipairs(pickers) do
    if picker:is_focused() then
      return picker
    end
  end
  if #pickers == 0 then
    return nil, "this picker of snacks.nvim is closed"
  end
  return pickers[#pickers]
end

---The paths of the items that are files. The explorer's root is the picker's own folder.
---@param items table[]
local function paths_of(picker, items)
  local paths = {}
  for _, item in ipairs(items) do
    local path = type(item.file) == "string" and item.file ~= "" and require("snacks").picker.util.path(item)
    if path and not (item.dir and path == picker:cwd()) then
      paths[#paths + 1] = path
    end
  end
  return paths
end

function M.under_cursor()
  local picker, reason = current()
  if not picker then
    return nil, reason
  end
  return paths_of(picker, picker:selected({ fallback = true }))
end

function M.rows(buffer, first, last)
  local picker, reason = current()
  if not picker then
    return nil, reason
  elseif vim.bo[buffer].filetype ~= "snacks_picker_list" then
    return M.under_cursor()
  end
  local items = {}
  for row = first, last do
    items[#items + 1] = picker.list:get(picker.list:row2idx(row))
  end
  return paths_of(picker, items)
end

return M
