-- The bodies of the user commands: what they tell the host. One function each, named like its command.
local M = {}

local function ask(event, payload)
  require("claudecode")._prepare()
  require("claudecode.host").ask(event, payload)
end

---What the host needs to know to start a program as the user would: folder, and what proxies say in the environment.
local function launch_context()
  return { cwd = vim.fn.getcwd(), no_proxy = vim.env.no_proxy, NO_PROXY = vim.env.NO_PROXY }
end

function M.ClaudeCode(call)
  ask("toggleTerminal", { arguments = call.args, context = launch_context() })
end

function M.ClaudeCodeStart()
  require("claudecode").start()
end

function M.ClaudeCodeStop()
  require("claudecode").stop()
end

function M.ClaudeCodeStatus()
  local status = require("claudecode.status").get()
  local text = "the server is not running; :ClaudeCodeStart starts it"
  if status.port then
    text = ("the server runs on port %d, %d connected"):format(status.port, status.clients)
  end
  require("claudecode.notice").show("info", text)
end

function M.ClaudeCodeDiffAccept()
  require("claudecode.editor.diff").accept()
end

function M.ClaudeCodeDiffDeny()
  require("claudecode.editor.diff").deny()
end

function M.ClaudeCodeCloseAllDiffs()
  ask("closeAllDiffs", {})
end

function M.ClaudeCodeKernelRestart()
  ask("kernelRestart", {})
end

function M.ClaudeCodeKernelInterrupt()
  ask("kernelInterrupt", {})
end

function M.ClaudeCodeLog()
  require("claudecode.log").open()
end

return M
