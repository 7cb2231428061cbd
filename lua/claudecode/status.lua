-- What Lua knows of the host's state without asking it: a mirror that the host keeps up to date.
local M = {}

---@class claudecode.SessionState
---@field id string
---@field name string
---@field state "starting"|"connected"|"working"|"waiting"|"done"

local empty = { port = false, clients = 0, pending_diffs = 0, auto_accept = false, had_diffs = false, sessions = {} }
local state = vim.deepcopy(empty)
local seen ---@type string? what Claude sees, for the user
local is_shown = false -- the user's status line has it

---@return {port: integer|false, clients: integer, pending_diffs: integer, auto_accept: boolean, had_diffs: boolean, sessions: claudecode.SessionState[]}
function M.get()
  return state
end

---@param sessions claudecode.SessionState[]
---@return table<string, string> states by id
local function states_of(sessions)
  local states = {}
  for _, session in ipairs(sessions) do
    states[session.id] = session.state
  end
  return states
end

---Tells the user's handlers what the sessions do now; one that has ended does nothing any more.
local function announce_states(before)
  local states, former = states_of(state.sessions), states_of(before.sessions)
  for _, session in ipairs(state.sessions) do
    if session.state ~= former[session.id] then
      local data = vim.tbl_extend("force", session, { before = former[session.id] })
      require("claudecode.announce").send("ClaudeCodeSessionState", data)
    end
  end
  for _, session in ipairs(before.sessions) do
    if not states[session.id] then
      local data = { id = session.id, name = session.name, state = "gone", before = session.state }
      require("claudecode.announce").send("ClaudeCodeSessionState", data)
    end
  end
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
  announce_states(before)
end

---@param change table
function M.set(change)
  local before = state
  state = vim.tbl_extend("force", state, change)
  vim.cmd.redrawstatus({ bang = true })
  announce(before)
end

---There is no host any more. The sessions run on.
function M.reset()
  local before = state
  state = vim.tbl_extend("force", vim.deepcopy(empty), { sessions = before.sessions })
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

---Who is there and what they do, such as "Claude working" or "2 Claudes (1 waiting)".
---@return string
local function who()
  local count = math.max(#state.sessions, state.clients)
  local states = {}
  for _, session in ipairs(state.sessions) do
    states[session.state] = (states[session.state] or 0) + 1
  end
  local active = {}
  for _, name in ipairs({ "working", "waiting", "done" }) do
    if states[name] then
      active[#active + 1] = count == 1 and name or ("%d %s"):format(states[name], name)
    end
  end
  local what = table.concat(active, ", ")
  if count > 1 then
    return ("%d Claudes%s"):format(count, what == "" and "" or (" (%s)"):format(what))
  end
  return what == "" and "Claude" or "Claude " .. what
end

---A short text for a status line; empty while nothing runs.
---@return string
function M.text()
  is_shown = true
  if not state.port then
    return ""
  end
  local text
  if state.clients == 0 then
    text = "Claude (not connected)"
  elseif not require("claudecode.editor.privacy").is_tracking() then
    text = who() .. ": tracking off"
  else
    text = who() .. (seen and ": " .. seen or "")
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
  ---@param args {clients: integer?, pending_diffs: integer?, auto_accept: boolean?, had_diffs: boolean?, sessions: claudecode.SessionState[]?}
  set = function(args)
    M.set(args)
    return true
  end,
}

return M
