-- Claude's buffer and windows among the user's: not listed, not taken over by another file, with the keys that Claude and
-- its user need, and no obstacle to leaving Neovim.
local M = {}

local tip_was_shown = false

local is_entering = false -- Terminal mode begins with the next turn of Neovim's loop

local function on_entered(terminal)
  if terminal:is_running() and terminal:view().auto_insert and vim.fn.mode() ~= "t" then
    is_entering = true
    vim.cmd.startinsert()
  end
  local sessions = require("claudecode.terminal.sessions")
  local session = sessions.of_buffer(vim.api.nvim_get_current_buf())
  if session then
    sessions.use(session)
  end
end

---A command such as `:tabedit` only passes through Claude's buffer: Insert mode would begin in the file behind it.
local function on_left()
  if is_entering then
    is_entering = false
    vim.cmd.stopinsert()
  end
end

---Takes the user to a window of Claude's, out of whatever mode they are in.
---@param win integer
---@param insert boolean into Terminal mode
function M.enter(win, insert)
  if not vim.api.nvim_win_is_valid(win) then
    return
  elseif vim.fn.mode():match("^[iR]") then
    vim.api.nvim_create_autocmd("InsertLeave", {
      once = true,
      callback = vim.schedule_wrap(function()
        M.enter(win, insert)
      end),
    })
    vim.cmd.stopinsert()
    return
  end
  vim.api.nvim_set_current_win(win)
  if insert then
    vim.cmd.startinsert()
  end
end

---Tells how to leave, once, when nothing else is to be read.
local function tell_exit(terminal)
  local notice = require("claudecode.notice")
  local rest = notice.rest_ms()
  if rest > 0 then
    vim.defer_fn(function()
      if vim.fn.mode() == "t" and vim.api.nvim_get_current_buf() == terminal:buffer() then
        tell_exit(terminal)
      else
        tip_was_shown = false
      end
    end, rest)
    return
  end
  local key = terminal:view().leave_key or "<C-\\><C-n>"
  notice.show("info", ("%s leaves Claude's terminal; Escape goes to Claude"):format(key))
end

---Terminal mode with nobody at the other end: the next key would wipe the buffer out.
local function on_terminal_mode(terminal)
  is_entering = false
  if not terminal:is_running() then
    vim.cmd.stopinsert()
    require("claudecode.notice").show("info", "Claude has ended here; :ClaudeCode starts a new one")
  elseif not tip_was_shown and terminal:view().exit_tip then
    tip_was_shown = true
    tell_exit(terminal)
  end
end

---Another buffer came into a window of Claude's: it goes where files belong, and Claude stays; a float would cover it, and goes.
local function on_taken_over(win, buffer, intruder)
  if
    not (vim.api.nvim_win_is_valid(win) and vim.api.nvim_buf_is_valid(buffer) and vim.api.nvim_buf_is_valid(intruder))
    or vim.api.nvim_win_get_buf(win) ~= intruder
  then
    return
  end
  local view = vim.api.nvim_win_call(win, vim.fn.winsaveview)
  local was_current = win == vim.api.nvim_get_current_win()
  vim.api.nvim_win_set_buf(win, buffer)
  local windows = require("claudecode.editor.windows")
  local is_split = windows.is_normal(win)
  local target = windows.for_code(intruder)
  if not target then
    local beside = is_split and win or windows.widest()
    target = vim.api.nvim_open_win(intruder, false, { split = "left", win = beside })
    vim.wo[target].winfixwidth = false
    if is_split then
      vim.api.nvim_win_set_width(win, math.max(1, math.floor(vim.o.columns * 0.3)))
    end
  end
  vim.api.nvim_win_set_buf(target, intruder)
  if was_current then
    vim.api.nvim_set_current_win(target)
    vim.fn.winrestview(view)
  end
  if not is_split then
    require("claudecode.terminal.window").close(win)
  end
end

local function map_keys(buffer, view)
  local function map(key, to, desc)
    vim.keymap.set("t", key, to, { buffer = buffer, desc = desc })
  end
  if view.leave_key then
    map(view.leave_key, "<C-\\><C-n>", "Leave Claude's terminal")
  end
  -- Claude would stop itself, and there is no shell that could wake it up.
  map("<C-z>", "<Cmd>suspend<CR>", "Suspend Neovim")
  map("<S-CR>", function()
    vim.api.nvim_chan_send(vim.bo[buffer].channel, "\27\r") -- as Alt-Enter: Claude takes it for a new line
  end, "New line in Claude's prompt")
end

local is_installed = false

---What is the same for all Claudes.
local function install()
  if is_installed then
    return
  end
  is_installed = true
  local window = require("claudecode.terminal.window")
  local group = vim.api.nvim_create_augroup("ClaudeCodeTerminals", {})
  vim.api.nvim_create_autocmd("WinClosed", {
    group = group,
    callback = function(event)
      window.closing(tonumber(event.match))
    end,
  })
  vim.api.nvim_create_autocmd("BufWinEnter", {
    group = group,
    callback = function(event)
      local win = vim.api.nvim_get_current_win()
      local buffer = window.terminal_of(win)
      if not buffer or buffer == event.buf then
        return
      elseif require("claudecode.terminal.sessions").of_buffer(event.buf) then
        window.adopt(win, event.buf)
      else
        vim.schedule(function()
          on_taken_over(win, buffer, event.buf)
        end)
      end
    end,
  })
  require("claudecode.terminal.leaving").watch(group)
  require("claudecode.terminal.paste").install()
end

---@param buffer integer Claude's
---@param terminal table the terminal of a provider, whose buffer it is
function M.watch(buffer, terminal)
  vim.bo[buffer].buflisted = false
  map_keys(buffer, terminal:view())
  install()
  local group = vim.api.nvim_create_augroup("ClaudeCodeTerminal" .. buffer, {})
  local function on(events, options)
    options.group = group
    vim.api.nvim_create_autocmd(events, options)
  end
  on({ "BufEnter", "WinEnter" }, {
    buffer = buffer,
    callback = function()
      on_entered(terminal)
    end,
  })
  on({ "BufLeave", "WinLeave" }, { buffer = buffer, callback = on_left })
  on("TermEnter", {
    buffer = buffer,
    callback = function()
      on_terminal_mode(terminal)
    end,
  })
  on("VimResized", {
    callback = function()
      require("claudecode.terminal.window").fit(buffer, terminal:view())
    end,
  })
  on("BufWipeout", {
    buffer = buffer,
    callback = function()
      vim.api.nvim_del_augroup_by_id(group)
    end,
  })
  vim.bo[buffer].filetype = "claudecode"
end

return M
