-- :ClaudeCodeTrack: whether Claude sees what the user does, until Neovim ends.
local M = {}

local function describe(privacy)
  if privacy.is_paused() then
    return "off: Claude sees no file, no selection and no diagnostics"
  end
  return privacy.is_tracking() and "on" or "off, by the option track_selection"
end

---@param word string
function M.run(word)
  local privacy, notice = require("claudecode.editor.privacy"), require("claudecode.notice")
  if not require("claudecode.commands.on_off").check("ClaudeCodeTrack", word) then
    return
  end
  if word == "toggle" then
    word = privacy.is_tracking() and "off" or "on"
  end
  if word ~= "" then
    privacy.set_wanted(word)
  end
  notice.show("info", "tracking is " .. describe(privacy))
end

return M
