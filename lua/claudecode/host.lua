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
local job ---@type integer?
local channel ---@type integer?
local queue = {} ---@type {event: string, payload: table}[]
local ending = false -- the exit that comes is one we asked for
local crashes = 0
local started_at = 0

---@return "stopped"|"starting"|"ready"
function M.phase()
  return phase
end

local function tell(level, text)
  require("claudecode.notice").show(level, text)
end

---The folder of the plugin.
---@return string
function M.root()
  return vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, "S").source:sub(2)))))
end

---@return string? path of the Node program, nil when there is none
function M.node()
  local node = require("claudecode.config").get("node_cmd", "string") or "node"
  local path = vim.fn.exepath(vim.fn.expand(node))
  return path ~= "" and path or nil
end

local function send(event, payload)
  -- The channel is gone a moment before on_exit says so.
  return (pcall(vim.rpcnotify, channel, "claudecode", event, payload))
end

local function on_gone(code)
  local was_ready = phase == "ready"
  phase, job, channel = "stopped", nil, nil
  require("claudecode.status").reset()
  if ending then
    ending = false
    return
  end
  if code == exit_node_too_old then
    queue = {}
    tell(
      "error",
      ("%s is too old: Node.js 20.19 or newer is needed"):format(require("claudecode.health").node_version())
    )
  elseif code == exit_not_installed then
    queue = {}
    tell("error", ("not installed completely: run `npm ci --omit=dev && npm run build` in %s"):format(M.root()))
  else
    if vim.uv.now() - started_at > calm_ms then
      crashes = 0
    end
    crashes = crashes + 1
    local pause = restart_pauses_ms[crashes]
    if not pause then
      queue = {}
      tell("error", "the host process keeps ending; see :ClaudeCodeLog, then try :ClaudeCodeStart")
      return
    end
    if crashes == 1 then
      tell("warn", ("the host process ended unexpectedly (exit code %d) and is started again"):format(code))
    end
    require("claudecode.log").add(
      ("host ended with code %d while %s"):format(code, was_ready and "ready" or "starting")
    )
    vim.defer_fn(function()
      if phase == "stopped" and vim.v.exiting == vim.NIL then
        M.start()
      end
    end, pause)
  end
end

local function start_process(node)
  job = vim.fn.jobstart({ node, M.root() .. "/rplugin/node/claudecode" }, {
    rpc = true,
    cwd = M.root(), -- so that the user's folder can be removed or unmounted
    env = { NODE_OPTIONS = "", NODE_NO_WARNINGS = "1", NODE_ENV = "production" },
    on_stderr = function(_, pieces)
      require("claudecode.log").add_output(pieces)
    end,
    on_exit = function(id, code)
      if id == job then
        on_gone(code)
      end
    end,
  })
  channel = job
end

local function start_in_provider()
  if vim.fn.exists("*ClaudeCodeHostStart") == 0 then
    tell("error", 'host = "provider" needs `:UpdateRemotePlugins` and a restart of Neovim once')
    return false
  end
  local address = vim.v.servername ~= "" and vim.v.servername or vim.fn.serverstart()
  vim.fn.ClaudeCodeHostStart(address)
  return true
end

---Starts the host unless it is there. Does not wait for it.
---@return boolean started or running
function M.start()
  if phase ~= "stopped" then
    return true
  end
  started_at = vim.uv.now()
  if require("claudecode.config").get("host", "string") == "provider" then
    if not start_in_provider() then
      return false
    end
  else
    local node = M.node()
    if not node then
      queue = {}
      tell("error", "Node.js was not found: install Node.js 20.19 or newer, or set the option node_cmd to its path")
      return false
    end
    start_process(node)
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
  if channel then
    send("shutdown", {})
  end
  if job then
    local id = job
    vim.wait(exit_wait_ms, function()
      return job ~= id
    end, 5)
    if job == id then
      vim.fn.jobstop(id)
    end
  else
    on_gone(0)
  end
end

return M
