-- A text as lines and a final line break, in one form for each sequence of bytes.
local M = {}

---@class claudecode.diff.Text
---@field lines string[] none for an empty text, which is not the text with one line break
---@field eol boolean whether the last line ends with a line break; true for an empty text

---"a", a line break, and an empty line without one are the same bytes as "a" with a line break.
---@param lines string[] changed in place
---@param eol boolean
---@return string[] lines
---@return boolean eol
function M.canonical(lines, eol)
  if not eol and lines[#lines] == "" then
    lines[#lines] = nil
    eol = true
  end
  return lines, eol or #lines == 0
end

---Whether a buffer would be written as no bytes. It has one line all the same.
---@param buffer integer
---@return boolean
function M.is_empty(buffer)
  if vim.api.nvim_buf_line_count(buffer) > 1 or vim.api.nvim_buf_get_lines(buffer, 0, 1, false)[1] ~= "" then
    return false
  end
  return vim.api.nvim_buf_call(buffer, vim.fn.wordcount).bytes == 0
end

---@param buffer integer loaded
---@return claudecode.diff.Text
function M.of(buffer)
  if M.is_empty(buffer) then
    return { lines = {}, eol = true }
  end
  local lines, eol = M.canonical(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), vim.bo[buffer].endofline)
  return { lines = lines, eol = eol }
end

---The text of a buffer from the file that it was read from, in a fraction of the time.
---@param buffer integer
---@param file string
---@return string? text nil when its bytes are not those of the buffer's lines, or there are none
function M.of_file(buffer, file)
  local bo = vim.bo[buffer]
  local is_plain = bo.fileformat == "unix" and not bo.bomb and (bo.fileencoding == "utf-8" or bo.fileencoding == "")
  local handle = is_plain and io.open(file, "rb")
  if not handle then
    return nil
  end
  local text = handle:read("*a")
  handle:close()
  local size = vim.api.nvim_buf_get_offset(buffer, vim.api.nvim_buf_line_count(buffer))
  return #text > 0 and #text == size and text:sub(-1) == "\n" and text or nil
end

---The text of a file, read as Neovim would read it into a buffer, but with nobody told of it.
---@param path string
---@return claudecode.diff.Text
function M.read(path)
  local buffer = vim.api.nvim_create_buf(false, true)
  local text = require("claudecode.editor.diff.quietly").with({}, function()
    vim.bo[buffer].undolevels = -1
    vim.api.nvim_buf_call(buffer, function()
      vim.cmd("silent keepalt keepjumps 0read ++edit " .. vim.fn.fnameescape(path))
    end)
    local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
    lines[#lines] = nil -- the line that the buffer had
    local eol
    lines, eol = M.canonical(lines, vim.bo[buffer].endofline)
    return { lines = lines, eol = eol }
  end)
  vim.api.nvim_buf_delete(buffer, { force = true })
  return text
end

---@param lines string[]
---@param eol boolean
---@return string
function M.join(lines, eol)
  if #lines == 0 then
    return ""
  end
  return table.concat(lines, "\n") .. (eol and "\n" or "")
end

---Puts lines into a list in the place of others.
---@param list string[] changed in place
---@param at integer 0-based
---@param count integer of lines that go
---@param lines string[]
function M.splice(list, at, count, lines)
  local length = #list
  if #lines ~= count then
    table.move(list, at + count + 1, length, at + #lines + 1)
    for index = length, length + #lines - count + 1, -1 do
      list[index] = nil
    end
  end
  table.move(lines, 1, #lines, at + 1, list)
end

return M
