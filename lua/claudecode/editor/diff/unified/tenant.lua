-- A proposal in a window of the user's, in the place of their buffer. When they close it there, they mean the proposal: the
-- window is handed to their buffer first.
local layout = require("claudecode.editor.diff.layout")
local panes = require("claudecode.editor.diff.pane")
local windows = require("claudecode.editor.windows")

local M = {}

-- What belongs to the window or to its text, not to how text is shown in it.
local apart = {
  diff = true,
  scrollbind = true,
  cursorbind = true,
  previewwindow = true,
  winfixbuf = true,
  winfixheight = true,
  winfixwidth = true,
}

---The options of a window, as they are set in it; without 'scroll', which follows the height and may not exceed it.
local function look_of(win)
  local look = {}
  for name, info in pairs(vim.api.nvim_get_all_options_info()) do
    if info.scope == "win" and name ~= "scroll" then
      look[name] = vim.api.nvim_get_option_value(name, { win = win, scope = "local" })
    end
  end
  return look
end

local function set(win, name, value)
  if vim.api.nvim_get_option_value(name, { win = win, scope = "local" }) ~= value then
    vim.api.nvim_set_option_value(name, value, { win = win, scope = "local" })
  end
end

---Makes a window fit for the drawing of a diff.
---@param win integer that shows the proposal
function M.furnish(win)
  set(win, "foldenable", false)
  if vim.wo[win].signcolumn:match("^auto") then
    set(win, "signcolumn", "yes")
  end
end

---What was in a row or column before is in one of its own with the new window, which gets all the room when `win` closes.
local function side_for(win)
  local function search(node, kind)
    if node[1] == "leaf" then
      return node[2] == win and kind or nil
    end
    for _, child in ipairs(node[2]) do
      local found = search(child, node[1])
      if found then
        return found
      end
    end
  end
  local tab = vim.api.nvim_tabpage_get_number(vim.api.nvim_win_get_tabpage(win))
  return search(vim.fn.winlayout(tab), "none") == "row" and "above" or "left"
end

local function set_alternate(win, buffer)
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_win_call(win, function()
      vim.fn.setreg("#", buffer)
    end)
  end
end

---Gives the user's buffer a window beside the proposal's, which is about to close.
local function hand_over(view)
  local pane = view.pane
  local old = pane.win
  local done, win = pcall(vim.api.nvim_open_win, view.proposal, false, { split = side_for(old), win = old })
  if not done then
    return -- E36: there is no room; their buffer stays hidden
  end
  panes.move(pane, win)
  for name, value in pairs(view.look) do
    set(win, name, value)
  end
  set_alternate(win, view.alternate)
  layout.replace_window(view.layout, old, win)
  view.handed = { from = old, to = win }
  view.had_focus = true
end

---The window did not close after all.
local function hand_back(view)
  local handed = view.handed
  if not handed or not vim.api.nvim_win_is_valid(handed.from) then
    return
  end
  layout.replace_window(view.layout, handed.to, handed.from)
  panes.move(view.pane, handed.from, view.proposal)
  if vim.api.nvim_win_is_valid(handed.to) then
    vim.api.nvim_win_close(handed.to, true)
  end
  view.handed, view.had_focus = nil, false
end

local function is_closing(view, win)
  return view.pane and not view.handed and view.pane.win == win and vim.api.nvim_get_current_win() == win
end

local function watch(view)
  vim.api.nvim_create_autocmd("QuitPre", {
    group = view.group,
    buffer = view.proposal,
    callback = function()
      if is_closing(view, vim.api.nvim_get_current_win()) then
        hand_over(view)
        vim.schedule(function()
          hand_back(view)
        end)
      end
    end,
  })
  vim.api.nvim_create_autocmd("WinClosed", {
    group = view.group,
    callback = function(event)
      -- The last window of a tab page: the user closes that.
      if is_closing(view, tonumber(event.match)) and #windows.list() > 1 then
        hand_over(view)
      end
    end,
  })
end

---The jump list without the proposal, which Neovim 0.10 leaves in a list that was empty; and the place in it, which
---|:bdelete| has moved. That is behind the end again after a jump from where the last one was made: the list keeps one.
local function restore_jumps(view, win)
  local list, place = unpack(vim.fn.getjumplist(win))
  local old_list, old_place = unpack(view.jumps)
  local last = list[#list]
  vim.api.nvim_win_call(win, function()
    if #old_list == 0 and last and last.bufnr == view.proposal then
      vim.cmd.clearjumps()
    elseif place < #list and old_place == #old_list and last.bufnr == vim.api.nvim_win_get_buf(win) then
      local now = vim.fn.winsaveview()
      vim.api.nvim_win_set_cursor(win, { math.min(last.lnum, vim.fn.line("$")), last.col })
      vim.cmd("normal! m'")
      vim.fn.winrestview(now)
    end
  end)
end

---Puts the proposal into the user's window, which shows it as it shows their own text.
---@param view claudecode.diff.View
function M.move_in(view)
  local win = view.win
  view.pane = panes.borrow(win)
  view.look = look_of(win)
  view.jumps = vim.fn.getjumplist(win)
  view.alternate = vim.api.nvim_win_call(win, function()
    return vim.fn.bufnr("#")
  end)
  panes.show(view.pane, view.proposal)
  for name, value in pairs(view.look) do
    if not apart[name] then
      set(win, name, value)
    end
  end
  watch(view)
end

---Gives the window back.
---@param view claudecode.diff.View
function M.move_out(view)
  local pane = view.pane
  if not pane then
    return
  end
  view.pane = nil
  local current = vim.api.nvim_get_current_win()
  view.had_focus = view.had_focus or vim.api.nvim_win_get_buf(current) == view.proposal
  if vim.api.nvim_win_is_valid(pane.win) and not vim.api.nvim_buf_is_loaded(view.proposal) and pane.shown then
    view.had_focus = view.had_focus or current == pane.win
    pane.shown = vim.api.nvim_win_get_buf(pane.win) -- what Neovim shows since the proposal was deleted
  end
  panes.give_back(pane)
  if vim.api.nvim_win_is_valid(pane.win) and vim.api.nvim_win_get_buf(pane.win) == pane.buffer then
    restore_jumps(view, pane.win)
    set_alternate(pane.win, view.alternate)
  end
end

return M
