-- Claude's terminal: the functions that users and commands call. What becomes of a call the host decides, and asks for in
-- steps (lua/claudecode/terminal/steps.lua).
local sessions = require("claudecode.terminal.sessions")

local M = {}

---@param how "simple"|"focus"|"open"|"show"
---@param overrides claudecode.TerminalOverrides?
---@param arguments string?
---@param session claudecode.Session? default: that of the place and the folder
local function ask(how, overrides, arguments, session)
  local host, own = require("claudecode.host"), require("claudecode.terminal.overrides")
  require("claudecode")._prepare()
  local context = require("claudecode.cwd").launch_context(overrides)
  context.session = session and session.id or context.session
  host.ask("terminal", { how = how, arguments = arguments or "", view = own.view(overrides), context = context })
  if how ~= "show" and host.phase() == "starting" and not sessions.current() then
    own.show_early(overrides)
  end
end

---Shows Claude and goes there; starts it when it does not run. Does not wait for it, like all of these.
---@param overrides claudecode.TerminalOverrides?
---@param arguments string? behind the command, for a Claude that is started
function M.open(overrides, arguments)
  ask("open", overrides, arguments)
end

---Hides Claude when this tab page shows it, else shows it and goes there.
---@param overrides claudecode.TerminalOverrides?
---@param arguments string?
function M.simple_toggle(overrides, arguments)
  ask("simple", overrides, arguments)
end

M.toggle = M.simple_toggle

---Goes to Claude; hides it when you are there.
---@param overrides claudecode.TerminalOverrides?
---@param arguments string?
function M.focus_toggle(overrides, arguments)
  ask("focus", overrides, arguments)
end

---Shows Claude, and stays where you are.
---@param overrides claudecode.TerminalOverrides?
---@param arguments string?
function M.ensure_visible(overrides, arguments)
  ask("show", overrides, arguments)
end

M.toggle_open_no_focus = M.ensure_visible

---Shows the Claude of a session and goes there.
---@param session claudecode.Session
function M.go_to(session)
  ask("open", nil, nil, session)
end

---Ends Claude: that of the current folder, or the one that was used last.
---@param session claudecode.Session? another one
---@return boolean ended false when none runs
function M.close(session)
  local meant = session or sessions.current()
  if not meant then
    return false
  end
  sessions.remove(meant, 0)
  meant.terminal:stop()
  return true
end

---@return integer? buffer Claude's, when it runs in a window of Neovim
function M.get_active_terminal_bufnr()
  local current = sessions.current()
  return current and current.terminal.buffer and current.terminal:buffer() or nil
end

---@param buffer integer
---@return boolean whether a Claude of ours runs there
function M.is_claudes(buffer)
  return sessions.of_buffer(buffer) ~= nil
end

---@return boolean whether Claude runs where text can be typed into its prompt
function M.can_type()
  local current = sessions.current()
  return current ~= nil and current.terminal.send ~= nil
end

local function type_into(session, text, options)
  if session then
    sessions.use(session)
  end
  return require("claudecode.terminal.typing").send(session and session.terminal, text, options, function()
    M.go_to(session)
  end)
end

---Types text into Claude's prompt. Nothing in it can end the paste that it is sent as.
---@param text string
---@param options {submit: boolean?, focus: boolean?}? submit: press Enter behind it (default true); focus: go there (default false)
---@return boolean typed false when there is no Claude to type to, of which the user is told
function M.send_to_terminal(text, options)
  return type_into(sessions.current(), text, options or {})
end

---@param id string? of a session
---@param text string
---@param options {submit: boolean?, focus: boolean?}
---@return boolean typed
function M.type_to(id, text, options)
  return type_into(sessions.get(id), text, options)
end

---For configurations that call it: the options belong to `require("claudecode").setup()`.
---@param terminal_options table?
---@param command string?
---@param env table<string, string>?
function M.setup(terminal_options, command, env)
  local changed = { terminal = terminal_options, terminal_cmd = command, env = env }
  require("claudecode").setup(vim.tbl_extend("force", require("claudecode.config").given(), changed))
end

return M
