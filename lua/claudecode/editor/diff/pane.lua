-- A window of the user's that a diff borrows: what it was like, and how it is given back.
local diff_mode = require("claudecode.editor.diff.diff_mode")
local folds = require("claudecode.editor.diff.folds")
local quietly = require("claudecode.editor.diff.quietly")
local line_map = require("claudecode.editor.line_map")

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

local function switch(win, buffer)
  vim.api.nvim_win_call(win, function()
    vim.cmd(("silent keepalt keepjumps buffer! %d"):format(buffer))
  end)
end

---Keeps a buffer loaded while another one takes its place.
---@return string bufhidden to give back
local function hold(buffer)
  local bufhidden = vim.bo[buffer].bufhidden
  vim.bo[buffer].bufhidden = "hide"
  return bufhidden
end

---Shows a buffer in the window. The user's own stays loaded, whatever 'hidden' and its 'bufhidden' say; the alternate
---file and the jump list stay what they are.
---@param pane claudecode.diff.Pane
---@param buffer integer
function M.show(pane, buffer)
  if buffer ~= pane.buffer then
    pane.bufhidden = hold(pane.buffer)
    pane.shown = buffer
    switch(pane.win, buffer)
  end
end

local function restore_options(pane)
  for option, value in pairs(pane.options) do
    if vim.wo[pane.win][option] ~= value then
      vim.wo[pane.win][0][option] = value
    end
  end
end

---Runs a step with a buffer in a window that shows another one by now.
local function with_buffer(win, buffer, step)
  local now = vim.api.nvim_win_get_buf(win)
  local view = vim.api.nvim_win_call(win, vim.fn.winsaveview)
  view.topfill = 0 -- see line_map.move_view()
  local bufhidden = hold(now)
  switch(win, buffer)
  step()
  switch(win, now)
  vim.bo[now].bufhidden = bufhidden
  vim.api.nvim_win_call(win, function()
    vim.fn.winrestview(view)
  end)
end

---The user has another buffer in the window. Neovim keeps a window's options for each buffer that was in it: the file
---would come back in diff mode.
local function forget_diff_mode(pane, file)
  if vim.api.nvim_buf_is_valid(file) then
    quietly.with({}, function()
      with_buffer(pane.win, file, function()
        diff_mode.leave(pane.win)
        if file == pane.buffer then
          restore_options(pane)
        end
      end)
    end)
  end
end

local function give_back_buffer(pane)
  if not vim.api.nvim_buf_is_valid(pane.buffer) then
    return
  end
  if pane.shown then
    if vim.api.nvim_win_is_valid(pane.win) and vim.api.nvim_win_get_buf(pane.win) == pane.shown then
      switch(pane.win, pane.buffer)
    end
    vim.bo[pane.buffer].bufhidden = pane.bufhidden
  end
end

---Another window takes the place of the borrowed one.
---@param pane claudecode.diff.Pane
---@param win integer
---@param shown integer? what the diff shows there instead of the user's buffer; nil: that is shown from now on
function M.move(pane, win, shown)
  pane.win, pane.shown = win, shown
  if shown then
    pane.bufhidden = hold(pane.buffer)
  else
    switch(win, pane.buffer)
    vim.bo[pane.buffer].bufhidden = pane.bufhidden
  end
end

---The text of a buffer has moved: so has what will be given back.
---@param pane claudecode.diff.Pane
---@param buffer integer
---@param follow fun(line: integer): integer
function M.follow_lines(pane, buffer, follow)
  if pane.buffer == buffer then
    line_map.move_view(pane.view, follow)
    pane.folds = folds.move(pane.folds, follow)
  end
end

---Gives the window back as it was. What the user has changed in it since then stays changed.
---@param pane claudecode.diff.Pane
function M.give_back(pane)
  local win = pane.win
  local file = pane.shown or pane.buffer
  diff_mode.leave(win)
  if vim.api.nvim_win_is_valid(win) and vim.api.nvim_win_get_buf(win) ~= file then
    forget_diff_mode(pane, file)
  end
  give_back_buffer(pane)
  if not vim.api.nvim_win_is_valid(win) or vim.api.nvim_win_get_buf(win) ~= pane.buffer then
    return
  end
  restore_options(pane)
  folds.restore(win, pane.folds)
  vim.api.nvim_win_call(win, function()
    vim.fn.winrestview(pane.view)
  end)
end

return M
