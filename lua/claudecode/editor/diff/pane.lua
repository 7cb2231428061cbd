-- A window of the user's that a diff borrows: what it was like, and how it is given back.
local folds = require("claudecode.editor.diff.folds")

local M = {}

-- What |:diffthis| may change in a window.
local options = {
  "diff",
  "scrollbind",
  "cursorbind",
  "wrap",
  "foldmethod",
  "foldcolumn",
  "foldenable",
  "foldlevel",
}

---@class claudecode.diff.Pane
---@field win integer
---@field buffer integer what the user had there
---@field view table |winsaveview()|
---@field folds string[]
---@field options table<string, any>
---@field shown integer? the buffer that the diff put there instead
---@field bufhidden string? of `buffer`, while it is replaced

---@param win integer
---@return claudecode.diff.Pane
function M.borrow(win)
  local pane = { win = win, buffer = vim.api.nvim_win_get_buf(win), options = {} }
  pane.view = vim.api.nvim_win_call(win, vim.fn.winsaveview)
  pane.folds = folds.save(win)
  for _, option in ipairs(options) do
    pane.options[option] = vim.wo[win][option]
  end
  return pane
end

---Shows a buffer in the window. The user's own stays loaded, whatever 'hidden' and its 'bufhidden' say; the alternate
---file and the jump list stay what they are.
---@param pane claudecode.diff.Pane
---@param buffer integer
function M.show(pane, buffer)
  if buffer == pane.buffer then
    return
  end
  pane.bufhidden = vim.bo[pane.buffer].bufhidden
  vim.bo[pane.buffer].bufhidden = "hide"
  pane.shown = buffer
  vim.api.nvim_win_call(pane.win, function()
    vim.cmd(("silent keepalt keepjumps buffer! %d"):format(buffer))
  end)
end

---Ends diff mode in the window, and nothing else.
---@param pane claudecode.diff.Pane
function M.leave_diff(pane)
  if vim.api.nvim_win_is_valid(pane.win) and vim.wo[pane.win].diff then
    vim.api.nvim_win_call(pane.win, function()
      vim.cmd.diffoff()
    end)
  end
end

local function bring_back_buffer(pane)
  if not vim.api.nvim_buf_is_valid(pane.buffer) then
    return
  end
  if vim.api.nvim_win_is_valid(pane.win) and vim.api.nvim_win_get_buf(pane.win) == pane.shown then
    vim.api.nvim_win_call(pane.win, function()
      vim.cmd(("silent keepalt keepjumps buffer! %d"):format(pane.buffer))
    end)
  end
  if pane.bufhidden then
    vim.bo[pane.buffer].bufhidden = pane.bufhidden
  end
end

---Gives the window back as it was. What the user has changed in it himself since then stays changed.
---@param pane claudecode.diff.Pane
function M.give_back(pane)
  M.leave_diff(pane)
  bring_back_buffer(pane)
  local win = pane.win
  if not vim.api.nvim_win_is_valid(win) or vim.api.nvim_win_get_buf(win) ~= pane.buffer then
    return
  end
  for option, value in pairs(pane.options) do
    if vim.wo[win][option] ~= value then
      vim.wo[win][0][option] = value
    end
  end
  folds.restore(win, pane.folds)
  vim.api.nvim_win_call(win, function()
    vim.fn.winrestview(pane.view)
  end)
end

return M
