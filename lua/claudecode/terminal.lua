-- Claude's terminal: the functions that users call, and the steps that the host asks for. There is one for each session
-- (lua/claudecode/terminal/sessions.lua); where it is is a provider's business (lua/claudecode/terminal/providers.lua).
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

---Does for a session what `how` asks for.
---@param session claudecode.Session
---@param how "simple"|"focus"|"open"|"show"
---@return "hidden"|"shown"
local function act(session, how, view)
  local terminal = session.terminal
  if not terminal.where then
    M.close(session) -- there is nothing to show: a toggle ends it, as it started it
    return "hidden"
  end
  local where = terminal:where()
  local hides = (how == "simple" and (where == "here" or where == "focused")) or (how == "focus" and where == "focused")
  if hides and terminal.hide then
    terminal:hide()
    return "hidden"
  end
  if how ~= "show" then
    sessions.use(session)
  end
  require("claudecode.terminal.place").clear(session)
  terminal:show(view, how ~= "show", how == "simple")
  return "shown"
end

M.rpc = {
  ---Shows or hides the Claude of a session. With arguments the user is asked what they are for.
  ---@param args {session: string, how: "simple"|"focus"|"open"|"show", arguments: string, view: claudecode.terminal.View, context: table}
  ---@return "none"|"hidden"|"shown"|"asked" done `none` when there is no Claude
  act = function(args)
    local session = sessions.get(args.session)
    if not session or session.terminal.act then
      return "none" -- a provider of the user's own decides itself, and is told all
    elseif args.arguments ~= "" then
      require("claudecode.terminal.choice").ask(session, args)
      return "asked"
    elseif not session.terminal.where and args.how ~= "simple" and args.how ~= "focus" then
      return "shown"
    end
    return act(session, args.how, args.view)
  end,

  ---Starts Claude.
  ---@param args {session: {id: string, name: string, folder: string}, provider: string, how: "simple"|"focus"|"open"|"show", launch: claudecode.Launch, view: claudecode.terminal.View}
  ---@return true?, string? refusal
  start = function(args)
    local known = sessions.get(args.session.id)
    local session = known or args.session
    if not known then
      session.terminal = require("claudecode.terminal.providers").choose(args.provider).new(function(code)
        sessions.remove(session, code)
      end)
    end
    local terminal = session.terminal
    if terminal.act and sessions.here() and sessions.here() ~= session then
      return nil, "a provider of your own runs one Claude: end it first"
    end
    require("claudecode.terminal.place").clear(session)
    local done, reason
    if terminal.act then
      done, reason = terminal:act(args.how, args.launch, args.view)
    else
      done, reason = terminal:start(args.launch, args.view, args.how ~= "show")
    end
    if done and not known then
      local buffer = terminal.buffer and terminal:buffer()
      if buffer then
        vim.b[buffer].claudecode_session = session.name
      end
      sessions.add(session)
    end
    return done, reason
  end,

  ---Nothing will be started after all.
  ---@return true
  abandon = function()
    require("claudecode.terminal.early").abandon()
    return true
  end,

  ---Shows the Claude of a session; after something was sent to it.
  ---@param args {session: string, focus: boolean, view: claudecode.terminal.View}
  ---@return boolean shown
  reveal = function(args)
    local session = sessions.get(args.session)
    if not (session and session.terminal.where and session.terminal.show) then
      return false
    elseif args.focus or session.terminal:where() == "hidden" then
      require("claudecode.terminal.place").clear(session)
      session.terminal:show(args.view, args.focus)
    end
    return true
  end,

  ---Types into the prompt of a session, without Enter.
  ---@param args {session: string, text: string}
  ---@return boolean typed false where that can't be done
  type = function(args)
    local session = sessions.get(args.session)
    if not (session and session.terminal.send) then
      return false
    end
    return M.type_to(args.session, args.text, { submit = false })
  end,

  ---The user has written something in the Claude of a session.
  ---@param args {session: string}
  used = function(args)
    sessions.note_use(args.session)
    return true
  end,

  ---The processes of the sessions that run.
  ---@return {session: string, pid: integer}[]
  processes = function()
    local processes = {}
    for _, session in ipairs(sessions.all()) do
      local pid = session.terminal:process()
      processes[#processes + 1] = pid and { session = session.id, pid = pid }
    end
    return processes
  end,
}

return M
