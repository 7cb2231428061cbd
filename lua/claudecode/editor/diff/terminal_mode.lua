-- Out of Terminal mode and back into it. Neovim does both a turn later than it is told to, and forgets to enter it when it
-- has not left it yet: a diff may be closed, and another one opened, in that time.
local M = {}

local is_leaving = false
local wanted ---@type integer? window in which it is about to be entered

---@return string mode |mode()|, which may be only about to come
function M.mode()
  local mode = vim.api.nvim_get_mode().mode
  if wanted and wanted == vim.api.nvim_get_current_win() then
    return "t"
  end
  return is_leaving and mode == "t" and "nt" or mode
end

---@param win integer?
---@return integer group of the autocommands that end the wish
local function want(win)
  wanted = win
  return vim.api.nvim_create_augroup("ClaudeCodeTerminalMode", {})
end

local function enter()
  if is_leaving or not wanted or wanted ~= vim.api.nvim_get_current_win() then
    return
  end
  vim.api.nvim_create_autocmd({ "TermEnter", "SafeState" }, {
    group = want(wanted),
    callback = function()
      want(nil)
    end,
  })
  vim.cmd.startinsert()
end

---Enters Terminal mode in a window, if the user is there.
---@param win integer
function M.enter(win)
  want(win)
  enter()
end

---Leaves Terminal mode, or Normal mode that was to become it.
function M.leave()
  want(nil)
  if vim.api.nvim_get_mode().mode == "t" and not is_leaving then
    is_leaving = true
    vim.api.nvim_create_autocmd("TermLeave", {
      once = true,
      callback = function()
        is_leaving = false
        vim.schedule(enter)
      end,
    })
  end
  vim.cmd.stopinsert()
end

return M
