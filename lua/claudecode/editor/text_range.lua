-- A range of a buffer that a client names by its text or its lines, and its selection in a window.
local M = {}

---@class claudecode.TextRange
---@field first integer[] line and byte column of the first byte, 0-based
---@field last integer[] the same of the last byte
---@field linewise boolean

---@return integer line 0-based
---@return integer column
local function position(starts, byte)
  local low, high = 1, #starts
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if starts[middle] <= byte then
      low = middle
    else
      high = middle - 1
    end
  end
  return low - 1, byte - starts[low]
end

---Where `text` is, as it is or with the line ends that buffers have.
local function find_plain(all, text, from)
  local first, last = all:find(text, from, true)
  if not first and text:find("\r\n", 1, true) then
    first, last = all:find(text:gsub("\r\n", "\n"), from, true)
  end
  return first, last
end

local function shorten(text)
  local short = vim.fn.strcharpart(text:gsub("%z", ""):gsub("%s+", " "), 0, 40)
  return #short < #text and short .. "…" or short
end

---@return claudecode.TextRange?
---@return string? note
local function by_text(buffer, args)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local all = table.concat(lines, "\n")
  local first, last = find_plain(all, args.start_text, 1)
  if not first then
    return nil, ("The text was not found, so nothing is selected: %s"):format(shorten(args.start_text))
  end
  local note
  if args.end_text and args.end_text ~= "" then
    local _, end_last = find_plain(all, args.end_text, last + 1)
    if not end_last then
      _, end_last = find_plain(all, args.end_text, first)
    end
    if end_last then
      last = end_last
    else
      note = ("The end was not found, so only the start is selected: %s"):format(shorten(args.end_text))
    end
  end
  local starts, byte = {}, 1
  for index, line in ipairs(lines) do
    starts[index] = byte
    byte = byte + #line + 1
  end
  local range = { first = { position(starts, first) }, last = { position(starts, last) }, linewise = false }
  if args.to_end_of_line then
    local line = lines[range.last[1] + 1]
    range.last[2] = math.max(range.last[2], #line - 1)
  end
  return range, note
end

local function by_lines(buffer, args)
  local count = vim.api.nvim_buf_line_count(buffer)
  local start_line = math.min(math.max(args.start_line or 1, 1), count)
  local end_line = math.min(math.max(args.end_line or start_line, start_line), count)
  return { first = { start_line - 1, 0 }, last = { end_line - 1, 0 }, linewise = true }
end

---What the client wants to be selected.
---@param buffer integer
---@param args {start_text: string?, end_text: string?, to_end_of_line: boolean, start_line: integer?, end_line: integer?}
---@return claudecode.TextRange?
---@return string? note when it was not found, or not all of it
function M.find(buffer, args)
  if args.start_text and args.start_text ~= "" then
    return by_text(buffer, args)
  end
  if args.start_line or args.end_line then
    return by_lines(buffer, args)
  end
end

local function apply(window, range)
  local function go(place)
    -- The cursor can't be behind the last character of a line: there, 'selection' takes the line break by itself.
    vim.api.nvim_win_set_cursor(window, { place[1] + 1, place[2] })
  end
  go(range.first)
  vim.cmd("normal! zv") -- in a closed fold Visual mode would begin with the fold
  vim.cmd("normal! " .. (range.linewise and "V" or "v"))
  go(range.last)
  if not range.linewise and vim.o.selection == "exclusive" then
    vim.cmd("normal! l")
  end
  vim.cmd("normal! o") -- the start is what must be seen
  vim.cmd("normal! zvzz")
end

---Selects the range in the current window, which is `window`, as soon as Neovim is in Normal mode.
---@param window integer
---@param range claudecode.TextRange
function M.select(window, range)
  if vim.api.nvim_get_mode().mode:find("^n") then
    apply(window, range)
    return
  end
  -- Insert and Terminal mode end only when Neovim comes back to them.
  vim.api.nvim_create_autocmd("ModeChanged", {
    pattern = "*:n*",
    once = true,
    callback = vim.schedule_wrap(function()
      if vim.api.nvim_get_current_win() == window and vim.api.nvim_get_mode().mode:find("^n") then
        apply(window, range)
      end
    end),
  })
end

return M
