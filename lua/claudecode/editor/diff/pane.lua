-- A window of the user's that a diff borrows: what it was like, and how it is given back.
local folds = require("claudecode.editor.diff.folds")
local quietly = require("claudecode.editor.diff.quietly")

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

---Ends diff mode in a window, and nothing else.
---@param win integer
function M.leave_diff(win)
  if vim.api.nvim_win_is_valid(win) and vim.wo[win].diff then
    vim.api.nvim_win_call(win, vim.cmd.diffoff)
  end
end

---Runs a step with a buffer in the window that the user has left for another one. Neovim keeps a window's options for
---each buffer that was in it: without this the file would come back in diff mode.
local function with_buffer(win, buffer, step)
  local now = vim.api.nvim_win_get_buf(win)
  if now == buffer or not vim.api.nvim_buf_is_valid(buffer) then
    return
  end
  quietly.with({}, function()
    vim.api.nvim_win_call(win, function()
      local view = vim.fn.winsaveview()
      vim.cmd(("silent keepalt keepjumps buffer! %d"):format(buffer))
      step()
      vim.cmd(("silent keepalt keepjumps buffer! %d"):format(now))
      vim.fn.winrestview(view)
    end)
  end)
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

local function restore_options(pane)
  for option, value in pairs(pane.options) do
    if vim.wo[pane.win][option] ~= value then
      vim.wo[pane.win][0][option] = value
    end
  end
end

---Gives the window back as it was. What the user has changed in it himself since then stays changed.
---@param pane claudecode.diff.Pane
function M.give_back(pane)
  local win = pane.win
  M.leave_diff(win)
  bring_back_buffer(pane)
  if not vim.api.nvim_win_is_valid(win) then
    return
  end
  local shown = pane.shown or pane.buffer
  with_buffer(win, shown, function()
    M.leave_diff(win)
    if shown == pane.buffer then
      restore_options(pane)
    end
  end)
  if vim.api.nvim_win_get_buf(win) ~= pane.buffer then
    return
  end
  restore_options(pane)
  folds.restore(win, pane.folds)
  vim.api.nvim_win_call(win, function()
    vim.fn.winrestview(pane.view)
  end)
end

return M
