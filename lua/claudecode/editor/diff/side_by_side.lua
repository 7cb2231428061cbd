-- The windows of a diff side by side: the file on the left, the proposal on the right; a new file has no left side.
local diff_mode = require("claudecode.editor.diff.diff_mode")
local layout = require("claudecode.editor.diff.layout")
local originals = require("claudecode.editor.diff.original")
local panes = require("claudecode.editor.diff.pane")
local windows = require("claudecode.editor.windows")

local M = {}

---@class claudecode.diff.SideBySide: claudecode.diff.View
---@field display claudecode.diff.Display
---@field original claudecode.diff.Original?
---@field pane claudecode.diff.Pane? the window of the user's on the left
---@field own integer[] windows that were made for the diff

---Splits a window in two halves. A size is given so that 'equalalways' leaves all the others alone.
local function split(view, buffer, side, beside)
  local width = math.floor((vim.api.nvim_win_get_width(beside) - 1) / 2)
  local config = { split = side, win = beside, width = math.max(width, 1) }
  local win = vim.api.nvim_open_win(buffer, false, config)
  view.own[#view.own + 1] = win
  for _, option in ipairs({ "winfixwidth", "winfixheight", "winfixbuf", "previewwindow" }) do
    vim.wo[win][0][option] = false -- a new window has the options of the one that it is split from
  end
  return win
end

---Where the diff goes: a tab page of its own, a window of the user's, or one split off.
---@return integer win
---@return "own"|"borrowed" kind
local function place(view, in_own_tab)
  local buffer = view.original and view.original.buffer
  if in_own_tab then
    vim.cmd("keepalt tabnew")
    view.tab = vim.api.nvim_get_current_tabpage()
    local win = vim.api.nvim_get_current_win()
    view.own[#view.own + 1] = win
    vim.bo.bufhidden = "wipe" -- the empty buffer that came with the tab page
    return win, "own"
  end
  local win = windows.for_code(buffer)
  if win then
    return win, "borrowed"
  end
  return split(view, buffer or view.proposal, "left", windows.widest()), "own"
end

local function show_left(view, win, kind)
  view.left = win
  if kind == "borrowed" then
    view.pane = panes.borrow(win)
    panes.show(view.pane, view.original.buffer)
  elseif vim.api.nvim_win_get_buf(win) ~= view.original.buffer then
    vim.api.nvim_win_call(win, function()
      vim.cmd(("silent buffer! %d"):format(view.original.buffer))
    end)
  end
end

local function show_proposal(view, win, kind)
  if view.left or kind == "borrowed" then
    view.win = split(view, view.proposal, "right", win)
  else
    view.win = win
    vim.api.nvim_win_set_buf(win, view.proposal)
  end
end

local function build(view, in_own_tab)
  local win, kind = place(view, in_own_tab)
  if view.original then
    show_left(view, win, kind)
  end
  show_proposal(view, win, kind)
  if view.left then
    diff_mode.start({ view.left, view.win })
    diff_mode.go_to_first_change(view.win)
  end
end

---@return boolean takes whether the diff may take the cursor: not out of a terminal that is not Claude's, where the user types
local function may_take_focus(was)
  if was.mode ~= "t" then
    return true
  end
  local buffer = vim.api.nvim_win_get_buf(was.current)
  return buffer == require("claudecode.terminal").get_active_terminal_bufnr()
end

---@param proposal integer buffer
---@param original claudecode.diff.Original?
---@param display claudecode.diff.Display
---@return claudecode.diff.SideBySide
local function new_view(proposal, original, display)
  return {
    proposal = proposal,
    original = original,
    display = display,
    layout = layout.take(),
    own = {},
    had_focus = false,
  }
end

local function try(proposal, original, display, in_own_tab)
  local view = new_view(proposal, original, display)
  local done, problem = pcall(originals.load_in, function()
    build(view, in_own_tab)
  end)
  if done then
    return view
  end
  view.had_focus = view.tab ~= nil
  M.close(view)
  return nil, problem
end

---Shows the diff. Diff mode joins all windows of a tab page that have it, so a tab page with a diff gets no second one.
---@param proposal integer buffer
---@param original claudecode.diff.Original?
---@param display claudecode.diff.Display
---@return claudecode.diff.SideBySide? view
---@return string? problem with its stack
function M.open(proposal, original, display)
  local view, problem
  if not windows.has_diff() and not display.in_new_tab then
    view, problem = try(proposal, original, display, false)
  end
  if not view then
    view, problem = try(proposal, original, display, true)
  end
  if not view then
    return nil, problem
  end
  if may_take_focus(view.layout) then
    vim.cmd.stopinsert() -- out of Terminal mode
    vim.api.nvim_set_current_win(view.win)
  elseif vim.api.nvim_get_current_win() ~= view.layout.current then
    layout.return_focus(view.layout)
  end
  return view
end

---Gives the left side back. The proposal stays.
---@param view claudecode.diff.SideBySide
function M.end_comparison(view)
  diff_mode.stop({ view.win, view.left })
  if view.pane then
    panes.give_back(view.pane)
    view.pane, view.left = nil, nil
  end
  if view.original then
    originals.release(view.original)
  end
end

---Whether the user still sees the proposal, or could by going back in its window.
---@param view claudecode.diff.SideBySide
---@return boolean
function M.is_open(view)
  return #vim.fn.win_findbuf(view.proposal) > 0 or (view.win ~= nil and vim.api.nvim_win_is_valid(view.win))
end

---What will be given back of a buffer is at other lines now.
---@param view claudecode.diff.SideBySide
---@param buffer integer
---@param follow fun(line: integer): integer
function M.follow_lines(view, buffer, follow)
  layout.follow_lines(view.layout, buffer, follow)
  if view.pane then
    panes.follow_lines(view.pane, buffer, follow)
  end
end

local function close_window(win)
  if vim.api.nvim_win_is_valid(win) then
    -- E444: the last window of all stays; it shows something else once the proposal's buffer is gone.
    pcall(vim.api.nvim_win_close, win, true)
  end
end

---Closes the diff's windows and brings back what was there before. May be called for a view that is half open, or
---that the user has closed in part.
---@param view claudecode.diff.SideBySide
function M.close(view)
  local clones = vim.fn.win_findbuf(view.proposal)
  local current = vim.api.nvim_get_current_win()
  local has_focus = view.had_focus or vim.tbl_contains(view.own, current) or vim.tbl_contains(clones, current)
  diff_mode.stop({ view.win, view.left }) -- before a window closes: else 'diffopt' "closeoff" acts on others
  for _, win in ipairs(vim.list_extend(clones, view.own)) do
    close_window(win)
  end
  M.end_comparison(view)
  layout.restore(view.layout)
  if has_focus then
    layout.return_focus(view.layout)
  end
end

return M
