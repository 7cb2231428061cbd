-- What is shown of a review in the proposal in every layout: which hunks were accepted, and a final line break that comes
-- or goes, which no line shows.
local M = {}

local namespace = vim.api.nvim_create_namespace("claudecode_hunks")

local function set(buffer, line, options)
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  options.undo_restore = false
  return vim.api.nvim_buf_set_extmark(buffer, namespace, math.max(math.min(line, last), 0), 0, options)
end

---Marks a hunk as accepted.
---@param buffer integer
---@param hunk claudecode.diff.Hunk
---@return integer mark
function M.kept(buffer, hunk)
  return set(buffer, hunk[3], { virt_text = { { "✓ accepted", "ClaudeCodeHunkAccepted" } } })
end

---Remembers lines, wherever they go.
---@param buffer integer
---@param line integer 0-based
---@param count integer
---@return integer mark
function M.place(buffer, line, count)
  return vim.api.nvim_buf_set_extmark(buffer, namespace, line, 0, {
    end_row = line + count,
    end_col = 0,
    right_gravity = false,
    end_right_gravity = count > 0,
    strict = false,
  })
end

---@param buffer integer
---@param mark integer
---@return integer? first 0-based
---@return integer? last behind the lines
function M.range(buffer, mark)
  local position = vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, mark, { details = true })
  if position[1] then
    return position[1], position[3].end_row
  end
end

---@param buffer integer
---@param mark integer?
function M.remove(buffer, mark)
  if mark then
    vim.api.nvim_buf_del_extmark(buffer, namespace, mark)
  end
end

---@param buffer integer
function M.remove_all(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
end

local function final_break(review)
  local tracked = review.tracked
  local is_same = tracked.eol == tracked.base.eol or tracked.length == 0 or #tracked.base.lines == 0
  return not is_same and (tracked.eol and "a final line break is added" or "the final line break is removed") or nil
end

---Shows what is proposed of the final line break. What is there already is left alone: a mark that is set is drawn anew.
---@param review claudecode.diff.Review
function M.update(review)
  local text = final_break(review)
  local last = vim.api.nvim_buf_line_count(review.buffer) - 1
  local note = review.note
  if note and note.text == text and M.range(review.buffer, note.mark) == last then
    return
  end
  M.remove(review.buffer, note and note.mark)
  review.note = text
    and { text = text, mark = set(review.buffer, last, { virt_text = { { text, "ClaudeCodeHunkNote" } } }) }
end

---The highlight groups of all this, as links that a colour scheme may replace.
function M.highlight()
  vim.api.nvim_set_hl(0, "ClaudeCodeHunkAccepted", { default = true, link = "Comment" })
  vim.api.nvim_set_hl(0, "ClaudeCodeHunkNote", { default = true, link = "WarningMsg" })
end

return M
