-- The host: the Node process behind the plugin. This is the only file that knows its channel.
-- Lua never waits for it (:help rpcrequest blocks the editor), but for a moment when Neovim ends.
local M = {}

local exit_wait_ms = 400 -- the host is done within this time after it was told to end
local restart_pauses_ms = { 100, 200, 400, 800, 1600 } -- after so many crashes in a row it stays down
local calm_ms = 60000 -- a host that lived this long starts the count anew
local exit_node_too_old = 71 -- the exit codes of rplugin/node/claudecode/index.js
local exit_not_installed = 72

---@type "stopped"|"starting"|"ready"
local phase = "stopped"
local runner ---@type table lua/claudecode/host/process.lua, or provider.lua
local channel ---@type integer?
local queue = {} ---@type {event: string, payload: table}[]
local ending = false -- the exit that comes is one we asked for
local crashes = 0
local started_at = 0

---@return "stopped"|"starting"|"ready"
function M.phase()
  return phase
end

---@return integer ms since the host was started last
function M.age_ms()
  return vim.uv.now() - started_at
end

---The folder of the plugin.
---@return string
function M.root()
  return vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, "S").source:sub(2)))))
end

---@return boolean whether the host runs in Neovim's Node provider
function M.is_in_provider()
  return require("claudecode.config").get("host", "string") == "provider"
end

local function tell(level, text)
  require("claudecode.notice").show(level, text)
end

local function send(event, payload)
  -- The channel is gone a moment before we are told so.
  return (pcall(vim.rpcnotify, channel, "claudecode", event, payload))
end

local function start_again_later(code, was_ready)
  if M.age_ms() > calm_ms then
    crashes = 0
  end
  crashes = crashes + 1
  local pause = restart_pauses_ms[crashes]
  if not pause then
    queue, crashes = {}, 0
    tell("error", "the host process keeps ending; see :ClaudeCodeLog, then try :ClaudeCodeStart")
    return
  end
  if crashes == 1 then
    tell("warn", ("the host process ended unexpectedly (exit code %d) and is started again"):format(code))
  end
  require("claudecode.log").add(("host ended with code %d while %s"):format(code, was_ready and "ready" or "starting"))
  vim.defer_fn(function()
    if phase == "stopped" then
      M.start()
    end
  end, pause)
end

---Nothing that waits for the host will be done.
local function give_up()
  queue = {}
  local early = package.loaded["claudecode.terminal.early"]
  if early then
    early.abandon()
  end
end

local function on_gone(code)
  local was_ready = phase == "ready"
  phase, channel = "stopped", nil
  require("claudecode.status").reset()
  if ending then
    ending = false
  elseif code == exit_node_too_old then
    give_up()
    require("claudecode.host.process").describe_node(function(found)
      tell("error", ("%s is too old: Node.js 20.19 or newer is needed"):format(found))
    end)
  elseif code == exit_not_installed then
    give_up()
    tell("error", ("not built yet: run `nvim -l build.lua` in %s"):format(vim.fn.fnamemodify(M.root(), ":~")))
  else
    start_again_later(code, was_ready)
  end
end

---Starts the host unless it is there, or Neovim is just ending. Does not wait for it.
---@return boolean started or running
function M.start()
  if phase ~= "stopped" then
    return true
  elseif vim.v.exiting ~= vim.NIL then -- scheduled functions still run then, such as the start of `nvim +q`
    return false
  end
  started_at = vim.uv.now()
  runner = require(M.is_in_provider() and "claudecode.host.provider" or "claudecode.host.process")
  local started, reason = runner.start(on_gone)
  if not started then
    give_up()
    tell("error", reason)
    return false
  end
  phase = "starting"
  return true
end

---Tells the host that something happened. Nothing is sent, and nothing kept, while there is no host.
---@param event string
---@param payload table
function M.notify(event, payload)
  if phase == "ready" then
    send(event, payload)
  end
end

---Tells the host what the user wants; it is started for that, and told when it is ready.
---@param event string
---@param payload table
function M.ask(event, payload)
  if phase == "ready" and send(event, payload) then
    return
  end
  if M.start() then
    queue[#queue + 1] = { event = event, payload = payload }
  end
end

---The host says that it listens.
---@param id integer its channel
function M.attached(id)
  channel = id
  runner.attached(id)
end

---The host says that it is ready: it gets what waited for it.
function M.ready()
  phase = "ready"
  local waiting = queue
  queue = {}
  for _, item in ipairs(waiting) do
    send(item.event, item.payload)
  end
end

---Ends the host, and waits a moment for it, so that clients get their answers and the lock file goes.
function M.stop()
  queue = {}
  if phase == "stopped" then
    return
  end
  ending = true
  if channel then -- else it has not begun with anything that must be ended in order
    send("shutdown", {})
    vim.wait(exit_wait_ms, function()
      return phase == "stopped"
    end, 5)
  end
  if phase ~= "stopped" then
    runner.kill()
    on_gone(0)
  end
end

return M
