-- A provider of the user's own: a table of functions, which decide for themselves what to show.
local M = {}

local required = { "setup", "open", "close", "simple_toggle", "focus_toggle", "get_active_bufnr", "is_available" }

local function theirs()
  local terminal = require("claudecode.config").get("terminal", "table") or {}
  return terminal.provider
end

---@class claudecode.terminal.Custom
---@field was_opened boolean and not closed by us since: a provider without a buffer does not say whether Claude runs
local Custom = {}
Custom.__index = Custom

local was_set_up ---@type table? the provider whose setup() was called

---What the peer's providers are given: the options of the window.
local function config_for(launch, view)
  return {
    split_side = view.split_side,
    split_width_percentage = view.width,
    auto_close = view.auto_close,
    auto_insert = view.auto_insert,
    snacks_win_opts = require("claudecode.terminal.snacks").window_options(),
    cwd = launch and launch.cwd,
  }
end

---@return boolean available
---@return string? reason
function M.is_available()
  local provider = theirs()
  if type(provider) ~= "table" then
    return false, "terminal.provider is no table"
  end
  for _, name in ipairs(required) do
    if not vim.is_callable(provider[name]) then
      return false, ("terminal.provider has no function %s"):format(name)
    end
  end
  local done, available = pcall(provider.is_available)
  return done and available and true or false, "terminal.provider.is_available() says no"
end

---There is one for all sessions: it decides itself which Claudes it keeps.
---@return claudecode.terminal.Custom
function M.new()
  return setmetatable({ was_opened = false }, Custom)
end

---@return integer? buffer
function Custom:buffer() -- luacheck: ignore 212
  local provider = theirs()
  local done, buffer = pcall(provider.get_active_bufnr)
  return done and type(buffer) == "number" and buffer or nil
end

---@return boolean
function Custom:is_running()
  return M.is_available() and (self.was_opened or self:buffer() ~= nil)
end

---@return integer? pid
function Custom:process()
  local buffer = self:buffer()
  local job = buffer and (vim.b[buffer].terminal_job_id or vim.bo[buffer].channel)
  return job and require("claudecode.terminal.job").process(job)
end

---Does what a command asked for.
---@param how "simple"|"focus"|"open"|"show"
---@param launch claudecode.Launch
---@param view claudecode.terminal.View
---@return true? done
---@return string? refusal
function Custom:act(how, launch, view)
  local provider = theirs()
  local config = config_for(launch, view)
  local done, problem = pcall(function()
    if was_set_up ~= provider then
      was_set_up = provider
      provider.setup(config)
    end
    if how == "simple" then
      provider.simple_toggle(launch.command, launch.env, config)
    elseif how == "focus" then
      provider.focus_toggle(launch.command, launch.env, config)
    elseif how == "show" and vim.is_callable(provider.ensure_visible) then
      provider.ensure_visible(launch.command, launch.env, config)
    else
      provider.open(launch.command, launch.env, config, how ~= "show")
    end
  end)
  if done then
    self.was_opened = true
    return true
  end
  return nil, "terminal.provider failed: " .. tostring(problem)
end

function Custom:stop()
  self.was_opened = false
  theirs().close()
end

---@param bytes string
---@return boolean
function Custom:send(bytes)
  local buffer = self:buffer()
  local channel = buffer and (vim.b[buffer].terminal_job_id or vim.bo[buffer].channel) or 0
  return require("claudecode.terminal.job").send(channel, bytes)
end

return M
