-- Draws the hunks of a proposal in its own window: what is gone as virtual lines above, what is new in colour.
local gone_lines = require("claudecode.editor.diff.unified.gone")
local reviews = require("claudecode.editor.diff.hunks.review")
local words = require("claudecode.editor.diff.unified.words")

local M = {}

local namespace = vim.api.nvim_create_namespace("claudecode_inline_diff")
local slice_ms = 10 -- for so long at a time hunks are drawn that cannot be seen; the user's keys come between
local pause_ms = 5
local line_priority = 4095 -- one below that of the words in the line, which is Neovim's default
local first_ms = 30 -- before the diff is shown

---@class claudecode.diff.DrawnHunk
---@field marks integer[]
---@field columns table<integer, claudecode.diff.Columns[]> what has changed in the lines that are gone
---@field above integer? the mark with those lines
---@field rows integer? how many rows they take
---@field key string? of the measure that they were made for

---@class claudecode.diff.Drawing
---@field review claudecode.diff.Review
---@field win integer
---@field drawn table<claudecode.diff.Hunk, claudecode.diff.DrawnHunk>
---@field queue claudecode.diff.Hunk[]
---@field next integer of the queue
---@field waiting table<claudecode.diff.Hunk, true> those of the queue that are still to be drawn
---@field measure claudecode.diff.Measure of the window
---@field key string the same in one word
---@field on_drawn fun()
---@field is_drawing boolean?
---@field is_looking boolean?

local drawings = {} ---@type table<integer, claudecode.diff.Drawing> by buffer

local groups = {
  ClaudeCodeInlineDiffAdd = "DiffAdd",
  ClaudeCodeInlineDiffDelete = "DiffDelete",
  ClaudeCodeInlineDiffText = "DiffText",
  ClaudeCodeInlineDiffDeleteText = "DiffText",
  ClaudeCodeInlineDiffAddSign = "Added",
  ClaudeCodeInlineDiffDeleteSign = "Removed",
}

local function set_highlights()
  for name, link in pairs(groups) do
    vim.api.nvim_set_hl(0, name, { default = true, link = link })
  end
end

