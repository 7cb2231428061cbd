-- What has changed within the lines of a hunk, word by word.
local line_map = require("claudecode.editor.line_map")

local M = {}

local most_bytes = 20000 -- of a hunk; in a larger one nobody compares words, and it would take a moment
local line_end = "\1\1" -- a token of its own; no other has two control characters

---Byte columns, 0-based, the end behind the last one.
---@alias claudecode.diff.Columns [integer, integer]

local classes = {} ---@type table<string, integer> |charclass()| by character

local function class_of(char)
  local class = classes[char]
  if not class then
    class = vim.fn.charclass(char)
    classes[char] = class
  end
  return class
end

local blank, word = 0, 2

---A word, blanks, or one character of anything else: also of scripts that have no blanks between words.
local function tokens_of(lines)
  local tokens = {}
  for row, line in ipairs(lines) do
    local last, last_class
    for from, char in line:gmatch("()([%z\1-\127\192-\255][\128-\191]*)") do
      local class = class_of(char)
      if last and class == last_class and (class == blank or class == word) then
        last.text, last.to = last.text .. char, from - 1 + #char
      else
        last, last_class = { text = char, row = row, from = from - 1, to = from - 1 + #char, class = class }, class
        tokens[#tokens + 1] = last
      end
    end
    tokens[#tokens + 1] = { text = line_end, row = row, class = blank }
  end
  return tokens
end

local function join(tokens)
  local parts = {}
  for index, token in ipairs(tokens) do
    parts[index] = token.text .. "\n"
  end
  return table.concat(parts)
end

---The columns of the changed tokens by line; none in a line of which no word is as before.
local function columns(tokens, changed)
  local by_row, keeps_word = {}, {}
  for index, token in ipairs(tokens) do
    local row = token.row
    if not changed[index] then
      keeps_word[row] = keeps_word[row] or token.class >= word
    elseif token.from then
      by_row[row] = by_row[row] or {}
      local last = by_row[row][#by_row[row]]
      if last and last[2] == token.from then
        last[2] = token.to
      else
        table.insert(by_row[row], { token.from, token.to })
      end
    end
  end
  for row in pairs(by_row) do
    by_row[row] = keeps_word[row] and by_row[row] or nil
  end
  return by_row
end

local function size(lines)
  local bytes = 0
  for _, line in ipairs(lines) do
    bytes = bytes + #line
  end
  return bytes
end

---@param old string[]
---@param new string[]
---@return table<integer, claudecode.diff.Columns[]> old what is gone, by the number of the line
---@return table<integer, claudecode.diff.Columns[]> new what is new
function M.compare(old, new)
  if #old == 0 or #new == 0 or size(old) + size(new) > most_bytes then
    return {}, {}
  end
  local old_tokens, new_tokens = tokens_of(old), tokens_of(new)
  local old_changed, new_changed = {}, {}
  for _, hunk in ipairs(line_map.diff(join(old_tokens), join(new_tokens), { result_type = "indices" })) do
    for index = hunk[1], hunk[1] + hunk[2] - 1 do
      old_changed[index] = true
    end
    for index = hunk[3], hunk[3] + hunk[4] - 1 do
      new_changed[index] = true
    end
  end
  return columns(old_tokens, old_changed), columns(new_tokens, new_changed)
end

return M
