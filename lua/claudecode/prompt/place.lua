-- What the @words of a prompt stand for, as far as the editor knows it: where it was opened, buffers, diagnostics, quickfix.
local M = {}

local namespace = vim.api.nvim_create_namespace("claudecode_prompt")
local most_lines = 100 -- of the quickfix list; Claude can search for itself

---@class claudecode.prompt.Place
---@field buffer integer
---@field first integer 0-based
---@field last integer 0-based
---@field was_visual boolean?

local place ---@type claudecode.prompt.Place?
local marks ---@type integer[]? of its first and its last line, which move with the text

---The file's path when the buffer is a file that is on disk.
local function path_of(buffer)
  if buffer and vim.api.nvim_buf_is_valid(buffer) and require("claudecode.editor.selection.files").is_file(buffer) then
    local path = vim.api.nvim_buf_get_name(buffer)
    return vim.uv.fs_stat(path) and path or nil
  end
end

---Where the user is at this moment: the range, what is selected, or the line of the cursor; in Claude's terminal, that of
---the file beside it.
---@param call {range: integer, line1: integer, line2: integer}
---@return claudecode.prompt.Place
function M.take(call)
  local first, last, was_visual = require("claudecode.commands.rows").take(call)
  local buffer = vim.api.nvim_get_current_buf()
  if not first and vim.bo[buffer].buftype ~= "" then
    local near = require("claudecode.editor.selection.files").nearest_window()
    if near then
      buffer = vim.api.nvim_win_get_buf(near)
      first = vim.api.nvim_win_get_cursor(near)[1]
    end
  end
  first = first or vim.api.nvim_win_get_cursor(0)[1]
  return { buffer = buffer, first = first - 1, last = (last or first) - 1, was_visual = was_visual }
end

---@param new claudecode.prompt.Place
function M.set(new)
  M.clear()
  place = new
  marks = {}
  for i, line in ipairs({ new.first, new.last }) do
    marks[i] = vim.api.nvim_buf_set_extmark(new.buffer, namespace, line, 0, {})
  end
end

---Forgets it.
function M.clear()
  if place and vim.api.nvim_buf_is_valid(place.buffer) then
    vim.api.nvim_buf_clear_namespace(place.buffer, namespace, 0, -1)
  end
  place = nil
end

---@return integer first 0-based
---@return integer last
local function lines()
  local last_line = vim.api.nvim_buf_line_count(place.buffer) - 1
  local found = {}
  for i, fallback in ipairs({ place.first, place.last }) do
    local mark = vim.api.nvim_buf_get_extmark_by_id(place.buffer, namespace, marks[i], {})
    found[i] = math.min(mark[1] or fallback, last_line)
  end
  return found[1], math.max(found[1], found[2])
end

---What `@this` is: lines of a file, or, in a buffer that is none, their text.
---@return {path: string?, first: integer, last: integer, text: string?, name: string?}?
function M.this()
  if not place or not vim.api.nvim_buf_is_loaded(place.buffer) then
    return nil
  end
  local first, last = lines()
  local path = path_of(place.buffer)
  local name = vim.api.nvim_buf_get_name(place.buffer)
  local may_be_read = not path and (name ~= "" or not require("claudecode.editor.privacy").is_hidden(place.buffer))
  return {
    path = path,
    first = first,
    last = last,
    text = may_be_read and table.concat(vim.api.nvim_buf_get_lines(place.buffer, first, last + 1, false), "\n") or nil,
    name = name ~= "" and vim.bo[place.buffer].buftype == "" and name or nil, -- of a file that is not on the disk yet
  }
end

---@return string? path of the file that the prompt was opened from
function M.file()
  return place and path_of(place.buffer)
end

---`@this` in other words, for a prompt that is opened again somewhere else.
---@return string?
function M.name()
  local this = M.this()
  if not this or not this.path then
    return nil
  end
  local lines_text = this.first == this.last and ("#L%d"):format(this.first + 1)
    or ("#L%d-%d"):format(this.first + 1, this.last + 1)
  local path = vim.fn.fnamemodify(this.path, ":.") .. lines_text
  return require("claudecode.prompt.completion").mention(path)
end

local severities = { "error", "warning", "info", "hint" }

local function diagnostics()
  if not place or not vim.api.nvim_buf_is_valid(place.buffer) then
    return {}
  end
  return vim.tbl_map(function(diagnostic)
    return {
      path = vim.api.nvim_buf_get_name(place.buffer),
      line = diagnostic.lnum + 1,
      text = ("%s: %s%s"):format(
        severities[diagnostic.severity],
        diagnostic.message:gsub("%s*\n%s*", " "),
        diagnostic.source and (" (%s)"):format(diagnostic.source) or ""
      ),
    }
  end, require("claudecode.commands.diagnostics").collect(place.buffer))
end

local function quickfix()
  local found = {}
  for _, entry in ipairs(vim.fn.getqflist()) do
    local path = entry.bufnr > 0 and vim.api.nvim_buf_get_name(entry.bufnr) or ""
    if entry.valid == 1 and path ~= "" and #found < most_lines then
      found[#found + 1] = { path = path, line = entry.lnum, text = vim.trim((entry.text:gsub("%s*\n%s*", " "))) }
    end
  end
  return found
end

local function buffers()
  local found = {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local path = vim.bo[buffer].buflisted and path_of(buffer)
    if path then
      found[#found + 1] = path
    end
  end
  return found
end

---@param names string[]
---@return table
function M.gather(names)
  local found = vim.empty_dict()
  local sources = { buffers = buffers, diagnostics = diagnostics, quickfix = quickfix }
  for _, name in ipairs(names) do
    found[name] = sources[name] and sources[name]() or nil
  end
  return found
end

return M
