-- Claude's buffer and windows among the user's: not listed, not taken over by another file, with the keys that Claude and
-- its user need, and no obstacle to leaving Neovim.
local M = {}

local tip_was_shown = false

local function on_entered(buffer, provider)
  local view = provider.view()
  if provider.is_running() and view.auto_insert and vim.api.nvim_get_current_buf() == buffer then
    vim.cmd.startinsert()
  end
end

---Terminal mode with nobody at the other end: the next key would wipe the buffer out.
local function on_terminal_mode(provider)
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

---Whether Neovim would refuse to leave anyhow: unsaved text, or another terminal with a program in it.
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
        return true
      end
    end
  end
  return false
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
      on_entered(buffer, provider)
    end,
  })
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
  on("VimResized", {
    callback = function()
      require("claudecode.terminal.window").fit(buffer, provider.view())
    end,
  })
  on("ExitPre", {
    callback = function()
      if provider.is_running() and provider.view().end_with_neovim and not is_held_up(buffer) then
        provider.stop()
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
