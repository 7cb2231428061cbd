-- A text that would be lost otherwise, put into the buffer of its file.
local documents = require("claudecode.editor.documents")
local line_map = require("claudecode.editor.line_map")
local originals = require("claudecode.editor.diff.original")
local proposals = require("claudecode.editor.diff.proposal")

local M = {}

---Puts lines in place of the buffer's, as one change that leaves everything else where it is.
---@return boolean changed
local function replace_lines(buffer, lines)
  if #lines == 0 then
    local was_empty = vim.api.nvim_buf_get_offset(buffer, vim.api.nvim_buf_line_count(buffer)) <= 0
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, {})
    return not was_empty
  end
  local hunks = line_map.hunks(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), lines)
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
  if not is_new then
    require("claudecode.editor.buffers").rpc.reload({ path = path }) -- it may have changed on disk: Neovim would ask
  end
  if not bo.modifiable then
    return nil, ("the buffer of %s can't be changed ('modifiable' is off)"):format(vim.fs.basename(path))
  end
  local had_unsaved, before = bo.modified, how_written(bo)
  bo.undolevels = bo.undolevels -- a step of its own: another text that was put there just now is one undo away
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

return M
