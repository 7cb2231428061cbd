-- What key maps of the Lua plugin's users call. Our own code is in claudecode.editor.diff.
local M = {}

---Accepts the proposal that the user means, as :ClaudeCodeDiffAccept does.
function M.accept_current_diff()
  require("claudecode.editor.diff").accept()
end

---Rejects it, as :ClaudeCodeDiffDeny does.
function M.deny_current_diff()
  require("claudecode.editor.diff").deny()
end

---Closes every diff, as :ClaudeCodeCloseAllDiffs does; no accepted text is lost.
function M.close_all_diffs()
  require("claudecode.commands").ClaudeCodeCloseAllDiffs()
end

M.close_pending_diffs = M.close_all_diffs

return M
