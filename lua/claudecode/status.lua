-- What Lua knows of the host's state without asking it: a mirror that the host keeps up to date.
local M = {}

local empty = { port = false, clients = 0, pending_diffs = 0, auto_accept = false, had_diffs = false }
local state = vim.deepcopy(empty)
local seen ---@type string? what Claude sees, for the user
local is_shown = false -- the user's status line has it

---@return {port: integer|false, clients: integer, pending_diffs: integer, auto_accept: boolean, had_diffs: boolean}
function M.get()
  return state
end

---Tells the user's handlers what is otherwise than before.
local function announce(before)
  local announcer = require("claudecode.announce")
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

---What Claude sees: a place in a file, "private", or nothing known.
---@param what claudecode.SelectionFacts|"private"|nil
function M.see(what)
  local text
  if type(what) == "table" then
    text = what.name:match("[^/\\]*$")
    local lines = what.last.line - what.first.line + 1
    if what.kind ~= "none" then
      text = ("%s, %d %s"):format(text, lines, lines == 1 and "line" or "lines")
    end
  else
    text = what
  end
  if text ~= seen then
    seen = text
    M.redraw()
  end
end

---Redraws the status lines, if one shows the text.
function M.redraw()
  if is_shown then
    vim.cmd.redrawstatus({ bang = true })
  end
end

---A short text for a status line; empty while nothing runs.
---@return string
function M.text()
  is_shown = true
  if not state.port then
    return ""
  end
  local text = "Claude"
  if state.clients == 0 then
    text = "Claude (not connected)"
  elseif not require("claudecode.editor.privacy").is_tracking() then
    text = "Claude: tracking off"
  elseif seen then
    text = "Claude: " .. seen
  end
  if state.auto_accept then
    text = text .. ", auto-accept"
  end
  if state.pending_diffs > 0 then
    text = ("%s, %d to review"):format(text, state.pending_diffs)
  end
  return text
end

M.rpc = {
  ---@param args {clients: integer?, pending_diffs: integer?, auto_accept: boolean?, had_diffs: boolean?}
  set = function(args)
    M.set(args)
    return true
  end,
}

return M
