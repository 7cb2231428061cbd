-- Keeps the drawing of a proposal's hunks up to date: those that can be seen at once, the others bit by bit, and all of them
-- anew for a window of another size. How one is drawn: paint.lua.
local gone_lines = require("claudecode.editor.diff.unified.gone")
local paint = require("claudecode.editor.diff.unified.paint")
local reviews = require("claudecode.editor.diff.hunks.review")

local M = {}

local slice_ms = 10 -- for so long at a time hunks are drawn that cannot be seen; the user's keys come between
local pause_ms = 5
local first_ms = 30 -- before the diff is shown

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

---Draws what waits, for some time.
---@return boolean done
local function draw_for(drawing, ms)
  local start = vim.uv.hrtime()
  while drawing.queue[drawing.next] do
    local hunk = drawing.queue[drawing.next]
    drawing.next = drawing.next + 1
    if drawing.waiting[hunk] then
      drawing.waiting[hunk] = nil
      paint.draw(drawing, hunk)
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
        paint.draw(drawing, hunk)
        has_drawn = true
      elseif entry.above and entry.key ~= drawing.key then
        paint.draw_gone(drawing, hunk)
        has_drawn = true
      end
    end
  end
  if has_drawn then
    drawing.on_drawn() -- not else: the user may have scrolled
  end
end

local function follow_window()
  vim.api.nvim_set_decoration_provider(paint.namespace, {
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
  paint.set_highlights()
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
      paint.erase(drawing, hunk)
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
    vim.api.nvim_buf_clear_namespace(buffer, paint.namespace, 0, -1)
  end
end

return M
