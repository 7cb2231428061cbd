-- What commands with "on", "off" and "toggle" have in common.
local M = {}

local words = { "on", "off", "toggle" }

---@param lead string
---@return string[]
function M.complete(lead)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, words)
end

---@param command string
---@param word string
---@return boolean ok else the user was told what is allowed; nothing at all is
function M.check(command, word)
  if word == "" or vim.tbl_contains(words, word) then
    return true
  end
  require("claudecode.notice").show("error", (":%s takes on, off or toggle, not %s"):format(command, word))
  return false
end

return M
