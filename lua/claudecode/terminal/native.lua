-- The provider "native": Claude in a terminal buffer and windows of Neovim's own.
local job = require("claudecode.terminal.job")
local window = require("claudecode.terminal.window")

local M = {}

local young_ms = 5000 -- a Claude that fails this soon never showed its prompt: say what it said

local buffer ---@type integer? of the Claude that runs, or of one that failed and is to be read
local id ---@type integer? job, while it runs
local view ---@type claudecode.terminal.View
local early ---@type {buffer: integer, win: integer}? a window that waits for the host to say what runs in it

---@return boolean
function M.is_available()
  return true
end

---@return boolean
function M.is_running()
  return id ~= nil and buffer ~= nil and vim.api.nvim_buf_is_valid(buffer)
end

---@return integer? buffer
function M.buffer()
  return M.is_running() and buffer or nil
end

---@return "focused"|"here"|"elsewhere"|"hidden"
function M.where()
  local win = window.here(buffer)
  if win and not window.is_hidden(win) then
    return win == vim.api.nvim_get_current_win() and "focused" or "here"
  end
  return not win and window.anywhere(buffer) and "elsewhere" or "hidden"
end

local function enter(win)
  require("claudecode.terminal.guard").enter(win, view.auto_insert and id ~= nil)
end

---Shows Claude in this tab page, or goes to where it is shown.
---@param new_view claudecode.terminal.View
---@param focus boolean
---@param here boolean? in this tab page, even if another shows it
function M.show(new_view, focus, here)
  view = new_view
  job.revive(id)
  local win = window.here(buffer) or (not (here and view.position ~= "tab") and window.anywhere(buffer)) or nil
  win = win or window.open(buffer, view)
  if focus then
    enter(win)
  end
end

---Closes Claude's window of this tab page.
function M.hide()
  local win = window.here(buffer)
  if win then
    window.close(win)
  end
end

local function forget(old)
  for _, win in ipairs(vim.fn.win_findbuf(old)) do
    window.close(win)
  end
  if vim.api.nvim_buf_is_valid(old) then
    vim.api.nvim_buf_delete(old, { force = true })
  end
end

local function on_exit(ended, code, started_at, launch)
  if ended ~= buffer then
    return -- ended by us
  end
  id = nil
  require("claudecode.terminal").ended(code)
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
  if view.auto_close and not (failed and young) then
    forget(ended)
    buffer = nil
  elseif vim.api.nvim_get_current_buf() == ended then
    vim.cmd.stopinsert() -- in Terminal mode the next key would close the window
  end
end

---Opens the window while the host still starts, so that the key is answered at once and what is typed goes nowhere else.
---@param early_view claudecode.terminal.View what is known of it
function M.prepare(early_view)
  if early or M.is_running() then
    return
  end
  local opened = vim.api.nvim_create_buf(false, false)
  vim.bo[opened].bufhidden = "hide"
  early = { buffer = opened, win = window.open(opened, early_view) }
  vim.bo[opened].modifiable = false
  require("claudecode.terminal.guard").enter(early.win, false)
end

---Closes the window that waits: nothing will run in it.
function M.abandon()
  local waiting = early
  early = nil
  if waiting then
    forget(waiting.buffer)
  end
end

---@return integer buffer
---@return integer window for a Claude that starts
local function take_window()
  if early and vim.api.nvim_win_is_valid(early.win) and vim.api.nvim_win_get_buf(early.win) == early.buffer then
    local taken = early
    early = nil
    vim.bo[taken.buffer].modifiable = true
    return taken.buffer, taken.win
  end
  M.abandon()
  local opened = vim.api.nvim_create_buf(false, false)
  vim.bo[opened].bufhidden = "hide"
  return opened, window.open(opened, view)
end

---Starts Claude in a new window.
---@param launch claudecode.Launch
---@param new_view claudecode.terminal.View
---@param focus boolean
---@return true? started
---@return string? refusal
function M.start(launch, new_view, focus)
  local obstacle = job.obstacle(launch)
  if obstacle then
    M.abandon()
    return nil, obstacle
  end
  if buffer and vim.api.nvim_buf_is_valid(buffer) then
    forget(buffer) -- what an earlier Claude left to be read
  end
  view = new_view
  local opened, win = take_window()
  buffer = opened
  local started_at = vim.uv.now()
  local started, reason = job.start(win, launch, function(code)
    vim.schedule(function() -- what it said last is in the buffer then
      on_exit(opened, code, started_at, launch)
    end)
  end)
  if not started then
    forget(opened)
    buffer = nil
    return nil, reason
  end
  id = started
  require("claudecode.terminal.guard").watch(opened, view, M)
  if focus then
    enter(win)
  end
  return true
end

---Ends Claude, and removes its windows and its buffer.
function M.stop()
  local old, old_id = buffer, id
  buffer, id = nil, nil
  if old_id then
    job.revive(old_id)
    vim.fn.jobstop(old_id)
  end
  if old and vim.api.nvim_buf_is_valid(old) then
    forget(old)
  end
end

---Types bytes into Claude.
---@param bytes string
---@return boolean typed
function M.send(bytes)
  local sent, count = pcall(vim.api.nvim_chan_send, id, bytes)
  return sent and count ~= 0
end

---What the user set for windows at this moment.
---@return claudecode.terminal.View
function M.view()
  return view
end

return M
