-- Draws one hunk of a proposal in the proposal's own window.
local gone_lines = require("claudecode.editor.diff.unified.gone")
local words = require("claudecode.editor.diff.unified.words")

local M = {}

---Of all that is drawn.
M.namespace = vim.api.nvim_create_namespace("claudecode_inline_diff")

local line_priority = 4095 -- one below that of the words in the line, which is Neovim's default

---@class claudecode.diff.DrawnHunk
---@field marks integer[]
---@field columns table<integer, claudecode.diff.Columns[]> what has changed in the lines that are gone
---@field above integer? the mark with those lines
---@field rows integer? how many rows they take
---@field key string? of the measure that they were made for

local groups = {
  ClaudeCodeInlineDiffAdd = "DiffAdd",
  ClaudeCodeInlineDiffDelete = "DiffDelete",
  ClaudeCodeInlineDiffText = "DiffText",
  ClaudeCodeInlineDiffDeleteText = "DiffText",
  ClaudeCodeInlineDiffAddSign = "Added",
  ClaudeCodeInlineDiffDeleteSign = "Removed",
}

---Gives the highlight groups their defaults.
function M.set_highlights()
  for name, link in pairs(groups) do
    vim.api.nvim_set_hl(0, name, { default = true, link = link })
  end
end

local function mark(drawing, entry, row, column, options)
  options.undo_restore = false
  entry.marks[#entry.marks + 1] = vim.api.nvim_buf_set_extmark(drawing.review.buffer, M.namespace, row, column, options)
  return entry.marks[#entry.marks]
end

---Takes away what was drawn of a hunk.
---@param drawing claudecode.diff.Drawing
---@param hunk claudecode.diff.Hunk
function M.erase(drawing, hunk)
  local entry = drawing.drawn[hunk]
  if entry then
    for _, id in ipairs(entry.marks) do
      vim.api.nvim_buf_del_extmark(drawing.review.buffer, M.namespace, id)
    end
    drawing.drawn[hunk] = nil
  end
end

local function old_lines(drawing, hunk)
  return vim.list_slice(drawing.review.tracked.base.lines, hunk[1] + 1, hunk[1] + hunk[2])
end

---Draws the lines of a hunk that are gone, again too, for the window as it is now.
---@param drawing claudecode.diff.Drawing
---@param hunk claudecode.diff.Hunk one that was drawn
---@param old string[]? these lines, when they are at hand
function M.draw_gone(drawing, hunk, old)
  local entry = drawing.drawn[hunk]
  old = old or old_lines(drawing, hunk)
  local buffer = drawing.review.buffer
  local count = vim.api.nvim_buf_line_count(buffer)
  local is_behind = hunk[3] >= math.max(drawing.review.tracked.length, 1) or drawing.review.tracked.length == 0
  local options = {
    id = entry.above,
    virt_lines = gone_lines.lines(old, entry.columns, drawing.measure, vim.bo[buffer].tabstop),
    virt_lines_above = not is_behind,
    virt_lines_leftcol = true,
    undo_restore = false,
  }
  entry.above = vim.api.nvim_buf_set_extmark(buffer, M.namespace, math.min(hunk[3], count - 1), 0, options)
  entry.rows, entry.key = #options.virt_lines, drawing.key
end

---Draws a hunk: what is gone as virtual lines above, what is new in colour.
---@param drawing claudecode.diff.Drawing
---@param hunk claudecode.diff.Hunk
function M.draw(drawing, hunk)
  local entry = { marks = {} }
  drawing.drawn[hunk] = entry
  local new = vim.api.nvim_buf_get_lines(drawing.review.buffer, hunk[3], hunk[3] + hunk[4], false)
  local old = old_lines(drawing, hunk)
  local new_columns
  entry.columns, new_columns = words.compare(old, new)
  if hunk[2] > 0 then
    M.draw_gone(drawing, hunk, old)
    entry.marks[1] = entry.above
  end
  if #new > 0 then
    local behind = hunk[3] + #new
    local colour = { end_row = behind, hl_group = "ClaudeCodeInlineDiffAdd", hl_eol = true, priority = line_priority }
    colour.strict = false -- behind the last line there is none
    mark(drawing, entry, hunk[3], 0, colour)
  end
  for index = 1, #new do
    local row = hunk[3] + index - 1
    mark(drawing, entry, row, 0, { sign_text = "+", sign_hl_group = "ClaudeCodeInlineDiffAddSign" })
    for _, range in ipairs(new_columns[index] or {}) do
      mark(drawing, entry, row, range[1], { end_col = range[2], hl_group = "ClaudeCodeInlineDiffText" })
    end
  end
end

return M
