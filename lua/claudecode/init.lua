-- The public API of the plugin.
local M = {}

local is_set_up = false

local function leave()
  require("claudecode.host").stop()
  require("claudecode.session").forget_lock()
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

---Takes the user's options. Wrong ones cost a warning each, never an error; the plugin also works without this call.
---@param options claudecode.Options?
---@return table module
function M.setup(options)
  require("claudecode.config").set(options)
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
  require("claudecode.session").want_server(false)
  require("claudecode.status").set({ port = false, clients = 0 }) -- so that a start right after this is one
  require("claudecode.host").ask("stop", {})
  return true
end

---@return boolean connected true while at least one Claude is connected
function M.is_claude_connected()
  return require("claudecode.status").get().clients > 0
end

---@return string text a short text for a status line
function M.statusline()
  return require("claudecode.status").text()
end

---Runs before anything a command does.
M._prepare = prepare

return M
