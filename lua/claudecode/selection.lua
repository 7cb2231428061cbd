-- What key maps of the Lua plugin's users call. Our own code is in claudecode.editor.selection.
local M = {}

---Mentions the selected lines to Claude, as :ClaudeCodeSend does.
---@param first integer? 1-based line; else the lines of Visual mode, or what was selected last
---@param last integer? 1-based line
function M.send_at_mention_for_visual_selection(first, last)
  local range = first and 2 or 0
  require("claudecode.commands").ClaudeCodeSend({ args = "", range = range, line1 = first, line2 = last or first })
end

---Lets Claude see what the user does, as `:ClaudeCodeTrack on` does.
function M.enable()
  require("claudecode.commands").ClaudeCodeTrack({ args = "on" })
end

---Hides it, as `:ClaudeCodeTrack off` does.
function M.disable()
  require("claudecode.commands").ClaudeCodeTrack({ args = "off" })
end

return M
