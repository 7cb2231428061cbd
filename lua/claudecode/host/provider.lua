-- Runs the host inside Neovim's Node provider (option `host = "provider"`, :help remote-plugin). It is asked to start
-- through the function that :UpdateRemotePlugins has put into the manifest, and comes back on a connection of its own.
local M = {}

local start_function = "ClaudeCodeHostStart" -- registered by rplugin/node/claudecode/index.js
local watch_every_ms = 500 -- Neovim has no event for the end of a channel that another script opened

local provider ---@type string? the name under which autoload/remote/host.vim knows the process we are in
local clones = 0
local runs = 0 -- so that the last word of one run is not taken for the next one's
local gone ---@type fun(code: integer)?
local watcher ---@type uv.uv_timer_t?

local function is_open(channel)
  return channel ~= nil and vim.api.nvim_get_chan_info(channel).id ~= nil
end

---@return boolean whether the manifest names this plugin; Neovim reads it when it starts
function M.is_registered()
  return vim.fn.exists("*" .. start_function) == 1
    or #vim.api.nvim_get_autocmds({ event = "FuncUndefined", pattern = start_function }) > 0
end

---An address of this Neovim for our second connection. One with a colon is a host and a port.
local function address()
  for _, one in ipairs(vim.fn.serverlist()) do
    if not one:find(":%d+$") then
      return one
    end
  end
  return vim.fn.serverstart()
end

---@return integer channel of the provider, which is started, and waited for, if need be
local function provider_channel()
  return vim.fn["remote#host#Require"](provider)
end

---What the registered function is given.
local function arguments()
  return { address(), runs }
end

---Calls the registered function. It stays bound to the provider's first process, so after that one's end a new process
---is started as a "clone" of the provider, and called as the function would.
local function call_start()
  if not provider then
    provider = "node"
    -- With `output`, what autoload/provider.vim prints stays off the screen; its last error is thrown.
    local call = ("call call(%q, %s)"):format(start_function, vim.fn.string(arguments()))
    vim.api.nvim_exec2(call, { output = true })
    return
  end
  if not is_open(provider_channel()) then
    clones = clones + 1
    provider = "claudecode-" .. clones
    vim.fn["remote#host#RegisterClone"](provider, "node")
  end
  local method = ("%s/rplugin/node/claudecode:function:%s"):format(require("claudecode.host").root(), start_function)
  vim.rpcnotify(provider_channel(), method, arguments())
end

local function stop_watching()
  if watcher then
    watcher:stop()
    watcher:close()
    watcher = nil
  end
end

local function end_with(code)
  stop_watching()
  local tell = gone
  gone = nil
  if tell then
    tell(code)
  end
end

local function watch(channels)
  stop_watching()
  watcher = vim.uv.new_timer()
  watcher:start(
    watch_every_ms,
    watch_every_ms,
    vim.schedule_wrap(function()
      for _, channel in ipairs(channels) do
        if gone and not is_open(channel) then
          return end_with(1)
        end
      end
    end)
  )
end

---Starts the provider, which Neovim waits for, and the host in it, which it does not wait for.
---@param on_gone fun(code: integer) called once, when the host has ended
---@return true? started
---@return string? reason why it could not be started
function M.start(on_gone)
  if not M.is_registered() then
    return nil, 'host = "provider" needs `:UpdateRemotePlugins`, and then a restart of Neovim, once'
  end
  runs = runs + 1
  local called, problem = pcall(call_start)
  if not called or not is_open(provider_channel()) then
    provider = nil
    return nil,
      ('Neovim\'s Node provider does not start: run `npm install -g neovim`, or remove the option host = "provider" (%s)'):format(
        problem and vim.trim(tostring(problem):gsub("^.-Vim[^:]*:", "")) or "no answer"
      )
  end
  gone = on_gone
  watch({ provider_channel() })
  return true
end

---The host is on this channel.
---@param channel integer
function M.attached(channel)
  watch({ channel, provider_channel() })
end

---The host could not start, or has ended, by its own word (rplugin/node/claudecode/index.js).
---@param run integer
---@param code integer as the exit code of a process would be
function M.ended(run, code)
  if run == runs then
    end_with(code)
  end
end

---Does not wait for it any more: `on_gone` is not called. The provider belongs to Neovim and stays.
function M.kill()
  gone = nil
  stop_watching()
end

return M
