-- The `User` events. A handler of the user's that fails costs a notice: its error would be several lines, at which
-- Neovim waits for a key and answers nobody.
local M = {}

local waiting ---@type {pattern: string, data: table}?

---@param pattern string
---@param data table
function M.send(pattern, data)
  waiting = { pattern = pattern, data = data }
  local before = vim.v.errmsg
  vim.v.errmsg = ""
  vim.api.nvim_cmd({
    cmd = "lua",
    args = { "require('claudecode.announce')._run()" },
    mods = { silent = true, emsg_silent = true },
  }, {})
  if vim.v.errmsg ~= "" then
    require("claudecode.notice").show("error", ("a handler of %s failed: %s"):format(pattern, vim.v.errmsg))
  else
    vim.v.errmsg = before
  end
end

---Runs the handlers, inside of |:silent|, which takes only commands.
function M._run()
  local event = waiting
  waiting = nil
  if event then
    vim.api.nvim_exec_autocmds("User", { pattern = event.pattern, data = event.data, modeline = false })
  end
end

return M
