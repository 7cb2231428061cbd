-- The provider "native": Claude in a terminal buffer and windows of Neovim's own.
local early = require("claudecode.terminal.early")
local job = require("claudecode.terminal.job")
local window = require("claudecode.terminal.window")

local M = {}

local young_ms = 5000 -- a Claude that fails this soon never showed its prompt: say what it said

---@class claudecode.terminal.Native
---@field on_end fun(code: integer)
---@field buf integer? of the Claude that runs, or of one that has ended and is to be read
---@field job integer? while it runs
---@field wishes claudecode.terminal.View
---@field cwd string
local Native = {}
Native.__index = Native

local to_be_read = {} ---@type claudecode.terminal.Native[] they have ended, and their buffers are there

---@return boolean
function M.is_available()
  return true
end

---@param on_end fun(code: integer)
---@return claudecode.terminal.Native
function M.new(on_end)
  return setmetatable({ on_end = on_end }, Native)
end

---@return boolean
function M.is(terminal)
  return getmetatable(terminal) == Native
end

---@return boolean
function Native:is_running()
  return self.job ~= nil and self.buf ~= nil and vim.api.nvim_buf_is_valid(self.buf)
end

---@return integer? buffer
function Native:buffer()
  return self:is_running() and self.buf or nil
end

---@return integer? pid
function Native:process()
  return self.job and job.process(self.job)
end

---@return "focused"|"here"|"elsewhere"|"hidden"
function Native:where()
  return window.where(self.buf)
end

function Native:enter(win)
  require("claudecode.terminal.guard").enter(win, self.wishes.auto_insert and self.job ~= nil)
end

---Shows Claude in this tab page, or goes to where it is shown.
---@param view claudecode.terminal.View
---@param focus boolean
---@param here boolean? in this tab page, even if another shows it
function Native:show(view, focus, here)
  self.wishes = view
  job.revive(self.job)
  local win = window.here(self.buf) or (not (here and view.position ~= "tab") and window.anywhere(self.buf)) or nil
  win = win or window.open(self.buf, view)
  if focus then
    self:enter(win)
  end
end

---Closes Claude's window of this tab page.
function Native:hide()
  local win = window.here(self.buf)
  if win then
    window.close(win)
  end
end

function Native:on_exit(ended, code, started_at, launch)
  if ended ~= self.buf then
    return -- ended by us
  end
  self.job = nil
  self.on_end(code)
  if vim.v.exiting ~= vim.NIL or not vim.api.nvim_buf_is_valid(ended) then
    return
  end
  local failed = code ~= 0
  local young = vim.uv.now() - started_at < young_ms
  if failed then
    local words = young and job.last_words(ended) or ""
    local text = ("%s ended%s with exit code %d"):format(launch.argv[1], young and " at once" or "", code)
    require("claudecode.notice").show("error", words == "" and text or ("%s: %s"):format(text, words))
  end
  if self.wishes.auto_close and not (failed and young) then
    window.forget(ended)
    self.buf = nil
    return
  end
  to_be_read[#to_be_read + 1] = self
  if vim.api.nvim_get_current_buf() == ended then
    vim.cmd.stopinsert() -- in Terminal mode the next key would close the window
  end
end

---Removes what earlier Claudes of the folder left to be read, and what is in the way.
local function tidy(folder)
  to_be_read = vim.tbl_filter(function(old)
    if not vim.api.nvim_buf_is_valid(old.buf) then
      return false
    elseif old.cwd == folder or window.here(old.buf) then
      window.forget(old.buf)
      return false
    end
    return true
  end, to_be_read)
end

---@return integer buffer
---@return integer window for a Claude that starts
local function take_window(view)
  local buffer, win = early.take()
  if buffer and win then
    return buffer, win
  end
  buffer = vim.api.nvim_create_buf(false, false)
  vim.bo[buffer].bufhidden = "hide"
  return buffer, window.open(buffer, view)
end

---Starts Claude in a window.
---@param launch claudecode.Launch
---@param view claudecode.terminal.View
---@param focus boolean
---@return true? started
---@return string? refusal
function Native:start(launch, view, focus)
  local obstacle = job.obstacle(launch)
  if obstacle then
    early.abandon()
    return nil, obstacle
  end
  tidy(launch.cwd)
  self.wishes, self.cwd = view, launch.cwd
  local buffer, win = take_window(view)
  self.buf = buffer
  local started_at = vim.uv.now()
  local started, reason = job.start(win, launch, function(code)
    vim.schedule(function() -- what it said last is in the buffer then
      self:on_exit(buffer, code, started_at, launch)
    end)
  end)
  if not started then
    window.forget(buffer)
    self.buf = nil
    return nil, reason
  end
  self.job = started
  require("claudecode.terminal.guard").watch(buffer, self)
  if focus then
    self:enter(win)
  end
  return true
end

---Ends Claude, and removes its windows and its buffer.
function Native:stop()
  local old, old_job = self.buf, self.job
  self.buf, self.job = nil, nil
  if old_job then
    job.revive(old_job)
    vim.fn.jobstop(old_job)
  end
  if old then
    window.forget(old)
  end
end

---Types bytes into Claude.
---@param bytes string
---@return boolean typed
function Native:send(bytes)
  return job.send(self.job, bytes)
end

---What the user set for windows at this moment.
---@return claudecode.terminal.View
function Native:view()
  return self.wishes
end

return M
