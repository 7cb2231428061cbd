-- A window that shows code of Claude's and asks whether it may run. It takes the focus, so it must not take for an
-- answer what was meant for something else: a key counts only after a moment in which none was typed.
local M = {}

local quiet_ms = 500 -- longer than between two keys of someone who types
local group_name = "ClaudeCodeQuestion"

---@class claudecode.CodeQuestion
---@field id integer
---@field code string
---@field title string what is asked, in one line
---@field note string what the answer means, in one line

local open ---@type {question: claudecode.CodeQuestion, win: integer, from: integer, mode: string, typed_at: integer, ready: boolean}?
local waiting ---@type claudecode.CodeQuestion?
local keys = vim.api.nvim_create_namespace(group_name)

local function answer(id, runs)
  require("claudecode.host").notify("codeAnswer", { id = id, runs = runs })
end

---Closes the window, and puts the user where they were.
local function close()
  if not open then
    return
  end
  local closing = open
  open = nil
  vim.on_key(nil, keys)
  vim.api.nvim_create_augroup(group_name, {})
  local was_inside = vim.api.nvim_get_current_win() == closing.win
  if vim.api.nvim_win_is_valid(closing.win) then
    vim.api.nvim_win_close(closing.win, true)
  end
  if was_inside and vim.api.nvim_win_is_valid(closing.from) then
    vim.api.nvim_set_current_win(closing.from)
    if closing.mode == "t" then
      vim.cmd.startinsert()
    end
  end
end

local function decide(runs)
  if open and open.ready then
    local id = open.question.id
    close()
    answer(id, runs)
  end
end

local function footer(ready)
  return ready and " y: run it · n: don't " or " … "
end

---Keys count once nobody has typed for a while.
local function when_quiet()
  if not open then
    return
  end
  local left = quiet_ms - (vim.uv.now() - open.typed_at)
  open.ready = left <= 0
  if open.ready and vim.api.nvim_win_is_valid(open.win) then
    vim.api.nvim_win_set_config(open.win, { footer = footer(true), footer_pos = "center" })
  elseif not open.ready then
    vim.defer_fn(when_quiet, left)
  end
end

local function map(buffer, lhs, rhs)
  vim.keymap.set("n", lhs, rhs, { buffer = buffer, nowait = true, silent = true })
end

---@param question claudecode.CodeQuestion
---@return integer buffer
local function make_buffer(question)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(question.code, "\n", { plain = true }))
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].syntax = "python" -- not 'filetype', for which language servers come
  map(buffer, "y", function()
    decide(true)
  end)
  for _, lhs in ipairs({ "n", "q", "<Esc>" }) do
    map(buffer, lhs, function()
      decide(false)
    end)
  end
  return buffer
end

---@param question claudecode.CodeQuestion
local function show(question)
  local from, mode = vim.api.nvim_get_current_win(), vim.api.nvim_get_mode().mode
  local buffer = make_buffer(question)
  local width = math.max(1, math.min(100, vim.o.columns - 4))
  local room = math.max(1, vim.o.lines - vim.o.cmdheight - 6)
  local height = math.min(room, math.max(3, vim.api.nvim_buf_line_count(buffer)))
  local win = vim.api.nvim_open_win(buffer, true, {
    relative = "editor",
    row = math.floor((room - height) / 2),
    col = math.floor((vim.o.columns - width - 2) / 2),
    width = width,
    height = height,
    border = "rounded",
    title = " " .. question.title .. " ",
    footer = footer(false),
    footer_pos = "center",
    style = "minimal",
  })
  vim.wo[win].wrap = true
  vim.wo[win].winbar = question.note:gsub("%%", "%%%%")
  open = { question = question, win = win, from = from, mode = mode, typed_at = vim.uv.now(), ready = false }
  vim.on_key(function()
    if open and not open.ready then
      open.typed_at = vim.uv.now()
    end
  end, keys)
  vim.api.nvim_create_autocmd("WinClosed", {
    group = vim.api.nvim_create_augroup(group_name, {}),
    pattern = tostring(win),
    callback = vim.schedule_wrap(function()
      if open and open.question.id == question.id then
        close()
        answer(question.id, false)
      end
    end),
  })
  when_quiet()
end

local function show_waiting()
  local question = waiting
  waiting = nil
  if question then
    show(question)
  end
end

---Shows the question now, or when the user is done with what they are typing.
local function show_at_a_good_moment()
  local is_right = require("claudecode.editor.diff.moment").is_right
  if is_right() then
    return show_waiting()
  end
  require("claudecode.notice").show("info", "Claude asks to run code; you are asked when you are back in Normal mode")
  local group = vim.api.nvim_create_augroup(group_name, {})
  vim.api.nvim_create_autocmd({ "SafeState", "ModeChanged" }, {
    group = group,
    callback = vim.schedule_wrap(function()
      if waiting and is_right() then
        vim.api.nvim_create_augroup(group_name, {})
        show_waiting()
      end
    end),
  })
end

---@param question claudecode.CodeQuestion
function M.ask(question)
  close() -- a host that is gone had asked
  waiting = question
  show_at_a_good_moment()
end

---@param id integer
function M.dismiss(id)
  if waiting and waiting.id == id then
    waiting = nil
    vim.api.nvim_create_augroup(group_name, {})
  end
  if open and open.question.id == id then
    close()
  end
end

return M
