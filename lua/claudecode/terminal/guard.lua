-- Claude's buffer and windows among the user's: not listed, not taken over by another file, with the keys that Claude and
-- its user need, and no obstacle to leaving Neovim.
local M = {}

local tip_was_shown = false

local is_entering = false -- Terminal mode begins with the next turn of Neovim's loop

local function on_entered(provider)
  if provider.is_running() and provider.view().auto_insert and vim.fn.mode() ~= "t" then
    is_entering = true
    vim.cmd.startinsert()
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

---Terminal mode with nobody at the other end: the next key would wipe the buffer out.
local function on_terminal_mode(provider)
  is_entering = false
  if not provider.is_running() then
    vim.cmd.stopinsert()
    require("claudecode.notice").show("info", "Claude has ended here; :ClaudeCode starts a new one")
  elseif not tip_was_shown and provider.view().exit_tip then
    tip_was_shown = true
    local key = provider.view().leave_key or "<C-\\><C-n>"
    require("claudecode.notice").show("info", ("%s leaves Claude's terminal; Escape goes to Claude"):format(key))
  end
end

---Another buffer came into a window of Claude's: it goes where files belong, and Claude stays.
local function on_taken_over(win, buffer, intruder)
  if
    not (vim.api.nvim_win_is_valid(win) and vim.api.nvim_buf_is_valid(buffer) and vim.api.nvim_buf_is_valid(intruder))
    or vim.api.nvim_win_get_buf(win) ~= intruder
    or vim.api.nvim_win_get_config(win).relative ~= ""
  then
    return
  end
  local view = vim.api.nvim_win_call(win, vim.fn.winsaveview)
  local was_current = win == vim.api.nvim_get_current_win()
  vim.api.nvim_win_set_buf(win, buffer)
  local target = require("claudecode.editor.windows").for_code(intruder)
  if not target then
    target = vim.api.nvim_open_win(intruder, false, { split = "left", win = win })
    vim.wo[target].winfixwidth = false
    vim.api.nvim_win_set_width(win, math.max(1, math.floor(vim.o.columns * 0.3)))
  end
  vim.api.nvim_win_set_buf(target, intruder)
  if was_current then
    vim.api.nvim_set_current_win(target)
    vim.fn.winrestview(view)
  end
end

local writes_all = false -- the command that was typed last writes all files and leaves

local function on_command_line()
  local typed = vim.fn.getcmdline():match("^[%s:]*(%a+)!?%s*$") or ""
  writes_all = not vim.v.event.abort and (typed:match("^wqa") or typed:match("^xa")) ~= nil
end

---Whether Neovim stays anyhow: for unsaved text, or another terminal with a program in it.
local function is_held_up(buffer)
  for _, other in ipairs(vim.api.nvim_list_bufs()) do
    if other ~= buffer and vim.api.nvim_buf_is_loaded(other) then
      local kind = vim.bo[other].buftype
      if kind == "terminal" then
        local channel = vim.bo[other].channel
        if channel > 0 and vim.fn.jobwait({ channel }, 0)[1] == -1 then
          return true
        end
      elseif
        vim.bo[other].modified
        and (kind == "" or kind == "acwrite")
        and not vim.b[other].claudecode_diff_tab_name
      then
        local will_be_written = writes_all and vim.api.nvim_buf_get_name(other) ~= "" and not vim.bo[other].readonly
        if not will_be_written then
          return true
        end
      end
    end
  end
  return false
end

---Takes Claude away so that Neovim can be left. Its windows stay: Neovim stays too when one of them closes meanwhile.
local function let_go(buffer)
  for _, win in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.wo[win].winfixbuf = false
    vim.api.nvim_win_set_buf(win, vim.api.nvim_create_buf(false, true))
  end
  vim.api.nvim_buf_delete(buffer, { force = true })
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

---@param buffer integer Claude's
---@param view claudecode.terminal.View
---@param provider table the provider whose buffer it is
function M.watch(buffer, view, provider)
  vim.bo[buffer].buflisted = false
  map_keys(buffer, view)
  local group = vim.api.nvim_create_augroup("ClaudeCodeTerminal", {})
  local function on(events, options)
    options.group = group
    vim.api.nvim_create_autocmd(events, options)
  end
  on({ "BufEnter", "WinEnter" }, {
    buffer = buffer,
    callback = function()
      on_entered(provider)
    end,
  })
  on({ "BufLeave", "WinLeave" }, { buffer = buffer, callback = on_left })
  on("TermEnter", {
    buffer = buffer,
    callback = function()
      on_terminal_mode(provider)
    end,
  })
  on("WinClosed", {
    callback = function(event)
      require("claudecode.terminal.window").closing(tonumber(event.match))
    end,
  })
  on("BufWinEnter", {
    callback = function(event)
      local win = vim.api.nvim_get_current_win()
      if event.buf ~= buffer and require("claudecode.terminal.window").is_ours(win) then
        vim.schedule(function()
          on_taken_over(win, buffer, event.buf)
        end)
      end
    end,
  })
  on("CmdlineLeave", { pattern = ":", callback = on_command_line })
  on("VimResized", {
    callback = function()
      require("claudecode.terminal.window").fit(buffer, provider.view())
    end,
  })
  on("ExitPre", {
    callback = function()
      -- `:qa` ends the programs of terminals, `:wqa` refuses to (E948).
      if provider.is_running() and not is_held_up(buffer) then
        let_go(buffer)
      end
    end,
  })
  on("BufWipeout", {
    buffer = buffer,
    callback = function()
      vim.api.nvim_del_augroup_by_id(group)
    end,
  })
  require("claudecode.terminal.paste").install()
  vim.bo[buffer].filetype = "claudecode"
end

return M
