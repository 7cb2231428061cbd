-- Leaving Neovim: Claude is no obstacle to it.
local M = {}

local writes_all = false -- the command that was typed last writes all files and leaves

local function on_command_line()
  local typed = vim.fn.getcmdline():match("^[%s:]*(%a+)!?%s*$") or ""
  writes_all = not vim.v.event.abort and (typed:match("^wqa") or typed:match("^xa")) ~= nil
end

---Whether Neovim stays anyhow: for unsaved text, or another terminal with a program in it.
---@param buffers integer[] those of the Claudes that run
local function is_held_up(buffers)
  for _, other in ipairs(vim.api.nvim_list_bufs()) do
    if not vim.list_contains(buffers, other) and vim.api.nvim_buf_is_loaded(other) then
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

---@param group integer augroup
function M.watch(group)
  vim.api.nvim_create_autocmd("CmdlineLeave", { group = group, pattern = ":", callback = on_command_line })
  vim.api.nvim_create_autocmd("ExitPre", {
    group = group,
    callback = function()
      local buffers = {}
      for _, session in ipairs(require("claudecode.terminal.sessions").all()) do
        local has_window_here = session.terminal.view ~= nil -- others' terminals are theirs to end
        buffers[#buffers + 1] = has_window_here and session.terminal:buffer() or nil
      end
      -- `:qa` ends the programs of terminals, `:wqa` refuses to (E948).
      if #buffers > 0 and not is_held_up(buffers) then
        vim.iter(buffers):each(let_go)
      end
    end,
  })
end

return M
