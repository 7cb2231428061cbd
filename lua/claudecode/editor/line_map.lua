-- Where the lines of a text are after it has changed.
local M = {}

---|vim.text.diff()|, by whatever name this Neovim has it.
---@param old string
---@param new string
---@param options table
---@return any
function M.diff(old, new, options)
  local diff = vim.text and vim.text.diff or vim.diff -- its name before 0.12
  return diff(old, new, options)
end

---@param old string[]
---@param new string[]
---@return integer[][] hunks {start_old, count_old, start_new, count_new}, as |vim.text.diff()| has them
function M.hunks(old, new)
  local function join(lines)
    return table.concat(lines, "\n") .. "\n"
  end
  return M.diff(join(old), join(new), { result_type = "indices" })
end

---The line that a line has become. One that is gone becomes the one in its place.
---@param hunks integer[][]
---@param line integer 1-based
---@return integer
function M.follow(hunks, line)
  local shift = 0
  for _, hunk in ipairs(hunks) do
    local start_old, count_old, start_new, count_new = unpack(hunk)
    if count_old == 0 then
      start_old = start_old + 1 -- an addition is told by the line before it
    end
    if line < start_old then
      break
    end
    if line < start_old + count_old then
      local first = count_new == 0 and start_new + 1 or start_new
      return math.max(1, first + math.min(line - start_old, math.max(count_new - 1, 0)))
    end
    shift = shift + count_new - count_old
  end
  return line + shift
end

---Moves a view (|winsaveview()|) along with its text. The line of the cursor stays where the eye is. Filler lines of a
---diff are left out: with some that are no more, Neovim 0.10 never comes back from its next redraw.
---@param view table changed in place
---@param follow fun(line: integer): integer where a line is now
function M.move_view(view, follow)
  local above = view.lnum - view.topline
  view.lnum = follow(view.lnum)
  view.topline = math.max(1, view.lnum - above)
  view.topfill = 0
end

return M
