-- Installs the package that talks to Jupyter kernels: it is native, and only for those who let Claude run code.
local M = {}

local is_running = false

---@param result vim.SystemCompleted
local function finish(result)
  local notice = require("claudecode.notice")
  is_running = false
  require("claudecode.log").add(vim.trim((result.stdout or "") .. (result.stderr or "")))
  if result.code == 0 then
    notice.show("info", "Claude can run code in notebooks now: ask it again")
  else
    local text = ("npm could not install zeromq (exit code %d); :ClaudeCodeLog has its reason"):format(result.code)
    notice.show("error", text)
  end
end

---Runs npm in the background.
function M.run()
  local notice = require("claudecode.notice")
  local root = require("claudecode.host").root()
  if vim.uv.fs_stat(root .. "/node_modules/zeromq") then
    return notice.show("info", "what notebooks need is installed already")
  end
  if is_running then
    return notice.show("info", "npm is still at it")
  end
  local npm = vim.fn.exepath("npm")
  if npm == "" then
    return notice.show("error", "npm was not found: it comes with Node.js, 20.19 or newer")
  end
  local options = { cwd = root, text = true }
  local started, reason = pcall(vim.system, { npm, "run", "notebooks" }, options, vim.schedule_wrap(finish))
  if not started then
    return notice.show("error", ("%s does not start: %s"):format(npm, reason))
  end
  is_running = true
  notice.show("info", "npm installs what notebooks need…")
end

return M
