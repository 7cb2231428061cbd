-- What Lua knows of the host's state without asking it: a mirror that the host keeps up to date.
local M = {}

local empty = { port = false, clients = 0, pending_diffs = 0 }
local state = vim.deepcopy(empty)

---@return {port: integer|false, clients: integer, pending_diffs: integer}
function M.get()
  return state
end

---Tells the user's handlers what is otherwise than before.
local function announce(before)
  local announcer = require("claudecode.editor.diff.announce")
  if state.port ~= before.port then
    if before.port then
      announcer.send("ClaudeCodeStopped", { port = before.port })
    end
    if state.port then
      announcer.send("ClaudeCodeStarted", { port = state.port })
    end
  end
  if state.clients ~= before.clients then
    local pattern = state.clients > before.clients and "ClaudeCodeConnected" or "ClaudeCodeDisconnected"
    announcer.send(pattern, { clients = state.clients })
  end
end

---@param change table
function M.set(change)
  local before = state
  state = vim.tbl_extend("force", state, change)
  vim.cmd.redrawstatus({ bang = true })
  announce(before)
end

---There is no host any more.
function M.reset()
  local before = state
  state = vim.deepcopy(empty)
  if vim.v.exiting == vim.NIL then
    announce(before)
  end
end

---A short text for a status line; empty while nothing runs.
---@return string
function M.text()
  if not state.port then
    return ""
  end
  local text = state.clients > 0 and "Claude" or "Claude (not connected)"
  if state.pending_diffs > 0 then
    text = ("%s, %d to review"):format(text, state.pending_diffs)
  end
  return text
end

M.rpc = {
  ---@param args {clients: integer?, pending_diffs: integer?}
  set = function(args)
    M.set(args)
    return true
  end,
}

return M
