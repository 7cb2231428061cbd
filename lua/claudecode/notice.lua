-- What the user is told: one line at a time, never in a fast context, never twice in a row.
local M = {}

local levels = {
  error = vim.log.levels.ERROR,
  warn = vim.log.levels.WARN,
  info = vim.log.levels.INFO,
}

---Shows one line. A longer text would open a "press ENTER" prompt, at which Neovim answers nobody.
---@param level "error"|"warn"|"info"
---@param text string
function M.show(level, text)
  local line = text:gsub("%s*\n%s*", " ")
  require("claudecode.log").add(("%s %s"):format(level:upper(), line))
  vim.schedule(function()
    vim.notify("claudecode: " .. line, levels[level], { title = "Claude Code" })
  end)
end

M.rpc = {
  ---@param args {level: "error"|"warn"|"info", text: string}
  show = function(args)
    M.show(args.level, args.text)
    return true
  end,
}

return M
