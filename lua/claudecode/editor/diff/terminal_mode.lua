-- Out of Terminal mode and back into it. Neovim leaves it a turn later than it is told to, and until then it can't be
-- entered again: a diff may be closed in that time.
local M = {}

local is_leaving = false
local wanted ---@type integer? window in which to enter it again

---Enters Terminal mode in a window, if the user is there.
---@param win integer
function M.enter(win)
  if is_leaving then
    wanted = win
  elseif vim.api.nvim_get_current_win() == win then
    vim.cmd.startinsert()
  end
end

---Leaves Terminal mode, or Normal mode that was to become it.
function M.leave()
  wanted = nil
  if vim.api.nvim_get_mode().mode == "t" and not is_leaving then
    is_leaving = true
    vim.api.nvim_create_autocmd("ModeChanged", {
      pattern = "t:*",
      once = true,
      callback = function()
        is_leaving = false
        local win = wanted
        if win then
          vim.schedule(function()
            M.enter(win)
          end)
        end
      end,
    })
  end
  vim.cmd.stopinsert()
end

return M
