-- What a call like `require("claudecode.terminal").open({ split_side = "left" })` wants otherwise than the options say.
local M = {}

---@class claudecode.TerminalOverrides
---@field split_side? "left"|"right"
---@field split_width_percentage? number
---@field position? "split"|"float"|"tab"
---@field auto_insert? boolean
---@field cwd? string
---@field git_repo_cwd? boolean
---@field cwd_provider? fun(context: {file: string?, file_dir: string?, cwd: string}): string?

---@param overrides claudecode.TerminalOverrides?
---@return table view what of them is about the window, for the host to check
function M.view(overrides)
  local view = vim.empty_dict()
  for _, name in ipairs({ "split_side", "split_width_percentage", "position", "auto_insert" }) do
    view[name] = (overrides or {})[name]
  end
  return view
end

return M
