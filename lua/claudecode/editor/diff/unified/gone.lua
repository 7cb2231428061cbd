-- Lines that are gone, as virtual lines (|api-extended-marks|). Neovim draws those as they are: it knows no tabs in them,
-- does not wrap them, and does not scroll them to the side, so all that is done here.
local M = {}

local most_lines = 1000 -- of a hunk: nobody reads more than that, and they would have to be scrolled over

---How a window shows text.
---@class claudecode.diff.Measure
---@field width integer columns of text
---@field offset integer columns before it: signs, numbers, folds
---@field fold integer columns for folds
---@field left integer columns that are scrolled out; 0 where lines wrap
---@field wrap boolean

---@param win integer
---@return claudecode.diff.Measure
function M.measure(win)
  local info = vim.fn.getwininfo(win)[1]
  local wrap = vim.wo[win].wrap
  return {
    width = math.max(info.width - info.textoff, 1),
    offset = info.textoff,
    fold = info.textoff > 2 and tonumber(vim.wo[win].foldcolumn) or 0,
    left = wrap and 0 or vim.api.nvim_win_call(win, vim.fn.winsaveview).leftcol,
    wrap = wrap,
  }
end

local widths = {} ---@type table<string, integer> of characters that are not ASCII

---The characters of a line as they are shown, with their width and colour.
local function cells(line, columns, tabstop)
  local list, column, changed = {}, 0, 1
  for from, char in line:gmatch("()([%z\1-\127\192-\255]?[\128-\191]*)") do
    local range = columns[changed]
    while range and range[2] < from do
      changed = changed + 1
      range = columns[changed]
    end
    local shown, width = char, 1
    if char == "\t" then
      width = tabstop - column % tabstop
      shown = (" "):rep(width)
    elseif char:find("^[ -~]$") == nil and char ~= "" then
      shown = vim.fn.strtrans(char)
      width = widths[shown] or vim.fn.strdisplaywidth(shown)
      widths[shown] = width
    end
    if char ~= "" then
      list[#list + 1] = { text = shown, width = width, is_changed = range ~= nil and range[1] < from }
      column = column + width
    end
  end
  return list
end

local normal, text = "ClaudeCodeInlineDiffDelete", { "ClaudeCodeInlineDiffDelete", "ClaudeCodeInlineDiffDeleteText" }

local function add(row, shown, is_changed)
  local last = row[#row]
  if last and last.is_changed == is_changed then
    last.text = last.text .. shown
  else
    row[#row + 1] = { text = shown, is_changed = is_changed }
  end
end

---The rows on the screen for a line.
local function rows_of(line, columns, measure, tabstop)
  local rows = { {} }
  local used, skipped = 0, 0
  for _, cell in ipairs(cells(line, columns, tabstop)) do
    local width = cell.width
    if skipped < measure.left then
      skipped = skipped + width
      width = skipped - measure.left -- what is left of a wide character or a tab
      cell = { text = (" "):rep(math.max(width, 0)), is_changed = cell.is_changed }
    end
    if width > 0 and used + width > measure.width then
      if not measure.wrap then
        break
      end
      rows[#rows + 1] = {}
      used = 0
    end
    add(rows[#rows], cell.text, cell.is_changed)
    used = used + math.max(width, 0)
  end
  add(rows[#rows], (" "):rep(measure.width - used), false)
  return rows
end

local function gutter(measure, sign)
  if measure.offset == 0 then
    return nil
  end
  local shown = (" "):rep(math.min(measure.fold, measure.offset - 1)) .. sign
  return { shown .. (" "):rep(measure.offset - #shown), "ClaudeCodeInlineDiffDeleteSign" }
end

---@param lines string[]
---@param columns table<integer, claudecode.diff.Columns[]> what has changed in them, by line
---@param measure claudecode.diff.Measure
---@param tabstop integer
---@return table[] virtual_lines
function M.lines(lines, columns, measure, tabstop)
  local result = {}
  for index = 1, math.min(#lines, most_lines) do
    for number, row in ipairs(rows_of(lines[index], columns[index] or {}, measure, tabstop)) do
      local chunks = { gutter(measure, number == 1 and "-" or " ") }
      for _, part in ipairs(row) do
        chunks[#chunks + 1] = { part.text, part.is_changed and text or normal }
      end
      result[#result + 1] = chunks
    end
  end
  if #lines > most_lines then
    local rest = ("… and %d more lines that are gone"):format(#lines - most_lines)
    result[#result + 1] = { gutter(measure, " "), { rest, "ClaudeCodeInlineDiffDeleteSign" } }
  end
  return result
end

return M
