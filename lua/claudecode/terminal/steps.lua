-- The steps that the host asks for. There is one terminal for each session (lua/claudecode/terminal/sessions.lua); where it is
-- is a provider's business (lua/claudecode/terminal/providers.lua).
local sessions = require("claudecode.terminal.sessions")

local M = {}

---Does for a session what `how` asks for.
---@param session claudecode.Session
---@param how "simple"|"focus"|"open"|"show"
---@return "hidden"|"shown"
local function act(session, how, view)
  local terminal = session.terminal
  if not terminal.where then
    require("claudecode.terminal").close(session) -- there is nothing to show: a toggle ends it, as it started it
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
    return require("claudecode.terminal").type_to(args.session, args.text, { submit = false })
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
