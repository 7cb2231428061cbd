-- Option diff_opts.show_accepted: a file that was written after the user's yes is shown, at its first change.
local documents = require("claudecode.editor.documents")
local originals = require("claudecode.editor.diff.original")

local M = {}

---@type table<string, {path: string, line: integer, is_closed: boolean?, is_written: boolean?}> by the id of the diff
local waiting = {}

---@return integer line 1-based
local function first_change(old, new)
  for line = 1, #new do
    if old[line] ~= new[line] then
      return line
    end
  end
  return math.max(1, #new)
end

local function lines_of(buffer)
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

---A diff is accepted.
---@param diff claudecode.diff.Diff
function M.begin(diff)
  local view = diff.view
  if view and view.display.show_accepted then
    local original = view.original and view.original.buffer
    local old = original and vim.api.nvim_buf_is_loaded(original) and lines_of(original) or {}
    waiting[diff.id] = { path = diff.new_file_path, line = first_change(old, lines_of(diff.buffer)) }
  end
end

local function show(path, line)
  local window = nil
  local buffer = documents.find({ path }) or vim.fn.bufadd(path)
  if require("claudecode.editor.diff.moment").is_right() then -- else the user is typing
    window = require("claudecode.editor.document_window").choose(buffer, false)
  end
  if not window then
    return
  end
  vim.bo[buffer].buflisted = true
  vim.api.nvim_win_call(window, function()
    if vim.api.nvim_get_current_buf() ~= buffer then
      originals.load_in(function()
        vim.cmd.buffer({ args = { tostring(buffer) }, mods = { silent = true } })
      end)
    end
    vim.api.nvim_win_set_cursor(window, { math.min(line, vim.api.nvim_buf_line_count(buffer)), 0 })
    vim.cmd("normal! zv")
  end)
end

---The diff is closed, or its file is written. With both, the file is shown.
---@param id string
---@param what "is_closed"|"is_written"
function M.note(id, what)
  local file = waiting[id]
  if not file then
    return
  end
  file[what] = true
  if file.is_closed and file.is_written then
    waiting[id] = nil
    show(file.path, file.line)
  end
end

return M
