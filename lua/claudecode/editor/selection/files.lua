-- Which buffers are files that Claude may be told about. Everything else leaves the last file as it is.
local M = {}

local folder = {} ---@type {name: string?, is: boolean?} the last name that was looked up on the disk

---A folder that a file explorer has taken over, or will.
local function is_folder(name)
  if folder.name ~= name then
    folder = { name = name, is = vim.fn.isdirectory(name) == 1 }
  end
  return folder.is
end

---True for a file of this machine, saved or not. Not for terminals, prompts, help, quickfix, explorers and other
---buffers with a 'buftype' (our own proposals too), nor for unnamed ones, folders, and names such as `scheme://…`.
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
    and not is_folder(name)
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
