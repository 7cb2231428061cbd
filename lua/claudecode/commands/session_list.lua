-- :ClaudeCodeNew, :ClaudeCodeSessions and :ClaudeCodeSessionClose: several Claudes at once.
local M = {}

local function running()
  return require("claudecode.terminal.sessions").all()
end

local function tell(level, text)
  require("claudecode.notice").show(level, text)
end

---The name, when the arguments begin with one, and the rest, which is Claude's.
---@param arguments string
---@return string? name
---@return string rest
local function split_name(arguments)
  local text = vim.trim(arguments)
  local quote = text:match("^[\"']")
  if quote then
    local name, rest = text:match(("^%s([^%s]*)%s%%s*(.*)$"):format(quote, quote, quote))
    return name, rest or text
  end
  local name, rest = text:match("^([^%s%-]%S*)%s*(.*)$")
  return name, rest or text
end

---Starts another Claude: `:ClaudeCodeNew review --model opus`.
---@param arguments string
function M.new(arguments)
  local name, rest = split_name(arguments)
  if name and (vim.trim(name) == "" or name:find("[%c/\\]")) then
    return tell("error", "a session's name has no slash: " .. vim.trim(name))
  end
  require("claudecode")._prepare()
  require("claudecode.host").ask("newSession", {
    name = name,
    arguments = rest,
    view = vim.empty_dict(),
    context = require("claudecode.cwd").launch_context(),
  })
end

---@param purpose "go"|"close"
---@param session claudecode.Session
local function act(purpose, session)
  local terminal = require("claudecode.terminal")
  if purpose == "go" then
    terminal.go_to(session)
  elseif terminal.close(session) then
    tell("info", ("%s has ended"):format(session.name))
  end
end

---Goes to a session, or ends it: the one of the name, or one that the user chooses.
---@param name string
---@param purpose "go"|"close"
function M.run(name, purpose)
  name = vim.trim(name):gsub("^([\"'])(.*)%1$", "%2")
  if #running() == 0 then
    tell("info", "no Claude runs in Neovim; :ClaudeCode starts one")
  elseif name == "" then
    require("claudecode.host").ask("sessions", { purpose = purpose })
  else
    local session = require("claudecode.terminal.sessions").named(name)
    if session then
      act(purpose, session)
    else
      tell("error", ('no Claude is called "%s"; :ClaudeCodeSessions shows those that run'):format(name))
    end
  end
end

---@param lead string
---@return string[] names that begin so
function M.complete(lead)
  local names = {}
  for _, session in ipairs(running()) do
    if vim.startswith(session.name, lead) then
      names[#names + 1] = session.name
    end
  end
  return names
end

local function describe_diffs(count)
  return count == 0 and "" or (", %d %s to review"):format(count, count == 1 and "diff" or "diffs")
end

local words = { starting = "not connected" } -- for states that say little to a user

---The sessions as rows of a table.
---@param known {id: string, state: string, pending_diffs: integer}[] what the host knows of them
---@return {session: claudecode.Session, text: string}[]
local function rows(known)
  local state_of = {}
  for _, item in ipairs(known) do
    state_of[item.id] = item
  end
  local current = require("claudecode.terminal.sessions").current()
  local sessions, width, folder_width = running(), 0, 0
  for _, session in ipairs(sessions) do
    width = math.max(width, vim.fn.strdisplaywidth(session.name))
    folder_width = math.max(folder_width, vim.fn.strdisplaywidth(vim.fn.fnamemodify(session.folder, ":~")))
  end
  local function padded(text, to)
    return text .. (" "):rep(to - vim.fn.strdisplaywidth(text))
  end
  return vim.tbl_map(function(session)
    local item = state_of[session.id] or { state = "starting", pending_diffs = 0 }
    local text = ("%s %s  %s  %s%s"):format(
      session == current and "*" or " ",
      padded(session.name, width),
      padded(vim.fn.fnamemodify(session.folder, ":~"), folder_width),
      words[item.state] or item.state,
      describe_diffs(item.pending_diffs)
    )
    return { session = session, text = text }
  end, sessions)
end

M.rpc = {
  ---Lets the user choose a session.
  ---@param args {purpose: "go"|"close", sessions: {id: string, state: string, pending_diffs: integer}[]}
  choose = function(args)
    local prompt = args.purpose == "go" and "Go to which Claude?" or "End which Claude?"
    return require("claudecode.commands.choose")(rows(args.sessions), prompt, function(row)
      return row.text
    end, function(row)
      act(args.purpose, row.session)
    end)
  end,
}

return M
