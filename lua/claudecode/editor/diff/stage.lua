-- What every layout of a diff has in common: where it is put, who has the cursor, and that all is as before afterwards.
local beside = require("claudecode.editor.diff.beside")
local focus = require("claudecode.editor.diff.focus")
local layout = require("claudecode.editor.diff.layout")
local originals = require("claudecode.editor.diff.original")
local panes = require("claudecode.editor.diff.pane")
local place = require("claudecode.editor.diff.place")
local quietly = require("claudecode.editor.diff.quietly")
local windows = require("claudecode.editor.windows")

local M = {}

local open = {} ---@type table<claudecode.diff.View, true>
local closed = {} ---@type claudecode.diff.View[] whose tab page is not as before yet, for the sake of other diffs

---@alias claudecode.diff.Build fun(view: claudecode.diff.View, win: integer, kind: "own"|"borrowed")

---@return claudecode.diff.View
local function new_view(proposal, original, display)
  return {
    kind = display.layout,
    proposal = proposal,
    original = original,
    display = display,
    layout = layout.take(),
    own = {},
    had_focus = false,
  }
end

---Runs a step in which windows change their size. No cursor moves for it (|'splitkeep'|), and the command line does not
---give its place to a window that 'winheight' makes larger, as it did in 0.10.
local function steadily(step)
  local splitkeep, cmdheight = vim.o.splitkeep, vim.o.cmdheight
  local function set(name, value)
    if vim.o[name] ~= value then
      quietly.with({}, function()
        vim.o[name] = value
      end)
    end
  end
  set("splitkeep", "cursor")
  local done, problem = xpcall(step, debug.traceback)
  set("splitkeep", splitkeep)
  set("cmdheight", cmdheight)
  if not done then
    error(problem, 0)
  end
end

local function try(make, build, close, in_own_tab)
  local view = make()
  local done, problem = xpcall(originals.load_in, debug.traceback, function()
    beside.resize(view)
    local win, kind = place.window(view, in_own_tab)
    build(view, win, kind)
  end)
  if done then
    return view
  end
  view.had_focus = view.tab ~= nil
  close(view)
  return nil, problem
end

---@return boolean whether a diff of Claude's is in the current tab page that is compared still: an accepted one is not
local function has_proposal()
  return vim.iter(vim.api.nvim_tabpage_list_wins(0)):any(function(win)
    local diff = vim.b[vim.api.nvim_win_get_buf(win)].claudecode_diff
    return diff ~= nil and diff.state ~= "accepted"
  end)
end

---Shows a diff. Diff mode joins all windows of a tab page that have it, so a tab page with a diff gets no second one.
---@param proposal integer buffer
---@param original claudecode.diff.Original?
---@param display claudecode.diff.Display
---@param build claudecode.diff.Build puts the diff into a window
---@param close fun(view: claudecode.diff.View) the layout's, which takes back what is half built
---@return claudecode.diff.View? view
---@return string? problem with its stack
function M.open(proposal, original, display, build, close)
  local here = vim.api.nvim_get_current_tabpage()
  local home = place.home(display, original and original.buffer)
  local view, problem
  local function make()
    return new_view(proposal, original, display)
  end
  steadily(function()
    place.visit(home, function()
      if not windows.has_diff() and not has_proposal() and not display.in_new_tab then
        view = try(make, build, close, false)
      end
      if not view then
        view, problem = try(make, build, close, true)
      end
    end)
  end)
  if not view then
    return nil, problem
  end
  open[view] = true
  if home == here then
    focus.take(view)
  else
    view.layout.mode = "n" -- which is the mode of where the user is
  end
  return view
end

---A diff that opened while the user was in a window which closes now: they came from where they had been before that.
local function pass_on(view, wins)
  for other in pairs(open) do
    if vim.list_contains(wins, other.layout.current) then
      local was = view.layout
      other.layout.current, other.layout.previous, other.layout.mode = was.current, was.previous, was.mode
      other.layout.tab = was.tab
    end
  end
end

local function close_window(win)
  beside.forget(win)
  if vim.api.nvim_win_is_valid(win) then
    -- E444: the last window of all stays; it shows something else once the proposal's buffer is gone.
    pcall(vim.api.nvim_win_close, win, true)
  end
end

---Closes the windows that were made for the diff, and those that show the proposal.
---@param view claudecode.diff.View
function M.close_windows(view)
  local wins = vim.list_extend(vim.fn.win_findbuf(view.proposal), view.own)
  view.had_focus = view.had_focus or vim.list_contains(wins, vim.api.nvim_get_current_win())
  open[view] = nil
  pass_on(view, wins)
  view.was_typing = beside.is_in_copy() and vim.api.nvim_get_mode().mode == "t"
  steadily(function()
    for _, win in ipairs(wins) do
      close_window(win)
    end
  end)
end

local function restore_layout(view)
  return vim.api.nvim_tabpage_is_valid(view.layout.tab)
    and place.visit(view.layout.tab, function()
      local done = layout.restore(view.layout)
      if not done then
        beside.size_back(view)
      end
      return done
    end)
end

---The tab page as it was. While other diffs have windows in it, or made the tab line appear, it can't be: then later.
local function restore_layouts(view)
  table.insert(closed, 1, view)
  closed = vim.tbl_filter(function(one)
    return not restore_layout(one)
  end, closed)
  if next(open) == nil then
    closed = {}
  end
end

---Everything is as before: Claude's windows, sizes, scroll positions, and where the user is.
---@param view claudecode.diff.View
function M.restore(view)
  beside.come_back(view)
  if view.had_focus then
    steadily(function()
      focus.give_back(view) -- first: 'winwidth' and 'winheight' make the window that one comes to larger
    end)
  end
  steadily(function()
    restore_layouts(view)
  end)
end

---Whether the user still sees the proposal, or could by going back in its window.
---@param view claudecode.diff.View
---@return boolean
function M.is_open(view)
  return #vim.fn.win_findbuf(view.proposal) > 0 or (view.win ~= nil and vim.api.nvim_win_is_valid(view.win))
end

---What will be given back of a buffer is at other lines now.
---@param view claudecode.diff.View
---@param buffer integer
---@param follow fun(line: integer): integer
function M.follow_lines(view, buffer, follow)
  layout.follow_lines(view.layout, buffer, follow)
  if view.pane then
    panes.follow_lines(view.pane, buffer, follow)
  end
end

return M
