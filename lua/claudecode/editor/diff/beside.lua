-- Claude's windows while a diff is open: beside it, as wide as the options say; out of its way, when they float over it.
local M = {}

local copies = {} ---@type table<integer, true> Claude's windows in tab pages of diffs
local aside = {} ---@type table<integer, {views: table<claudecode.diff.View, true>, focusable: boolean}> floats that are hidden
local group ---@type integer?

---@param win integer
---@return boolean whether Claude is in it
function M.is_claude(win)
  local buffer = vim.api.nvim_win_get_buf(win)
  return vim.bo[buffer].filetype == "claudecode" or require("claudecode.terminal").is_claudes(buffer)
end

local function is_float(win)
  return vim.api.nvim_win_get_config(win).relative ~= ""
end

local function is_backdrop(win)
  return vim.bo[vim.api.nvim_win_get_buf(win)].filetype == "snacks_win_backdrop"
end

---@param id string? of a session
---@return integer[] tab pages in which it is shown, or any Claude when it is not known; but for those of diffs
function M.tabs(id)
  local session = id and require("claudecode.terminal.sessions").get(id)
  local buffer = session and session.terminal.buffer and session.terminal:buffer()
  return vim.tbl_filter(function(tab)
    return vim.iter(vim.api.nvim_tabpage_list_wins(tab)):any(function(win)
      local is_shown = M.is_claude(win) and not copies[win]
      return is_shown and (not session or vim.api.nvim_win_get_buf(win) == buffer)
    end)
  end, vim.api.nvim_list_tabpages())
end

---@param tab integer? tab page, the current one by default
---@return integer? win Claude's split there
function M.window(tab)
  return vim.iter(vim.api.nvim_tabpage_list_wins(tab or 0)):find(function(win)
    return M.is_claude(win) and not is_float(win)
  end)
end

---@return integer? win any window of Claude's in the current tab page that can be seen
local function visible()
  return M.window()
    or vim.iter(vim.api.nvim_tabpage_list_wins(0)):find(function(win)
      return M.is_claude(win) and not vim.api.nvim_win_get_config(win).hide
    end)
end

-- What a terminal's window has otherwise than a file's, and the user may have set.
local look = {
  "number",
  "relativenumber",
  "signcolumn",
  "statuscolumn",
  "foldcolumn",
  "cursorline",
  "cursorcolumn",
  "colorcolumn",
  "spell",
  "list",
  "wrap",
  "winhighlight",
}

---Shows Claude in the current tab page as it is in another: at that side, and as wide, so that its text fits in both.
---@param from integer Claude's window
---@return integer? win nil for one that is as wide as the screen
function M.copy(from)
  local width = vim.api.nvim_win_get_width(from)
  if width >= vim.o.columns then
    return
  end
  local is_left = vim.api.nvim_win_get_position(from)[2] == 0
  local config = { split = is_left and "left" or "right", win = -1, width = width }
  local win = vim.api.nvim_open_win(vim.api.nvim_win_get_buf(from), false, config)
  for _, option in ipairs(look) do
    vim.wo[win][0][option] = vim.wo[from][option]
  end
  vim.wo[win][0].winfixwidth = true
  copies[win] = true
  return win
end

---Gives Claude's split in the current tab page the width that the options ask for while a diff is open.
---@param view claudecode.diff.View
function M.resize(view)
  local win = view.display.claude_width and M.window()
  local before = win and vim.api.nvim_win_get_width(win)
  if win and before < vim.o.columns then
    vim.api.nvim_win_set_width(win, math.max(1, math.floor(vim.o.columns * view.display.claude_width)))
    view.resized = { win = win, before = before, after = vim.api.nvim_win_get_width(win) }
  end
end

---Claude's split is as wide as before, unless the user has changed that.
---@param view claudecode.diff.View
function M.size_back(view)
  local resized = view.resized
  if
    resized
    and vim.api.nvim_win_is_valid(resized.win)
    and vim.api.nvim_win_get_width(resized.win) == resized.after
  then
    vim.api.nvim_win_set_width(resized.win, resized.before)
  end
end

local function set_hidden(win, hidden)
  if vim.api.nvim_win_is_valid(win) then
    vim.api.nvim_win_set_config(win, { hide = hidden, focusable = not hidden and aside[win].focusable })
  end
end

local function watch()
  group = group or vim.api.nvim_create_augroup("ClaudeCodeAside", {})
  vim.api.nvim_create_autocmd("WinEnter", {
    group = group,
    callback = function()
      local win = vim.api.nvim_get_current_win()
      if aside[win] then
        set_hidden(win, false) -- the user has asked for it
      end
    end,
  })
end

---Hides the floats of Claude's in the current tab page until the diff is closed. The user is not in one of them.
---@param view claudecode.diff.View
function M.step_aside(view)
  local floats = vim.tbl_filter(function(win)
    return is_float(win) and M.is_claude(win)
  end, vim.api.nvim_tabpage_list_wins(0))
  if #floats == 0 then
    return
  end
  vim.list_extend(floats, vim.tbl_filter(is_backdrop, vim.api.nvim_tabpage_list_wins(0)))
  for _, win in ipairs(floats) do
    aside[win] = aside[win] or { views = {}, focusable = vim.api.nvim_win_get_config(win).focusable }
    aside[win].views[view] = true
    set_hidden(win, true)
  end
  if not group then
    watch()
  end
end

---Shows the floats again, when no other diff needs them out of its way.
---@param view claudecode.diff.View
function M.come_back(view)
  for win, item in pairs(aside) do
    item.views[view] = nil
    if next(item.views) == nil then
      set_hidden(win, false)
      aside[win] = nil
    end
  end
  if group and next(aside) == nil then
    vim.api.nvim_del_augroup_by_id(group)
    group = nil
  end
end

---Takes the user to Claude, when Claude can be seen in the current tab page.
---@param typing boolean in Terminal mode
---@return boolean done
function M.enter(typing)
  local win = visible()
  if win then
    vim.api.nvim_set_current_win(win)
    if typing then
      require("claudecode.editor.diff.terminal_mode").enter(win)
    end
  end
  return win ~= nil
end

---Whether the user is in the copy of Claude's window that a diff has in its tab page.
---@return boolean
function M.is_in_copy()
  local win = vim.api.nvim_get_current_win()
  return copies[win] == true and M.is_claude(win)
end

---@param win integer that is closed
function M.forget(win)
  copies[win] = nil
end

return M