local function mark(drawing, entry, row, column, options)
  options.undo_restore = false
  entry.marks[#entry.marks + 1] = vim.api.nvim_buf_set_extmark(drawing.review.buffer, namespace, row, column, options)
  return entry.marks[#entry.marks]
end

local function erase(drawing, hunk)
  local entry = drawing.drawn[hunk]
  if entry then
    for _, id in ipairs(entry.marks) do
      vim.api.nvim_buf_del_extmark(drawing.review.buffer, namespace, id)
    end
    drawing.drawn[hunk] = nil
  end
end

local function old_lines(drawing, hunk)
  return vim.list_slice(drawing.review.tracked.base.lines, hunk[1] + 1, hunk[1] + hunk[2])
end

---The virtual lines of a hunk, for the window as it is now.
local function draw_gone(drawing, hunk, entry, old, columns)
  local buffer = drawing.review.buffer
  local count = vim.api.nvim_buf_line_count(buffer)
  local is_behind = hunk[3] >= math.max(drawing.review.tracked.length, 1) or drawing.review.tracked.length == 0
  local options = {
    id = entry.above,
    virt_lines = gone_lines.lines(old, columns, drawing.measure, vim.bo[buffer].tabstop),
    virt_lines_above = not is_behind,
    virt_lines_leftcol = true,
    undo_restore = false,
  }
  entry.above = vim.api.nvim_buf_set_extmark(buffer, namespace, math.min(hunk[3], count - 1), 0, options)
  entry.rows, entry.key = #options.virt_lines, drawing.key
end

local function draw(drawing, hunk)
  local entry = { marks = {} }
  drawing.drawn[hunk] = entry
  local new = vim.api.nvim_buf_get_lines(drawing.review.buffer, hunk[3], hunk[3] + hunk[4], false)
  local old = old_lines(drawing, hunk)
  local old_columns, new_columns = words.compare(old, new)
  entry.columns = old_columns
  if hunk[2] > 0 then
    draw_gone(drawing, hunk, entry, old, old_columns)
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

---Draws what waits, for some time.
---@return boolean done
local function draw_for(drawing, ms)
  local start = vim.uv.hrtime()
  while drawing.queue[drawing.next] do
    local hunk = drawing.queue[drawing.next]
    drawing.next = drawing.next + 1
    if drawing.waiting[hunk] then
      drawing.waiting[hunk] = nil
      draw(drawing, hunk)
      if vim.uv.hrtime() - start > ms * 1e6 then
        return drawing.queue[drawing.next] == nil
      end
    end
  end
  drawing.queue, drawing.next = {}, 1
  return true
end

local function is_current(drawing)
  return drawings[drawing.review.buffer] == drawing and vim.api.nvim_buf_is_loaded(drawing.review.buffer)
end

local function draw_later(drawing)
  if drawing.is_drawing then
    return
  end
  drawing.is_drawing = true
  vim.defer_fn(function()
    drawing.is_drawing = false
    if is_current(drawing) then
      reviews.refresh(drawing.review)
      if not draw_for(drawing, slice_ms) then
        draw_later(drawing)
      end
    end
  end, pause_ms)
end

local function key_of(measure)
  return table.concat({ measure.width, measure.offset, measure.left, measure.wrap and 1 or 0 }, " ")
end

---Draws what the window shows of the hunks, when it is of another size now, or scrolled to the side.
local function look_after(drawing)
  if not is_current(drawing) then
    return
  end
  local wins = vim.fn.win_findbuf(drawing.review.buffer)
  if #wins == 0 then
    return
  end
  local win = vim.list_contains(wins, drawing.win) and drawing.win or wins[1]
  drawing.win = win
  drawing.measure = gone_lines.measure(win)
  drawing.key = key_of(drawing.measure)
  reviews.refresh(drawing.review)
  local info = vim.fn.getwininfo(win)[1]
  local has_drawn = false
  for _, hunk in ipairs(drawing.review.tracked.hunks) do
    if hunk[3] > info.botline then
      break
    end
    if hunk[3] + hunk[4] >= info.topline - 1 then
      local entry = drawing.drawn[hunk]
      if not entry then
        drawing.waiting[hunk] = nil
        draw(drawing, hunk)
        has_drawn = true
      elseif entry.above and entry.key ~= drawing.key then
        draw_gone(drawing, hunk, entry, old_lines(drawing, hunk), entry.columns)
        has_drawn = true
      end
    end
  end
  if has_drawn then
    drawing.on_drawn() -- not else: the user may have scrolled
  end
end

local function follow_window()
  vim.api.nvim_set_decoration_provider(namespace, {
    on_win = function(_, _, buffer)
      local drawing = drawings[buffer]
      if drawing and not drawing.is_looking then
        drawing.is_looking = true
        vim.schedule(function()
          drawing.is_looking = false
          look_after(drawing)
        end)
      end
      return false
    end,
  })
end

---Rows that are above the first line of the buffer.
---@param drawing claudecode.diff.Drawing
---@return integer
function M.rows_on_top(drawing)
  local first = drawing.review.tracked.hunks[1]
  local entry = first and first[3] == 0 and drawing.drawn[first]
  return entry and entry.above and drawing.review.tracked.length > 0 and entry.rows or 0
end

---Begins to draw.
---@param review claudecode.diff.Review
---@param win integer
---@param on_drawn fun() something may take more room, or less, than before
---@return claudecode.diff.Drawing
function M.begin(review, win, on_drawn)
  set_highlights()
  local queue = vim.list_slice(review.tracked.hunks)
  local drawing = { review = review, win = win, drawn = {}, queue = queue, next = 1, waiting = {}, on_drawn = on_drawn }
  for _, hunk in ipairs(drawing.queue) do
    drawing.waiting[hunk] = true
  end
  drawing.measure = gone_lines.measure(win)
  drawing.key = key_of(drawing.measure)
  drawings[review.buffer] = drawing
  if not draw_for(drawing, first_ms) then
    draw_later(drawing)
  end
  review.on_change = function(gone, come)
    for _, hunk in ipairs(gone) do
      drawing.waiting[hunk] = nil
      erase(drawing, hunk)
    end
    for _, hunk in ipairs(come) do
      drawing.waiting[hunk] = true
      drawing.queue[#drawing.queue + 1] = hunk
    end
    if not draw_for(drawing, slice_ms) then
      draw_later(drawing)
    end
    drawing.on_drawn()
  end
  follow_window()
  return drawing
end

---Takes everything away that was drawn.
---@param drawing claudecode.diff.Drawing
function M.stop(drawing)
  local buffer = drawing.review.buffer
  if drawings[buffer] == drawing then
    drawings[buffer] = nil
  end
  drawing.review.on_change = nil
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  end
end

return M
