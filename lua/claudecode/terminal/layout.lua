-- The windows beside Claude's: all of them give way evenly when it opens, and are as they were when it closes.
local M = {}

local passes = 3 -- a width that is set changes its neighbours', so one round is not enough (|winrestcmd()| does two)

---@class claudecode.terminal.Layout
---@field tree table |winlayout()|
---@field screen integer[]
---@field sizes table<integer, {width: integer, height: integer}>

local function is_normal(win)
  return vim.api.nvim_win_get_config(win).relative == ""
end

---@param tab integer tab page
---@return claudecode.terminal.Layout
function M.take(tab)
  local sizes = {}
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(tab)) do
    if is_normal(win) then
      sizes[win] = { width = vim.api.nvim_win_get_width(win), height = vim.api.nvim_win_get_height(win) }
    end
  end
  return {
    tree = vim.fn.winlayout(vim.api.nvim_tabpage_get_number(tab)),
    screen = { vim.o.columns, vim.o.lines, vim.o.cmdheight },
    sizes = sizes,
  }
end

---Runs `change` without Neovim making all windows equal (|'equalalways'|). The option itself is back afterwards.
---@generic T
---@param change fun(): T
---@return T
function M.without_equalising(change)
  local equalalways = vim.o.equalalways
  vim.o.equalalways = false
  local done, result = pcall(change)
  if equalalways then
    local sizes = M.take(vim.api.nvim_get_current_tabpage()).sizes
    vim.o.equalalways = true -- which makes them equal at once
    M.set_sizes(sizes)
  end
  if not done then
    error(result, 0)
  end
  return result
end

---@param sizes table<integer, {width: integer, height: integer}>
function M.set_sizes(sizes)
  local windows = vim.tbl_filter(vim.api.nvim_win_is_valid, vim.tbl_keys(sizes))
  table.sort(windows, function(a, b)
    return vim.fn.win_id2win(a) < vim.fn.win_id2win(b)
  end)
  for _ = 1, passes do
    for _, win in ipairs(windows) do
      if vim.api.nvim_win_get_height(win) ~= sizes[win].height then
        vim.api.nvim_win_set_height(win, sizes[win].height)
      end
      if vim.api.nvim_win_get_width(win) ~= sizes[win].width then
        vim.api.nvim_win_set_width(win, sizes[win].width)
      end
    end
  end
end

local function width_of(node, sizes)
  local kind, content = node[1], node[2]
  if kind == "leaf" then
    return sizes[content] and sizes[content].width or vim.api.nvim_win_get_width(content)
  elseif kind == "col" then
    return width_of(content[1], sizes)
  end
  local width = #content - 1
  for _, child in ipairs(content) do
    width = width + width_of(child, sizes)
  end
  return width
end

local function is_fixed(node)
  if node[1] == "leaf" then
    return vim.wo[node[2]].winfixwidth
  end
  for _, child in ipairs(node[2]) do
    if is_fixed(child) then
      return true
    end
  end
  return false
end

---Gives every window of `node` its part of `width`, in the proportions that they had.
local function share(node, width, sizes, widths)
  local kind, content = node[1], node[2]
  if kind == "leaf" then
    widths[content] = width
    return
  elseif kind == "col" then
    for _, child in ipairs(content) do
      share(child, width, sizes, widths)
    end
    return
  end
  local room, old, flexible = width - (#content - 1), 0, 0
  for _, child in ipairs(content) do
    if is_fixed(child) then
      room = room - width_of(child, sizes)
    else
      old, flexible = old + width_of(child, sizes), flexible + 1
    end
  end
  local used, seen = 0, 0
  for _, child in ipairs(content) do
    local part = width_of(child, sizes)
    if not is_fixed(child) then
      seen = seen + part
      part = math.max(1, math.floor(room * seen / old + 0.5) - used)
      used = used + part
    end
    share(child, part, sizes, widths)
  end
end

---Shares the screen's width, without Claude's window, among the others in the proportions of `sizes`.
---@param tab integer tab page
---@param claude integer? Claude's window, when it is there
---@param sizes table<integer, {width: integer, height: integer}> as they were
function M.share(tab, claude, sizes)
  local tree = vim.fn.winlayout(vim.api.nvim_tabpage_get_number(tab))
  local room = vim.o.columns
  if claude then
    local beside = {}
    for _, child in ipairs(tree[1] == "row" and tree[2] or {}) do
      if child[2] ~= claude then
        beside[#beside + 1] = child
      end
    end
    if tree[1] ~= "row" or #beside == #tree[2] then
      return -- the user has put it somewhere else
    end
    room = room - vim.api.nvim_win_get_width(claude) - 1
    tree = #beside == 1 and beside[1] or { "row", beside }
  end
  local widths = {}
  share(tree, room, sizes, widths)
  local target = {}
  for win, width in pairs(widths) do
    target[win] = { width = width, height = vim.api.nvim_win_get_height(win) }
  end
  M.set_sizes(target)
end

---@param a claudecode.terminal.Layout
---@param b claudecode.terminal.Layout
---@return boolean
function M.same_windows(a, b)
  return vim.deep_equal(a.tree, b.tree) and vim.deep_equal(a.screen, b.screen)
end

return M
