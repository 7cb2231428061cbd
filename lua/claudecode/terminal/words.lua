-- A command line that the user wrote for Lua, in words: the rules of src/terminal/argv.ts.
local M = {}

---@param line string
---@return string[]? words nil when a quote is never closed
function M.split(line)
  local words, word, quote = {}, nil, nil
  local i = 1
  while i <= #line do
    local char = line:sub(i, i)
    if quote and char == quote then
      quote = nil
    elseif quote == "'" then
      word = word .. char
    elseif quote then
      local next_char = line:sub(i + 1, i + 1)
      if char == "\\" and next_char ~= "" and ('"\\$`'):find(next_char, 1, true) then
        char, i = next_char, i + 1
      end
      word = word .. char
    elseif char == '"' or char == "'" then
      quote, word = char, word or ""
    elseif char == "\\" and i < #line then
      word, i = (word or "") .. line:sub(i + 1, i + 1), i + 1
    elseif char:match("[ \t\r\n]") then
      words[#words + 1] = word
      word = nil
    elseif char == "~" and not word and line:match("^[/ \t\r\n]", i + 1) then
      word = vim.env.HOME or "~"
    else
      word = (word or "") .. char
    end
    i = i + 1
  end
  words[#words + 1] = word
  return not quote and words or nil
end

return M
