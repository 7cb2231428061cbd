-- Buffers of files that Claude writes: brought up to date, unless they have changes of the user's.
local bytes = require("claudecode.editor.bytes")
local documents = require("claudecode.editor.documents")
local folds = require("claudecode.editor.diff.folds")
local lives = require("claudecode.editor.diff.life")
local line_map = require("claudecode.editor.line_map")
local proposals = require("claudecode.editor.diff.proposal")

local M = {}

local letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

---All loaded buffers of a file, whatever way its path was written.
---@param path string
---@return integer[]
function M.loaded(path)
  local real = vim.uv.fs_realpath(path)
  return vim.tbl_filter(function(buffer)
    if not vim.api.nvim_buf_is_loaded(buffer) or not documents.is_document(buffer) then
      return false
    end
    local name = vim.api.nvim_buf_get_name(buffer)
    return name == path or (real ~= nil and vim.uv.fs_realpath(name) == real)
  end, vim.api.nvim_list_bufs())
end

local function lines_of(buffer)
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

---What a reload by Neovim leaves at its line numbers though the text has moved on: marks, cursors, scroll positions.
local function take_places(buffer)
  local places = { lines = lines_of(buffer), marks = {}, views = {}, folds = {} }
  for letter in letters:gmatch("%a") do
    local line, column = unpack(vim.api.nvim_buf_get_mark(buffer, letter))
    if line > 0 then -- a mark of a capital letter is only told by the buffer that it is in
      places.marks[letter] = { line, column }
    end
  end
  for _, win in ipairs(vim.fn.win_findbuf(buffer)) do
    places.views[win] = vim.api.nvim_win_call(win, vim.fn.winsaveview)
    if vim.wo[win].foldmethod == "manual" then
      places.folds[win] = folds.save(win) -- all others are made anew from the text
    end
  end
  return places
end

local function restore_places(buffer, places)
  local hunks = line_map.hunks(places.lines, lines_of(buffer))
  local last = vim.api.nvim_buf_line_count(buffer)
  local function follow(line)
    return math.min(line_map.follow(hunks, line), last)
  end
  lives.follow_lines(buffer, follow)
  for letter, place in pairs(places.marks) do
    vim.api.nvim_buf_set_mark(buffer, letter, follow(place[1]), place[2], {})
  end
  for win, view in pairs(places.views) do
    if vim.api.nvim_win_is_valid(win) then
      folds.restore(win, folds.move(places.folds[win] or {}, follow))
      line_map.move_view(view, follow)
      vim.api.nvim_win_call(win, function()
        vim.fn.winrestview(view)
      end)
    end
  end
end

---Lets Neovim compare the buffer with its file, without a question (W11, W12, W13). What it reads again keeps its undo
---history ('undoreload' would drop that of a long text).
---@param buffer integer
---@param choice "reload"|"" see |v:fcs_choice|
local function check_file(buffer, choice)
  local group = vim.api.nvim_create_augroup("ClaudeCodeReload", {})
  vim.api.nvim_create_autocmd("FileChangedShell", {
    group = group,
    buffer = buffer,
    callback = function()
      vim.v.fcs_choice = choice
    end,
  })
  local undoreload = vim.go.undoreload
  vim.go.undoreload = -1
  local done, problem = pcall(vim.cmd, ("silent checktime %d"):format(buffer))
  vim.go.undoreload = undoreload
  vim.api.nvim_del_augroup_by_id(group)
  if not done then
    error(problem, 0)
  end
end

---An empty buffer of a file that did not exist: Neovim would ask whether to load it (W13).
local function is_unborn(buffer)
  return vim.api.nvim_buf_line_count(buffer) == 1 and lines_of(buffer)[1] == ""
end

---Reads the file of a buffer again, if it has changed. The user is not asked, and marks, cursors and views stay where
---their text is.
---@param buffer integer loaded, without changes of the user's
function M.reload(buffer)
  if is_unborn(buffer) then
    vim.api.nvim_buf_call(buffer, function()
      vim.cmd("silent edit")
    end)
    return
  end
  local places = take_places(buffer)
  check_file(buffer, "reload")
  restore_places(buffer, places)
end

---Whether the file has just what |:write| would make of the buffer.
local function is_like_file(buffer)
  local copy = vim.fn.tempname()
  proposals.write(buffer, copy)
  local is_same = bytes.of_file(copy) == bytes.of_file(vim.api.nvim_buf_get_name(buffer))
  vim.fn.delete(copy)
  return is_same
end

---A file was written whose buffer has unsaved changes. They stay, and Neovim asks no question until the user writes them
---(for which it compares with the time at which it read the file).
---@return boolean is_conflict false when the changes are what was written
local function keep_unsaved(buffer)
  if is_like_file(buffer) then
    vim.bo[buffer].modified = false
    M.reload(buffer)
    return false
  end
  check_file(buffer, "")
  require("claudecode.editor.refresh").told(buffer) -- by who called
  return true
end

M.rpc = {
  ---Whether a buffer of one of these files has changes that are not saved.
  ---@param args {paths: string[]}
  ---@return boolean
  has_unsaved = function(args)
    for _, path in ipairs(args.paths) do
      for _, buffer in ipairs(M.loaded(path)) do
        if vim.bo[buffer].modified then
          return true
        end
      end
    end
    return false
  end,

  ---A file was written: its buffers that have no changes of the user's are read again.
  ---@param args {path: string}
  ---@return {has_unsaved: boolean} whether there is a buffer with such changes
  reload = function(args)
    local has_unsaved = false
    for _, buffer in ipairs(M.loaded(args.path)) do
      if vim.bo[buffer].modified then
        has_unsaved = keep_unsaved(buffer) or has_unsaved
      else
        M.reload(buffer)
      end
    end
    return { has_unsaved = has_unsaved }
  end,

  ---@param args {path: string, source: string} see put_text.lua
  put = function(args)
    return require("claudecode.editor.put_text").put(args.path, args.source)
  end,
}

return M
