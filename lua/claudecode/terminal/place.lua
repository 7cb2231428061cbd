-- The place that Claudes share in a tab page: who comes takes it from who is there.
local M = {}

---Makes room for a session: others that this tab page shows are hidden. Two in windows of Neovim's own need nothing of that:
---the window stays, and shows the other one (lua/claudecode/terminal/window.lua).
---@param session claudecode.Session
function M.clear(session)
  local native = require("claudecode.terminal.native")
  for _, other in ipairs(require("claudecode.terminal.sessions").all()) do
    local terminal = other.terminal
    local both_native = native.is(terminal) and native.is(session.terminal)
    if other ~= session and not both_native and terminal.where and terminal.hide then
      local where = terminal:where()
      if where == "here" or where == "focused" then
        terminal:hide()
      end
    end
  end
end

return M
