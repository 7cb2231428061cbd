-- A window that waits for the host to say what runs in it, so that the key is answered at once and what is typed goes
-- nowhere else.
local window = require("claudecode.terminal.window")

local M = {}

local waiting ---@type {buffer: integer, win: integer}?

---Opens the window, unless it is there.
---@param view claudecode.terminal.View what is known of it
function M.prepare(view)
  if waiting then
    return
  end
  local buffer = vim.api.nvim_create_buf(false, false)
  vim.bo[buffer].bufhidden = "hide"
  waiting = { buffer = buffer, win = window.open(buffer, view) }
  vim.bo[buffer].modifiable = false
  require("claudecode.terminal.guard").enter(waiting.win, false)
end

---Closes the window: nothing will run in it.
function M.abandon()
  local old = waiting
  waiting = nil
  if old then
    window.forget(old.buffer)
  end
end

---Gives the window to a Claude that starts.
---@return integer? buffer
---@return integer? window
function M.take()
  local taken = waiting
  if taken and vim.api.nvim_win_is_valid(taken.win) and vim.api.nvim_win_get_buf(taken.win) == taken.buffer then
    waiting = nil
    vim.bo[taken.buffer].modifiable = true
    return taken.buffer, taken.win
  end
  M.abandon()
end

return M
