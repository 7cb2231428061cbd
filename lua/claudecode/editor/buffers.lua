-- Buffers of files that Claude writes: brought up to date, or given a text that would be lost otherwise.
local documents = require("claudecode.editor.documents")
local folds = require("claudecode.editor.diff.folds")
local lives = require("claudecode.editor.diff.life")
local line_map = require("claudecode.editor.line_map")
local originals = require("claudecode.editor.diff.original")
local proposals = require("claudecode.editor.diff.proposal")

local M = {}

local letters = ("abcdefghijklmnopqrstuvwxyz"):gsub(".", "%0 ") -- marks that belong to a buffer

---All loaded buffers of a file, whatever way its path was written.
---@param path string
---@return integer[]
local function loaded_buffers(path)
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
    if line > 0 then
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

---Lets Neovim read the file again, without a question (W11, W12, W13), with its undo history ('undoreload' would drop
---that of a long text).
local function read_again(buffer)
  local group = vim.api.nvim_create_augroup("ClaudeCodeReload", {})
  vim.api.nvim_create_autocmd("FileChangedShell", {
    group = group,
    buffer = buffer,
    callback = function()
      vim.v.fcs_choice = "reload"
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
  read_again(buffer)
  restore_places(buffer, places)
end

---Puts lines in place of the buffer's, as one change that leaves everything else where it is.
---@return boolean changed
local function replace_lines(buffer, lines)
  if #lines == 0 then
    local was_empty = vim.api.nvim_buf_get_offset(buffer, vim.api.nvim_buf_line_count(buffer)) <= 0
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, {})
    return not was_empty
  end
  local hunks = line_map.hunks(lines_of(buffer), lines)
  for index = #hunks, 1, -1 do
    local start_old, count_old, start_new, count_new = unpack(hunks[index])
    local from = count_old == 0 and start_old or start_old - 1
    local first = count_new == 0 and start_new + 1 or start_new
    local new = vim.list_slice(lines, first, first + count_new - 1)
    vim.api.nvim_buf_set_lines(buffer, from, from + count_old, false, new)
  end
  return #hunks > 0
end

local function open_for(path)
  local buffer = documents.find({ path }) or vim.fn.bufadd(path)
  originals.load_in(function()
    vim.fn.bufload(buffer)
  end)
  vim.bo[buffer].buflisted = true
  return buffer
end

local function how_written(bo)
  return ("%s %s %s"):format(bo.bomb, bo.endofline, bo.fileformat)
end

---Puts a text into the buffer of a file, as unsaved changes that can be undone.
---@param path string
---@param source string file that holds the text
---@return {had_unsaved: boolean, is_changed: boolean}? put nothing is changed when the buffer has the text already
---@return string? refusal
function M.put(path, source)
  local text = proposals.read(source)
  local is_new = vim.uv.fs_stat(path) == nil
  local buffer = open_for(path)
  local bo = vim.bo[buffer]
  if not bo.modifiable then
    return nil, ("the buffer of %s can't be changed ('modifiable' is off)"):format(vim.fs.basename(path))
  end
  local had_unsaved, before = bo.modified, how_written(bo)
  local is_changed = replace_lines(buffer, text.lines)
  bo.bomb = text.format.bomb
  bo.endofline = text.format.endofline
  bo.fixendofline = bo.fixendofline and text.format.endofline
  if text.format.fileformat == "dos" then
    bo.fileformat = "dos"
  end
  is_changed = is_changed or is_new or how_written(bo) ~= before
  bo.modified = had_unsaved or is_changed
  return { had_unsaved = had_unsaved, is_changed = is_changed }
end

M.rpc = {
  ---Whether a buffer of one of these files has changes that are not saved.
  ---@param args {paths: string[]}
  ---@return boolean
  has_unsaved = function(args)
    for _, path in ipairs(args.paths) do
      for _, buffer in ipairs(loaded_buffers(path)) do
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
    for _, buffer in ipairs(loaded_buffers(args.path)) do
      if vim.bo[buffer].modified then
        has_unsaved = true
      else
        M.reload(buffer)
      end
    end
    return { has_unsaved = has_unsaved }
  end,

  ---@param args {path: string, source: string} see `M.put`
  put = function(args)
    return M.put(args.path, args.source)
  end,
}

return M
