-- The public API of the plugin.
local M = {}

local is_set_up = false
local is_stopped = false -- the user has stopped the server, and wants nothing of it until they start it

local function leave()
  if package.loaded["claudecode.editor.diff.registry"] then
    require("claudecode.editor.diff.rescued").save() -- before the host goes: it takes the texts along
  end
  require("claudecode.host").stop()
  require("claudecode.session").forget_lock()
end

---Calls `run` when Neovim has started and shows its first screen, so that starting it costs the user nothing.
local function after_start(run)
  if vim.v.vim_did_enter == 1 then
    vim.schedule(run)
    return
  end
  vim.api.nvim_create_autocmd("VimEnter", {
    once = true,
    callback = function()
      vim.schedule(run)
    end,
  })
end

local function tell_of_rescued()
  if vim.uv.fs_stat(vim.fn.stdpath("state") .. "/claudecode/accepted") then
    require("claudecode.editor.diff.rescued").tell()
  end
end

local function prepare()
  if is_set_up then
    return
  end
  is_set_up = true
  vim.api.nvim_create_autocmd("VimLeavePre", {
    group = vim.api.nvim_create_augroup("ClaudeCodeShutdown", {}),
    callback = leave,
  })
  after_start(tell_of_rescued)
end

---Takes the user's options. Wrong ones cost a warning each, never an error; the plugin also works without this call.
---@param options claudecode.Options?
---@return table module
function M.setup(options)
  require("claudecode.config").set(options)
  if package.loaded["claudecode.editor.privacy"] then
    require("claudecode.editor.privacy").configure()
  end
  prepare()
  if require("claudecode.config").get("auto_start", "boolean") ~= false then
    require("claudecode.session").want_server(true)
    after_start(function()
      require("claudecode.host").start()
    end)
  end
  local host = package.loaded["claudecode.host"] -- not loaded for this alone: it would be a fifth of what setup() costs
  if host and host.phase() == "ready" then
    host.notify("options", { options = require("claudecode.config").as_data() })
  end
  return M
end

---Starts the server, and the host if need be. Does not wait for it: `User ClaudeCodeStarted` says when it listens.
---@param notify boolean? tell the user the port (default true)
---@return boolean started
---@return integer|string? port the port when it runs already, else nil; or the reason why it can't start
function M.start(notify)
  prepare()
  is_stopped = false
  local port = require("claudecode.status").get().port
  if port then
    if notify ~= false then
      require("claudecode.notice").show("warn", "already running on port " .. port)
    end
    return false, "Already running"
  end
  require("claudecode.session").want_server(true)
  require("claudecode.host").ask("start", { notify = notify ~= false })
  return require("claudecode.host").phase() ~= "stopped"
end

---Stops the server: clients are let go, pending diffs are rejected, the lock file is removed.
---@return boolean stopped
---@return string? reason
function M.stop()
  if not require("claudecode.status").get().port then
    require("claudecode.notice").show("warn", "not running")
    return false, "Not running"
  end
  is_stopped = true
  require("claudecode.session").want_server(false)
  require("claudecode.status").set({ port = false, clients = 0 }) -- so that a start right after this is one
  require("claudecode.host").ask("stop", {})
  return true
end

---@return boolean connected true while at least one Claude is connected
function M.is_claude_connected()
  return require("claudecode.status").get().clients > 0
end

---Points Claude to a file, or to lines of it. With no Claude connected one is started, and gets it when it listens.
---`User ClaudeCodeSendComplete` says when it has been given to Claude.
---@param path string a file or a folder; relative to the working directory, or absolute
---@param first integer? 0-based line
---@param last integer? 0-based line, the last one
---@param context string? for the event (default "command")
---@return boolean accepted
---@return string? reason
function M.send_at_mention(path, first, last, context)
  local mention = require("claudecode.commands.mention")
  local function refuse(reason)
    require("claudecode.notice").show("error", "nothing was sent: " .. reason)
    return false, reason
  end
  local function is_line(value)
    return value == nil or (type(value) == "number" and value >= 0 and value % 1 == 0)
  end
  if type(path) ~= "string" or path == "" then
    return refuse("a path is needed")
  elseif not is_line(first) or not is_line(last) or (first and last and first > last) or (last and not first) then
    return refuse("lines are whole numbers from 0, the first before the last")
  end
  local found = mention.find(path, first, last)
  if not found then
    return refuse(("there is no file or folder %s"):format(path))
  end
  return mention.send({ found }, type(context) == "string" and context or "command")
end

---Points Claude to files and folders, in their order, each once: for file pickers of all kinds. What is not there, or not on
---this computer, is left out, of which the user is told.
---@param paths string[] relative to the working directory, or absolute
---@param context string? for `User ClaudeCodeSendComplete` (default "send_files")
---@return boolean accepted false when nothing is sent
---@return string? reason
function M.send_files(paths, context)
  return require("claudecode.commands.files").send(paths, type(context) == "string" and context or "send_files")
end

---Asks for a model, and gives it to Claude: to the one that runs, or to one that is started.
---@param arguments string? more arguments for a Claude that is started
function M.open_with_model(arguments)
  prepare()
  require("claudecode.host").ask("selectModel", {
    arguments = arguments or "",
    context = require("claudecode.cwd").launch_context(),
  })
end

---@return {version: string, major: integer, minor: integer, patch: integer, prerelease: string?}
function M.get_version()
  local manifest = io.open(require("claudecode.host").root() .. "/package.json")
  local text = manifest and vim.json.decode(manifest:read("*a")).version or "0.0.0"
  if manifest then
    manifest:close()
  end
  local parsed = vim.version.parse(text)
  return {
    version = text,
    major = parsed.major,
    minor = parsed.minor,
    patch = parsed.patch,
    prerelease = parsed.prerelease,
  }
end

---@return string text a short text for a status line
function M.statusline()
  return require("claudecode.status").text()
end

---Runs before anything a command does.
M._prepare = prepare

---@return boolean the user has stopped the server
function M._is_stopped()
  return is_stopped and not require("claudecode.status").get().port
end

return setmetatable(M, {
  __index = function(_, name)
    return require("claudecode.peer")[name] -- `state` and `version`, which few ask for
  end,
})
