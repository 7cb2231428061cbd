-- The provider "snacks": Claude in a window of snacks.nvim, with the options that the user gave for it.
local M = {}

local terminal ---@type table? the window object of Snacks
local id ---@type integer? job, while it runs
local view ---@type claudecode.terminal.View

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

---@return boolean
function M.is_running()
  return id ~= nil and terminal ~= nil and terminal:buf_valid()
end

---@return integer?
function M.buffer()
  return M.is_running() and terminal.buf or nil
end

---@return "focused"|"here"|"elsewhere"|"hidden"
function M.where()
  local here = vim.fn.bufwinid(terminal.buf)
  if here ~= -1 and require("claudecode.terminal.window").is_hidden(here) then
    return "hidden"
  elseif here ~= -1 then
    return here == vim.api.nvim_get_current_win() and "focused" or "here"
  end
  return vim.fn.win_findbuf(terminal.buf)[1] and "elsewhere" or "hidden"
end

local function enter()
  require("claudecode.terminal.guard").enter(terminal.win, view.auto_insert)
end

---@param new_view claudecode.terminal.View
---@param focus boolean
---@param here boolean?
function M.show(new_view, focus, here)
  view = new_view
  require("claudecode.terminal.job").revive(id)
  local from = vim.api.nvim_get_current_win()
  local where = M.where()
  if where == "hidden" or (here and where == "elsewhere") then
    if where == "elsewhere" then
      terminal:hide()
    end
    terminal:show()
  end
  if focus then
    enter()
  elseif vim.api.nvim_win_is_valid(from) then
    vim.api.nvim_set_current_win(from)
  end
end

function M.hide()
  terminal:hide()
end

local function on_exit(ended, code)
  if terminal ~= ended then
    return
  end
  id = nil
  require("claudecode.terminal").ended(code)
  if code ~= 0 then
    local words = require("claudecode.terminal.job").last_words(ended.buf)
    require("claudecode.notice").show("error", ("Claude ended with exit code %d: %s"):format(code, words))
  elseif view.auto_close then
    ended:close({ buf = true })
  end
end

---@param launch claudecode.Launch
---@param new_view claudecode.terminal.View
---@param focus boolean
---@return true? started
---@return string? refusal
function M.start(launch, new_view, focus)
  local obstacle = require("claudecode.terminal.job").obstacle(launch)
  if obstacle then
    return nil, obstacle
  end
  view = new_view
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
  terminal = opened
  id = vim.b[opened.buf].terminal_job_id or vim.bo[opened.buf].channel
  vim.api.nvim_create_autocmd("TermClose", {
    buffer = opened.buf,
    once = true,
    callback = function()
      local code = vim.v.event.status
      vim.schedule(function()
        on_exit(opened, code)
      end)
    end,
  })
  require("claudecode.terminal.guard").watch(opened.buf, view, M)
  if focus then
    enter()
  elseif vim.api.nvim_win_is_valid(from) then
    vim.api.nvim_set_current_win(from)
  end
  return true
end

function M.stop()
  local old, old_id = terminal, id
  terminal, id = nil, nil
  if old_id then
    require("claudecode.terminal.job").revive(old_id)
    pcall(vim.fn.jobstop, old_id)
  end
  if old then
    old:close({ buf = true })
  end
end

---@param bytes string
---@return boolean
function M.send(bytes)
  local sent, count = pcall(vim.api.nvim_chan_send, id, bytes)
  return sent and count ~= 0
end

---@return claudecode.terminal.View
function M.view()
  return view
end

return M
