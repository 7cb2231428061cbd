-- What key maps of the Lua plugin's users call. Our own code is in claudecode.explorers.
local M = {}

---The files that the file explorer in the current window shows: the marked ones, else the one under the cursor.
---@return string[]? paths
---@return string? reason why there are none, a sentence
function M.get_selected_files_from_tree()
  local buffer = vim.api.nvim_get_current_buf()
  local explorers = require("claudecode.explorers")
  if not explorers.is_explorer(buffer) then
    return nil, ("this is no file explorer that is known (its 'filetype' is \"%s\")"):format(vim.bo[buffer].filetype)
  end
  return explorers.files(buffer)
end

return M
