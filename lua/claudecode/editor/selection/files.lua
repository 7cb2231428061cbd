-- Which buffers are files that Claude may be told about. Everything else leaves the last file as it is.
local M = {}

local looked_up = {} ---@type table<integer, {name: string, is_folder: boolean}> the last name of each buffer, on the disk

---A folder that a file explorer has taken over, or will.
local function is_folder(buffer, name)
  local known = looked_up[buffer]
  if not known or known.name ~= name then
    known = { name = name, is_folder = vim.fn.isdirectory(name) == 1 }
    looked_up[buffer] = known
  end
  return known.is_folder
end

---True for a file of this machine, saved or not. Not for terminals, prompts, help, quickfix and other buffers with a
---'buftype' (our own proposals too), nor for unnamed ones, folders, names such as `scheme://…`, and file explorers, of
---which netrw's tree has no 'buftype' and a name that could be a file's.
---@param buffer integer
---@return boolean
function M.is_file(buffer)
  local of_buffer = vim.fn.getbufvar -- far quicker than `vim.bo` and `vim.b`, and this is asked of every buffer
  if of_buffer(buffer, "&buftype") ~= "" then
    return false
  end
  local name = vim.api.nvim_buf_get_name(buffer)
  return name ~= ""
    and not name:find("^%a[%w+.-]+:/") -- two letters and more: `C:/` is a drive
    and of_buffer(buffer, "claudecode_diff_tab_name") == ""
    and not is_folder(buffer, name)
    and not require("claudecode.explorers").has(of_buffer(buffer, "&filetype"))
end

---The window whose file counts while the user is somewhere else, such as in Claude's terminal: the one that the user
---came from, else the first of this tab page.
---@return integer? window
function M.nearest_window()
  local windows = vim.api.nvim_tabpage_list_wins(0)
  table.insert(windows, 1, vim.fn.win_getid(vim.fn.winnr("#")))
  table.insert(windows, 1, vim.api.nvim_get_current_win())
  for _, window in ipairs(windows) do
    if window ~= 0 and M.is_file(vim.api.nvim_win_get_buf(window)) then
      return window
    end
  end
end

return M
