-- What the editor knows of a selection: positions, characters, options, text. What it means for the protocol the host
-- decides (src/selection/encode.ts). Lines and columns are 0-based, columns and lengths are bytes.
local M = {}

---@class claudecode.SelectionFacts
---@field kind "none"|"charwise"|"linewise"|"blockwise"
---@field buffer integer
---@field changedtick integer
---@field name string full name of the buffer
---@field first {line: integer, column: integer, offset: integer} where it begins; offset as in |getpos()|
---@field last {line: integer, column: integer, offset: integer} the last position, which is on the last character
---@field last_character integer length of the character at `last`, 0 behind the end of the line
---@field last_line integer length of the line of `last`
---@field line_count integer
---@field one_position boolean both ends are the same position
---@field selection string the option
---@field virtual_all boolean 'virtualedit' has "all"
---@field size integer length of the text, as long as no line end is longer than a byte
---@field ends integer[][] both ends as |getpos()| has them, the first one first
---@field text string? from `first` to the end of the character at `last`; linewise: whole lines

local max_column = 2147483647 -- MAXCOL, which |winsaveview()| has for `$`
local kinds = {
  v = "charwise",
  s = "charwise",
  V = "linewise",
  S = "linewise",
  ["\22"] = "blockwise",
  ["\19"] = "blockwise",
}

---The kind of selection of a mode as |mode()| or |visualmode()| names it; nil outside of Visual and Select mode.
---@param mode string
---@return "charwise"|"linewise"|"blockwise"|nil
function M.kind(mode)
  return kinds[mode:sub(1, 1)]
end

local function line_of(buffer, line)
  return vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1] or ""
end

---Only the editor knows where its characters end: composing characters belong to the one before, and from 0.11 on whole
---grapheme clusters are one (:help strpart()).
local function character_length(text, column)
  local byte, next_byte = text:byte(column + 1, column + 2)
  if not byte then
    return 0
  end
  if byte < 0x80 and (next_byte or 0) < 0x80 then
    return 1
  end
  -- a NUL would make a Blob of the string
  return #vim.fn.strpart(text:sub(column + 1):gsub("%z", "\n"), 0, 1, true)
end

---The end of the character that a column is in the middle of, or the column itself. Neovim can put the cursor there:
---0.12 counts the cells of Devanagari conjuncts one way and their bytes another.
local function character_end(text, column)
  if (text:byte(column + 1) or 0) < 0x80 then
    return column -- no character goes on with such a byte
  end
  local known = text:sub(1, column):match(".*()[%z\1-\127]") or 1 -- a character begins here
  local rest = text:sub(known):gsub("%z", "\n")
  local start = vim.fn.byteidx(rest, vim.fn.charidx(rest, column - known + 1)) + known - 1
  return start == column and column or start + character_length(text, start)
end

local function position(pos)
  return { line = pos[2] - 1, column = pos[3] - 1, offset = pos[4] }
end

local function is_before(a, b)
  if a[2] ~= b[2] then
    return a[2] < b[2]
  end
  return a[3] < b[3] or (a[3] == b[3] and a[4] < b[4])
end

