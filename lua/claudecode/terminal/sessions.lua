-- The Claudes that run in this Neovim. Each is a session: a name, a folder, and the terminal that it runs in. They live
-- here, since they outlive a host that crashes; what becomes of them the host decides (src/sessions/sessions.ts).
local M = {}

---@class claudecode.Session
---@field id string given by the host, and told to Claude
---@field name string
---@field folder string
---@field terminal table of a provider (lua/claudecode/terminal/providers.lua)
---@field used integer when it was used last: a greater number is later

local sessions = {} ---@type claudecode.Session[] in the order of their start
local uses = 0

local function touch(session)
  uses = uses + 1
  session.used = uses
end

local function announce(pattern, session)
  if vim.v.exiting == vim.NIL then
    local data = { id = session.id, name = session.name, folder = session.folder }
    require("claudecode.announce").send(pattern, data)
  end
end

---@param session claudecode.Session
function M.add(session)
  sessions[#sessions + 1] = session
  touch(session)
  announce("ClaudeCodeSessionStarted", session)
end

---A session has ended, by itself or by us. The host is told.
---@param session claudecode.Session
---@param code integer
function M.remove(session, code)
  local left = vim.tbl_filter(function(other)
    return other ~= session
  end, sessions)
  if #left == #sessions then
    return -- that is known already
  end
  sessions = left
  require("claudecode.host").notify("terminalEnded", { session = session.id, code = code })
  announce("ClaudeCodeSessionEnded", session)
end

---@return claudecode.Session[] those that run, in the order of their start
function M.all()
  for _, session in ipairs(vim.list_slice(sessions)) do
    if not session.terminal:is_running() then
      M.remove(session, 0) -- a pane that was closed says nothing
    end
  end
  return sessions
end

---@param matches fun(session: claudecode.Session): boolean
---@return claudecode.Session?
local function find(matches)
  for _, session in ipairs(sessions) do
    if matches(session) then
      return session
    end
  end
end

---@param matches (fun(session: claudecode.Session): boolean)?
---@return claudecode.Session? session that was used last
local function latest(matches)
  local found
  for _, session in ipairs(sessions) do
    if (not matches or matches(session)) and (not found or session.used > found.used) then
      found = session
    end
  end
  return found
end

---@return claudecode.Session? session that runs
local function running(session)
  if session and not session.terminal:is_running() then
    M.remove(session, 0)
    return nil
  end
  return session
end

---@param id string?
---@return claudecode.Session?
function M.get(id)
  return running(find(function(session)
    return session.id == id
  end))
end

---@param name string
---@return claudecode.Session?
function M.named(name)
  return running(find(function(session)
    return session.name == name
  end))
end

---@param buffer integer
---@return claudecode.Session? session whose terminal it is
function M.of_buffer(buffer)
  return find(function(session)
    local terminal = session.terminal
    return terminal.buffer ~= nil and terminal:buffer() == buffer
  end)
end

---The session that the user means whatever the folder is: whose terminal they are in; the one that a provider of their own
---keeps; the last one, where the folder changes with every file.
---@return claudecode.Session?
function M.here()
  local meant = M.of_buffer(vim.api.nvim_get_current_buf())
    or find(function(session)
      return session.terminal.act ~= nil
    end)
    or (vim.o.autochdir and latest())
  return running(meant or nil)
end

---The session that commands are for: the one here, that of the current folder, else the one that was used last.
---@return claudecode.Session?
function M.current()
  if #sessions < 2 then
    return running(sessions[1])
  end
  M.all() -- lets go of those that have ended unseen
  local meant = M.here()
  if not meant and #sessions > 1 then
    local folder = require("claudecode.cwd").folder()
    meant = latest(function(session)
      return session.folder == folder
    end)
  end
  return meant or latest()
end

---@return {id: string, name: string, folder: string}[] for a host that begins, in the order of their last use
function M.described()
  local described = vim.tbl_map(function(session)
    return { id = session.id, name = session.name, folder = session.folder, used = session.used }
  end, M.all())
  table.sort(described, function(a, b)
    return a.used < b.used
  end)
  return described
end

---@param name string?
---@return string? name when the user must be told which Claude it is
function M.needed_name(name)
  return #M.all() > 1 and name or nil
end

---@param name string? of a session
---@return string text "Claude", and which one when there are several
function M.label(name)
  local needed = M.needed_name(name)
  return needed and ("Claude (%s)"):format(needed) or "Claude"
end

---The user goes to a session, or types something there. The host is told.
---@param session claudecode.Session
function M.use(session)
  if latest() ~= session then
    touch(session)
    require("claudecode.host").notify("sessionUsed", { session = session.id })
  end
end

---The host says that a session is used.
---@param id string
function M.note_use(id)
  local session = M.get(id)
  if session then
    touch(session)
  end
end

return M
