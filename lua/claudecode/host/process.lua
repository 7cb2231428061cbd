-- Runs the host as a Node process of its own: msgpack-RPC on its stdin and stdout, the log on its stderr.
local M = {}

local version_wait_ms = 3000
local unknown_version = "of unknown version"

local job ---@type integer?

---@return string? path of the Node program
---@return string? reason why there is none
local function find_node()
  local wanted = require("claudecode.config").node_cmd()
  local path = vim.fn.exepath(wanted)
  if path ~= "" then
    return path
  end
  local cure = "install Node.js 20.19 or newer, or set the option node_cmd to its path"
  if wanted == "node" then
    return nil, "Node.js was not found: " .. cure
  end
  return nil, ("the option node_cmd is %q, but there is no such program: %s"):format(wanted, cure)
end

---@return string[] command that runs the host with `node`
local function command(node)
  return { node, require("claudecode.host").root() .. "/rplugin/node/claudecode" }
end

---Starts the host without waiting for it.
---@param on_gone fun(code: integer) called once, when it has ended
---@return true? started
---@return string? reason why it could not be started
function M.start(on_gone)
  local node, reason = find_node()
  if not node then
    return nil, reason
  end
  local started, id = pcall(vim.fn.jobstart, command(node), {
    rpc = true,
    cwd = require("claudecode.host").root(), -- so that the user's folder can be removed or unmounted
    -- What the user set for other Node programs is not meant for this one, and can break it.
    env = { NODE_OPTIONS = "", NODE_NO_WARNINGS = "1", NODE_ENV = "production" },
    on_stderr = function(_, pieces)
      require("claudecode.log").add_output(pieces)
    end,
    on_exit = function(id, code)
      if id == job then
        job = nil
        on_gone(code)
      end
    end,
  })
  if not started or id <= 0 then
    return nil, ("%s does not start (%s): install Node.js 20.19 or newer"):format(node, tostring(id))
  end
  job = id
  return true
end

---The host is on this channel: its job's own, whose end `on_exit` tells.
function M.attached() end

---Ends it at once. It is not waited for, and `on_gone` is not called any more.
function M.kill()
  if job then
    vim.fn.jobstop(job)
    job = nil
  end
end

---Asks the Node program for its version, without waiting.
---@param tell fun(found: string) gets the program and its version in words
function M.describe_node(tell)
  local node = find_node()
  local function say(version)
    tell(("%s (%s)"):format(node, version))
  end
  local asked = require("claudecode.run").start({ node, "--version" }, nil, function(done)
    local version = vim.trim(done.stdout)
    say(done.code == 0 and version ~= "" and version or unknown_version)
  end)
  if not asked then
    return say(unknown_version)
  end
  vim.defer_fn(function()
    vim.fn.jobstop(asked) -- when it hangs; |jobstop()| of one that has ended does nothing
  end, version_wait_ms)
end

return M