---The character of a line that covers a screen cell (1-based), and how far into it the cell is.
local function at_cell(lnum, cell)
  local text = vim.fn.getline(lnum)
  if cell >= vim.fn.virtcol({ lnum, "$" }) then
    return { line = lnum - 1, column = #text, offset = 0 }
  end
  local column = vim.fn.virtcol2col(0, lnum, cell)
  return { line = lnum - 1, column = column - 1, offset = cell - vim.fn.virtcol({ lnum, column }, 1)[1] }
end

---A block goes from its first character, which is in its top row at its left edge, to its last one, in its bottom row at
---its right edge, whichever corners the two ends are in. `a` is the end that comes first in the text.
local function block_ends(a, b, to_line_ends, exclusive)
  local cells_a, cells_b = vim.fn.virtcol({ a[2], a[3], a[4] }, 1), vim.fn.virtcol({ b[2], b[3], b[4] }, 1)
  local first = at_cell(a[2], math.min(cells_a[1], cells_b[1]))
  if to_line_ends then
    return first, { line = b[2] - 1, column = #vim.fn.getline(b[2]), offset = 0 }
  end
  if exclusive and cells_b[1] > cells_a[2] then
    return first, at_cell(b[2], cells_b[1]) -- the later end is to the right: the edge is before it
  end
  local last = at_cell(b[2], math.max(cells_a[2], cells_b[2]))
  last.offset = 0
  return first, last
end

---Facts without text.
---@param kind string
---@param a integer[] one end, as |getpos()| has it
---@param b integer[] the other end
---@param to_line_ends boolean
---@return claudecode.SelectionFacts
local function describe(kind, a, b, to_line_ends)
  local buffer = vim.api.nvim_get_current_buf()
  local selection = vim.o.selection
  local one_position = not is_before(a, b) and not is_before(b, a)
  if is_before(b, a) then
    a, b = b, a
  end
  local first, last = position(a), position(b)
  if kind == "blockwise" then
    first, last = block_ends(a, b, to_line_ends, selection == "exclusive" and not one_position)
  elseif kind == "linewise" then
    first.column, first.offset, last.offset = 0, 0, 0
  end
  local last_text = line_of(buffer, last.line)
  if kind == "linewise" then
    last.column = #last_text
  end
  first.column = math.min(first.column, #line_of(buffer, first.line))
  last.column = math.min(last.column, #last_text)
  if selection == "exclusive" and kind == "charwise" and not one_position then
    last.column = character_end(last_text, last.column)
  end
  return {
    kind = kind,
    buffer = buffer,
    changedtick = vim.api.nvim_buf_get_changedtick(buffer),
    name = vim.api.nvim_buf_get_name(buffer),
    first = first,
    last = last,
    last_character = kind == "none" and 0 or character_length(last_text, last.column),
    last_line = #last_text,
    line_count = vim.api.nvim_buf_line_count(buffer),
    one_position = one_position,
    selection = selection,
    virtual_all = vim.o.virtualedit:find("all", 1, true) ~= nil,
    ends = { a, b },
  }
end

---Where the text of facts ends.
local function text_end(facts)
  return facts.last.line, facts.last.column + facts.last_character
end

---Adds the length of the text, and the text itself unless it is longer than `limit` bytes.
---@param facts claudecode.SelectionFacts
---@param limit integer
---@return claudecode.SelectionFacts facts the same table
function M.add_text(facts, limit)
  if facts.kind == "none" then
    facts.size, facts.text = 0, ""
    return facts
  end
  local line, column = text_end(facts)
  local offset = vim.api.nvim_buf_get_offset
  facts.size = offset(facts.buffer, line) + column - offset(facts.buffer, facts.first.line) - facts.first.column
  if facts.size <= limit then
    local lines = vim.api.nvim_buf_get_text(facts.buffer, facts.first.line, facts.first.column, line, column, {})
    facts.text = table.concat(lines, "\n")
  end
  return facts
end

---The cursor of the current window, and nothing selected.
---@return claudecode.SelectionFacts
function M.cursor()
  local cursor = vim.fn.getpos(".")
  return describe("none", cursor, cursor, false)
end

---The selection of the current window, in Visual or Select mode.
---@param kind string
---@return claudecode.SelectionFacts
function M.selected(kind)
  -- `$` makes the columns of a block reach to the end of every line
  local to_line_ends = kind == "blockwise" and vim.fn.winsaveview().curswant == max_column
  return describe(kind, vim.fn.getpos("v"), vim.fn.getpos("."), to_line_ends)
end

---Marks have the number of their buffer, "v" and "." have 0.
local function without_buffer(ends)
  return vim.tbl_map(function(pos)
    return vim.list_slice(pos, 2)
  end, ends)
end

---The selection that the current buffer had last, from its marks. They don't know all of a block (`$`, virtual cells):
---that is taken from what was seen of it, if nothing has moved since.
---@param seen claudecode.SelectionFacts?
---@return claudecode.SelectionFacts?
function M.dropped(seen)
  local kind = M.kind(vim.fn.visualmode())
  local a, b = vim.fn.getpos("'<"), vim.fn.getpos("'>")
  if not kind or a[2] == 0 or b[2] == 0 then
    return nil
  end
  if seen and seen.kind == kind and vim.deep_equal(without_buffer(seen.ends), without_buffer({ a, b })) then
    return seen
  end
  return describe(kind, a, b, false)
end

---True when both describe the same selection of the same text.
---@param a claudecode.SelectionFacts?
---@param b claudecode.SelectionFacts?
---@return boolean
function M.same(a, b)
  return a ~= nil
    and b ~= nil
    and a.kind == b.kind
    and a.buffer == b.buffer
    and a.name == b.name
    and a.first.line == b.first.line
    and a.first.column == b.first.column
    and a.last.line == b.last.line
    and a.last.column == b.last.column
    and a.last.offset == b.last.offset
    and (a.kind == "none" or a.changedtick == b.changedtick)
end

---A part of the text of a selection, for texts that are too long to travel at once.
---@param facts {buffer: integer, first: table, last: table, last_character: integer}
---@param from {line: integer, column: integer} where the part begins
---@param limit integer bytes, about
---@return string text
---@return {line: integer, column: integer}? next where the next part begins; nil after the last one
function M.part(facts, from, limit)
  local offset = vim.api.nvim_buf_get_offset
  local last_line, last_column = text_end(facts)
  local stop = offset(facts.buffer, from.line) + from.column + limit
  local low, high = from.line, last_line
  while low < high do -- the last line that begins within the limit
    local middle = math.ceil((low + high) / 2)
    if offset(facts.buffer, middle) <= stop then
      low = middle
    else
      high = middle - 1
    end
  end
  local to = { line = low, column = 0 }
  if low == last_line and offset(facts.buffer, low) + last_column <= stop then
    to = nil
  elseif low == from.line then -- one long line
    to.column = math.min(from.column + limit, #line_of(facts.buffer, low))
    if low == last_line then
      to.column = math.min(to.column, last_column)
    end
  end
  local line, column = last_line, last_column
  if to then
    line, column = to.line, to.column
  end
  local lines = vim.api.nvim_buf_get_text(facts.buffer, from.line, from.column, line, column, {})
  return table.concat(lines, "\n"), to
end

return M
