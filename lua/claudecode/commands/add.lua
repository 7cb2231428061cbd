-- :ClaudeCodeAdd [path] [first] [last]: any path there can be, as it is typed, escaped, quoted, or meant by `%`.
local M = {}

local function exists(path)
  return path ~= "" and vim.uv.fs_stat(path) ~= nil
end

---@param text string
---@return string path with the home folder in the place of a leading "~"
local function at_home(text)
  if text == "~" or text:sub(1, 2) == "~/" then
    return (vim.env.HOME or "~") .. text:sub(2)
  end
  return text
end

---What the user may mean by `text`, the most literal first.
---@return string[]
local function readings(text)
  local list
  if text:match("^[%%#]%d*:?[%a:]*$") or text:match("^<%a+>") then
    local done, expanded = pcall(vim.fn.expand, text)
    if text == "%" or text == "#" then
      return { done and expanded or "" }
    end
    list = { text, done and expanded or nil }
  else
    list = { text, at_home(text) }
  end
  local quoted = text:match('^"(.*)"$') or text:match("^'(.*)'$")
  if quoted then
    list[#list + 1] = quoted
    list[#list + 1] = at_home(quoted)
  end
  local unescaped = text:gsub("\\(.)", "%1")
  list[#list + 1] = unescaped
  list[#list + 1] = at_home(unescaped)
  return list
end

---@return string? path absolute, of something that exists
local function find(text)
  local mention = require("claudecode.commands.mention")
  for _, reading in ipairs(readings(text)) do
    if exists(reading) then
      return mention.absolute(reading)
    end
  end
end

---@param text string
---@return {path: string, first: string?, last: string?}[] what the words may be, the longest path first
local function splits(text)
  local list = { { path = text } }
  local path, first = text:match("^(.-)%s+(%S+)$")
  if path then
    list[2] = { path = path, first = first }
    local shorter, before = path:match("^(.-)%s+(%S+)$")
    if shorter then
      list[3] = { path = shorter, first = before, last = first }
    end
  end
  return list
end

---@param word string?
---@return integer? line nil when the word is not one
local function line_number(word)
  local number = word and word:match("^%d+$") and tonumber(word) or nil
  return number and number >= 1 and number or nil
end

---@return claudecode.Mention[]? mentions
---@return string? reason
function M.parse(args)
  local mention = require("claudecode.commands.mention")
  local text = vim.trim(args)
  local wrong
  for _, split in ipairs(splits(text)) do
    local path = find(split.path)
    local first, last = line_number(split.first), line_number(split.last)
    if path and ((split.first and not first) or (split.last and not last)) then
      local word = (split.first and not first) and split.first or split.last
      wrong = wrong or ("%s is no line number"):format(word)
    elseif path and first and last and first > last then
      wrong = wrong or ("line %d comes after line %d"):format(first, last)
    elseif path then
      return { mention.of(path, first and first - 1, last and last - 1) }
    end
  end
  local mentions = {}
  for _, path in ipairs(text:find("[*?%[]") and vim.fn.glob(at_home(text), true, true) or {}) do
    mentions[#mentions + 1] = mention.of(mention.absolute(path))
  end
  if #mentions > 0 then
    return mentions
  end
  return nil, wrong or ("there is no file or folder %s"):format(text)
end

---@param args string as it was typed behind the command; empty for the buffer
function M.run(args)
  if vim.trim(args) == "" then
    return require("claudecode.commands.send").send_buffer("ClaudeCodeAdd")
  end
  local mentions, reason = M.parse(args)
  if mentions then
    require("claudecode.commands.mention").send(mentions, "ClaudeCodeAdd")
  else
    require("claudecode.notice").show("error", "nothing was sent: " .. reason)
  end
end

---Completes the path that is being typed.
---@param lead string
---@return string[]
function M.complete(lead)
  local plain = lead:gsub("\\(.)", "%1")
  local folder, start = plain:match("^(.*/)([^/]*)$")
  folder, start = folder or "", start or plain
  local found = {}
  local directory = folder == "" and "." or at_home(folder)
  for name, kind in vim.fs.dir(directory) do
    local is_hidden = name:sub(1, 1) == "." and start:sub(1, 1) ~= "."
    if vim.startswith(name, start) and not is_hidden then
      local is_folder = kind == "directory" or (kind == "link" and vim.fn.isdirectory(directory .. "/" .. name) == 1)
      found[#found + 1] = (folder .. name):gsub("[\\%s]", "\\%0") .. (is_folder and "/" or "")
    end
  end
  table.sort(found)
  return found
end

return M
