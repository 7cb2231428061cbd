-- The bodies of the user commands: what they tell the host. One function each, named like its command.
local M = {}

local function ask(event, payload)
  require("claudecode")._prepare()
  require("claudecode.host").ask(event, payload)
end

local function leave_visual()
  require("claudecode.commands.rows").leave_visual()
end

function M.ClaudeCode(call)
  leave_visual()
  require("claudecode.terminal").simple_toggle(nil, call.args)
end

function M.ClaudeCodeFocus(call)
  leave_visual()
  require("claudecode.terminal").focus_toggle(nil, call.args)
end

function M.ClaudeCodeOpen(call)
  leave_visual()
  require("claudecode.terminal").open(nil, call.args)
end

function M.ClaudeCodeClose()
  if not require("claudecode.terminal").close() then
    require("claudecode.notice").show("info", "no Claude runs in Neovim")
  end
end

function M.ClaudeCodeNew(call)
  leave_visual()
  require("claudecode.commands.session_list").new(call.args)
end

function M.ClaudeCodeSessions(call)
  leave_visual()
  require("claudecode.commands.session_list").run(call.args, call.bang and "close" or "go")
end

function M.ClaudeCodeSessionClose(call)
  require("claudecode.commands.session_list").run(call.args, "close")
end

---Completes the name of a session.
function M.complete_session(lead)
  return require("claudecode.commands.session_list").complete(lead)
end

function M.ClaudeCodeSendText(call)
  require("claudecode.terminal").send_to_terminal(call.args, { submit = not call.bang })
end

function M.ClaudeCodeSelectModel(call)
  require("claudecode").open_with_model(call.args)
end

function M.ClaudeCodeResume()
  leave_visual()
  ask("resume", {
    config_dir = require("claudecode.session").config_dir(),
    context = require("claudecode.cwd").launch_context(),
  })
end

function M.ClaudeCodeSend(call)
  require("claudecode.commands.send").run(call)
end

function M.ClaudeCodeAsk(call)
  require("claudecode.commands.send").ask(call)
end

function M.ClaudeCodePrompt(call)
  require("claudecode.prompt").open(call)
end

function M.ClaudeCodeSendDiagnostics(call)
  require("claudecode.commands.diagnostics").run(call)
end

function M.ClaudeCodeTreeAdd(call)
  require("claudecode.commands.send").tree_add(call)
end

function M.ClaudeCodeAdd(call)
  require("claudecode.commands.add").run(call.args)
end

---Completes a path for :ClaudeCodeAdd.
function M.complete_path(lead)
  return require("claudecode.commands.add").complete(lead)
end

function M.ClaudeCodeTrack(call)
  require("claudecode.commands.track").run(call.args)
end

---Completes "on", "off" and "toggle".
function M.complete_on_off(lead)
  return require("claudecode.commands.on_off").complete(lead)
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

function M.ClaudeCodeNext()
  leave_visual()
  require("claudecode.waiting").next()
end

function M.ClaudeCodeDiffAccept()
  require("claudecode.editor.diff").accept()
end

function M.ClaudeCodeDiffDeny(call)
  require("claudecode.editor.diff").deny(call.args)
end

function M.ClaudeCodeAutoAccept(call)
  if require("claudecode.commands.on_off").check("ClaudeCodeAutoAccept", call.args) then
    ask("autoAccept", { word = call.args })
  end
end

function M.ClaudeCodeHunkNext(call)
  require("claudecode.editor.diff.hunk_commands").go(1, call.count)
end

function M.ClaudeCodeHunkPrev(call)
  require("claudecode.editor.diff.hunk_commands").go(-1, call.count)
end

function M.ClaudeCodeHunkAccept(call)
  require("claudecode.editor.diff.hunk_commands").accept(call)
end

function M.ClaudeCodeHunkReject(call)
  require("claudecode.editor.diff.hunk_commands").reject(call)
end

function M.ClaudeCodeHunkUndo()
  require("claudecode.editor.diff.hunk_commands").undo()
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

function M.ClaudeCodeKernelInstall()
  require("claudecode.jupyter.install").run()
end

function M.ClaudeCodeLog()
  require("claudecode.log").open()
end

return M
