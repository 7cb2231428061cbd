-- Claude's terminal: the functions that users call, and the steps that the host asks for. Where Claude runs is a provider's
-- business (lua/claudecode/terminal/providers.lua).
local M = {}

local provider ---@type table? in charge of the Claude that runs, also when the option has changed since

---@return table? provider of the Claude that runs
local function running()
  if provider and not provider.is_running() then
    provider = nil
  end
  return provider
end

---Claude has ended by itself.
---@param code integer
function M.ended(code)
  provider = nil
  require("claudecode.host").notify("terminalEnded", { code = code })
end

local function ask(how, overrides, arguments)
  local host, own = require("claudecode.host"), require("claudecode.terminal.overrides")
  require("claudecode")._prepare()
  host.ask("terminal", {
    how = how,
    arguments = arguments or "",
    view = own.view(overrides),
    context = require("claudecode.cwd").launch_context(overrides),
  })
  if how ~= "show" and host.phase() == "starting" and not running() then
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

---Ends Claude.
---@return boolean ended false when none runs
function M.close()
  local current = running()
  if not current then
    return false
  end
  provider = nil
  current.stop()
  require("claudecode.host").notify("terminalEnded", { code = 0 })
  return true
end

---@return integer? buffer Claude's, when it runs in a window of Neovim
function M.get_active_terminal_bufnr()
  local current = running()
  return current and current.buffer and current.buffer() or nil
end

---@return boolean whether Claude runs where text can be typed into its prompt
function M.can_type()
  local current = running()
  return current ~= nil and current.send ~= nil
end

---Types text into Claude's prompt. Nothing in it can end the paste that it is sent as.
---@param text string
---@param options {submit: boolean?, focus: boolean?}? submit: press Enter behind it (default true); focus: go there (default false)
---@return boolean typed false when there is no Claude to type to, of which the user is told
function M.send_to_terminal(text, options)
  return require("claudecode.terminal.typing").send(running(), text, options or {}, M.open)
end

---For configurations that call it: the options belong to `require("claudecode").setup()`.
---@param terminal_options table?
---@param command string?
---@param env table<string, string>?
function M.setup(terminal_options, command, env)
  local claudecode = require("claudecode")
  local changed = { terminal = terminal_options, terminal_cmd = command, env = env }
  claudecode.setup(vim.tbl_extend("force", claudecode._given(), changed))
end

---Does for a provider what `how` asks for.
---@param how "simple"|"focus"|"open"|"show"
---@return "hidden"|"shown"
local function act(current, how, view)
  if not current.where then
    current.stop() -- there is nothing to show: a toggle ends it, as it started it
    provider = nil
    return "hidden"
  end
  local where = current.where()
  local hides = (how == "simple" and (where == "here" or where == "focused")) or (how == "focus" and where == "focused")
  if hides and current.hide then
    current.hide()
    return "hidden"
  end
  current.show(view, how ~= "show", how == "simple")
  return "shown"
end

M.rpc = {
  ---Shows or hides the Claude that runs. With arguments the user is asked what they are for.
  ---@param args {provider: string, how: "simple"|"focus"|"open"|"show", arguments: string, view: claudecode.terminal.View, context: table}
  ---@return "none"|"hidden"|"shown"|"asked" done `none` when there is no Claude
  act = function(args)
    local current = running()
    if not current or current.act then
      return "none" -- a provider of the user's own decides itself, and is told all
    elseif args.arguments ~= "" then
      require("claudecode.terminal.choice").ask(args)
      return "asked"
    elseif not current.where and args.how ~= "simple" and args.how ~= "focus" then
      return "shown"
    end
    return act(current, args.how, args.view)
  end,

  ---Starts Claude.
  ---@param args {provider: string, how: "simple"|"focus"|"open"|"show", launch: claudecode.Launch, view: claudecode.terminal.View}
  ---@return true?, string? refusal
  start = function(args)
    local chosen = running() or require("claudecode.terminal.providers").choose(args.provider)
    local done, reason
    if chosen.act then
      done, reason = chosen.act(args.how, args.launch, args.view)
    else
      done, reason = chosen.start(args.launch, args.view, args.how ~= "show")
    end
    if done then
      provider = chosen
    end
    return done, reason
  end,

  ---Nothing will be started after all.
  ---@return true
  abandon = function()
    require("claudecode.terminal.native").abandon()
    return true
  end,

  ---Shows the Claude that runs, if any; after something was sent to it.
  ---@param args {focus: boolean, view: claudecode.terminal.View}
  ---@return boolean shown
  reveal = function(args)
    local current = running()
    if not (current and current.where and current.show) then
      return false
    elseif args.focus or current.where() == "hidden" then
      current.show(args.view, args.focus)
    end
    return true
  end,

  ---@return boolean
  is_running = function()
    return running() ~= nil
  end,

  ---@param args {text: string, submit: boolean, focus: boolean}
  ---@return boolean
  type = function(args)
    return M.send_to_terminal(args.text, args)
  end,
}

return M
