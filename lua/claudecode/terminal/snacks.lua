-- The provider "snacks": Claude in a window of snacks.nvim, with the options that the user gave for it.
local job = require("claudecode.terminal.job")

local M = {}

---@class claudecode.terminal.Snacks
---@field on_end fun(code: integer)
---@field win table? the window object of Snacks
---@field job integer? while it runs
---@field wishes claudecode.terminal.View
local Snacks = {}
Snacks.__index = Snacks

local function snacks()
  local found, module = pcall(require, "snacks")
  return found and type(module) == "table" and type(module.terminal) == "table" and module or nil
end

---@return boolean available
---@return string? reason
function M.is_available()
  return snacks() ~= nil, "snacks.nvim is not installed"
end

---@return table options terminal.snacks_win_opts as the user wrote them, functions and all
function M.window_options()
  local options = require("claudecode.config").get("terminal", "table") or {}
  return type(options.snacks_win_opts) == "table" and options.snacks_win_opts or {}
end

---@param on_end fun(code: integer)
---@return claudecode.terminal.Snacks
function M.new(on_end)
  return setmetatable({ on_end = on_end }, Snacks)
end

---@return boolean
function Snacks:is_running()
  return self.job ~= nil and self.win ~= nil and self.win:buf_valid()
end

---@return integer?
function Snacks:buffer()
  return self:is_running() and self.win.buf or nil
end

---@return integer? pid
function Snacks:process()
  return self.job and job.process(self.job)
end

---@return "focused"|"here"|"elsewhere"|"hidden"
function Snacks:where()
  return require("claudecode.terminal.window").where(self.win.buf)
end

function Snacks:enter()
  require("claudecode.terminal.guard").enter(self.win.win, self.wishes.auto_insert)
end

---@param view claudecode.terminal.View
---@param focus boolean
---@param here boolean?
function Snacks:show(view, focus, here)
  self.wishes = view
  job.revive(self.job)
  local from = vim.api.nvim_get_current_win()
  local where = self:where()
  if where == "hidden" or (here and where == "elsewhere") then
    if where == "elsewhere" then
      self.win:hide()
    end
    self.win:show()
  end
  if focus then
    self:enter()
  elseif vim.api.nvim_win_is_valid(from) then
    vim.api.nvim_set_current_win(from)
  end
end

function Snacks:hide()
  self.win:hide()
end

function Snacks:on_exit(ended, code)
  if self.win ~= ended then
    return
  end
  self.job = nil
  self.on_end(code)
  if code ~= 0 then
    local words = job.last_words(ended.buf)
    require("claudecode.notice").show("error", ("Claude ended with exit code %d: %s"):format(code, words))
  elseif self.wishes.auto_close then
    ended:close({ buf = true })
  end
end

---@param launch claudecode.Launch
---@param view claudecode.terminal.View
---@param focus boolean
---@return true? started
---@return string? refusal
function Snacks:start(launch, view, focus)
  local obstacle = job.obstacle(launch)
  if obstacle then
    return nil, obstacle
  end
  self.wishes = view
  local from = vim.api.nvim_get_current_win()
  local opened = snacks().terminal.open(launch.argv, {
    cwd = launch.cwd,
    env = launch.env,
    start_insert = focus and view.auto_insert,
    auto_insert = focus and view.auto_insert,
    auto_close = false,
    win = vim.tbl_deep_extend("force", {
      position = view.split_side,
      width = view.width,
      height = 0,
      relative = "editor",
      fixbuf = true,
      keys = { term_normal = false }, -- else the second of two Escapes would not reach Claude
    }, M.window_options()),
  })
  if not (opened and opened.buf and vim.api.nvim_buf_is_valid(opened.buf)) then
    return nil, "snacks.nvim opened no terminal"
  end
  self.win = opened
  self.job = vim.b[opened.buf].terminal_job_id or vim.bo[opened.buf].channel
  vim.api.nvim_create_autocmd("TermClose", {
    buffer = opened.buf,
    once = true,
    callback = function()
      local code = vim.v.event.status
      vim.schedule(function()
        self:on_exit(opened, code)
      end)
    end,
  })
  require("claudecode.terminal.guard").watch(opened.buf, self)
  if focus then
    self:enter()
  elseif vim.api.nvim_win_is_valid(from) then
    vim.api.nvim_set_current_win(from)
  end
  return true
end

function Snacks:stop()
  local old, old_job = self.win, self.job
  self.win, self.job = nil, nil
  if old_job then
    job.revive(old_job)
    pcall(vim.fn.jobstop, old_job)
  end
  if old then
    old:close({ buf = true })
  end
end

---@param bytes string
---@return boolean
function Snacks:send(bytes)
  return job.send(self.job, bytes)
end

---@return claudecode.terminal.View
function Snacks:view()
  return self.wishes
end

return M
