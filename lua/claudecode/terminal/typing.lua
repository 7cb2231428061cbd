-- Text into Claude's prompt: as one bracketed paste, out of which nothing in the text can break.
local M = {}

---What can be typed: text, line breaks and tabs. Control characters have no meaning in a prompt but to do harm, such as
---ending the paste (ESC [201~, also with the one-character CSI).
---@param text string
---@return string
function M.plain(text)
  text = text:gsub("\r\n?", "\n")
  text = text:gsub("[%z\1-\8\11-\31\127]", "")
  return (text:gsub("\194[\128-\159]", "")) -- U+0080 to U+009F
end

---@param terminal table? where Claude runs
---@param text string
---@param options {submit: boolean?, focus: boolean?, kept: string?} kept: where the user finds a text that can't be typed
---@param open fun() goes to Claude
---@return boolean typed
function M.send(terminal, text, options, open)
  local notice = require("claudecode.notice")
  local plain = M.plain(text)
  local kept = options.kept and "; " .. options.kept or ""
  if plain == "" then
    notice.show("warn", "there is no text to send")
    return false
  elseif not (terminal and terminal.send) then
    local why = terminal and "Claude runs where Neovim can't type" or "no Claude runs in Neovim; :ClaudeCode starts one"
    notice.show("warn", ("the text was not sent: %s%s"):format(why, kept))
    return false
  end
  local enter = options.submit ~= false and "\r" or ""
  if not terminal:send("\27[200~" .. plain .. "\27[201~" .. enter) then
    notice.show("warn", "the text was not sent: Claude has ended" .. kept)
    return false
  end
  if options.focus then
    open()
  end
  return true
end

return M
