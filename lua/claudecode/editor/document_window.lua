-- The window in which a file that a client opens belongs: one that the user has for files, else a new one.
local documents = require("claudecode.editor.documents")
local windows = require("claudecode.editor.windows")
local M = {}

---Whether the window's own buffer may leave it without E37 (:help abandon), a question ('confirm') or a write ('autowrite').
local function can_leave(window)
  local buffer = vim.api.nvim_win_get_buf(window)
  local bufhidden = vim.bo[buffer].bufhidden
  return not vim.bo[buffer].modified
    or #vim.fn.win_findbuf(buffer) > 1
    or bufhidden == "hide"
    or (bufhidden == "" and vim.o.hidden)
end

---@return boolean usable also not an explorer's, and not one whose file would be lost or asked about
local function is_usable(window)
  local buffer = vim.api.nvim_win_get_buf(window)
  return windows.is_for_code(window)
    and (vim.api.nvim_buf_get_name(buffer) == "" or documents.is_document(buffer))
    and can_leave(window)
end

---@return boolean whether a window that shows the file already may go on to do so, though it is tied to it perhaps
local function shows_plainly(window, buffer)
  return vim.api.nvim_win_get_buf(window) == buffer
    and windows.is_normal(window)
    and not vim.wo[window].diff
    and not vim.wo[window].previewwindow
end

---The windows of this tab page, likeliest first: the current one, the one the user came from, the others.
local function in_order()
  local before = vim.fn.win_getid(vim.fn.winnr("#"))
  local found = { vim.api.nvim_get_current_win() }
  if before ~= 0 then
    found[2] = before
  end
  return vim.list_extend(found, vim.api.nvim_tabpage_list_wins(0))
end

local function set_local(window, option, value)
  vim.api.nvim_set_option_value(option, value, { win = window, scope = "local" })
end

---A new window has the options of the one it was split from, which was not one for files.
local function reset_options(window)
  vim.api.nvim_win_call(window, function()
    vim.cmd("diffoff")
  end)
  for _, option in ipairs({ "winfixbuf", "winfixwidth", "winfixheight", "previewwindow" }) do
    set_local(window, option, false)
  end
end

local function open(config)
  -- The file comes later, when the window has options of its own.
  local scratch = vim.api.nvim_create_buf(false, true)
  vim.bo[scratch].bufhidden = "wipe"
  local done, window = pcall(vim.api.nvim_open_win, scratch, false, config)
  if not done then
    vim.api.nvim_buf_delete(scratch, { force = true })
    return nil, "There is no room for another window in Neovim."
  end
  reset_options(window)
  return window
end

---Neovim's preview window is what a preview tab is elsewhere: one, and taken by the next preview (:help preview-window).
---@return integer? window
---@return boolean? is_new
local function preview()
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.wo[window].previewwindow then
      return not vim.wo[window].winfixbuf and can_leave(window) and window or nil, false
    end
  end
  local window = open({ win = -1, split = "above", height = vim.o.previewheight })
  if window then
    set_local(window, "previewwindow", true)
    set_local(window, "winfixheight", true)
  end
  return window, true
end

---@param buffer integer what will be shown
---@param in_preview boolean
---@return integer? window
---@return string? refusal
---@return boolean? is_new
function M.choose(buffer, in_preview)
  if in_preview then
    local window, is_new = preview()
    if window then
      return window, nil, is_new
    end
  end
  local candidates = in_order()
  for _, window in ipairs(candidates) do
    if shows_plainly(window, buffer) then
      return window
    end
  end
  for _, window in ipairs(candidates) do
    if is_usable(window) then
      return window
    end
  end
  local window, refusal = open({ win = windows.widest(), split = "left" })
  return window, refusal, true
end

return M
