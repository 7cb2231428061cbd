-- What the user has sent, and Claude has not got yet. It lives in the editor, so that it outlives a host that crashes.
local M = {}

---A mention (path, first, last, context), or a question (question, focus, draft).
---@class claudecode.outbox.Item
---@field id integer?
---@field path string? absolute; a folder ends in "/"
---@field first integer? 0-based line
---@field last integer? 0-based line
---@field session string? whom it is for, as far as the host has said
---@field context string? who asked, for `User ClaudeCodeSendComplete`
---@field question string? typed into Claude's prompt, with Enter
---@field focus boolean? the user goes to Claude with the question
---@field draft string? the question as the user wrote it

local items = {} ---@type claudecode.outbox.Item[] in their order
local launch ---@type table? the place that the user was in at the last of them
local last_id = 0

---Sends them in their order, each once.
---@param list claudecode.outbox.Item[]
---@param context table of |claudecode.cwd|, for a Claude that has to be started
function M.send(list, context)
  for _, item in ipairs(list) do
    last_id = last_id + 1
    item.id = last_id
    items[#items + 1] = item
  end
  launch = context
  require("claudecode.host").ask("send", { items = list, launch = context })
  if require("claudecode.host").phase() == "stopped" then -- for good, of which the user is told
    items = {}
  end
end

---What a new host has to send.
---@return {items: claudecode.outbox.Item[], launch: table}?
function M.waiting()
  return #items > 0 and { items = items, launch = launch } or nil
end

---@param id integer
---@return claudecode.outbox.Item? item it waits no longer
local function take(id)
  for i, item in ipairs(items) do
    if item.id == id then
      return table.remove(items, i)
    end
  end
end

---A text that can't be sent is not lost.
---@param item claudecode.outbox.Item?
local function keep(item)
  if item and item.question then
    require("claudecode.prompt").give_back(item.draft or item.question)
  end
end

M.rpc = {
  ---Whom these are for, lest another host finds another one.
  ---@param args {ids: integer[], session: string}
  address = function(args)
    for _, item in ipairs(items) do
      if vim.list_contains(args.ids, item.id) then
        item.session = args.session
      end
    end
    require("claudecode.terminal.sessions").note_use(args.session)
    return true
  end,

  ---A mention has been given to Claude.
  ---@param args {id: integer, event: {file_path: string, start_line: integer?, end_line: integer?, context: string}}
  sent = function(args)
    take(args.id)
    require("claudecode.announce").send("ClaudeCodeSendComplete", args.event)
    return true
  end,

  ---It is a question's turn. One that was typed before a host ended is not typed again.
  ---@param args {id: integer, session: string?}
  ask = function(args)
    local item = take(args.id)
    local options = item and { submit = true, focus = item.focus, kept = ":ClaudeCodePrompt has it" }
    if item and not require("claudecode.terminal").type_to(args.session, item.question, options) then
      keep(item) -- of the reason the user was told
    end
    return true
  end,

  ---These will never be sent, of which the user is told.
  ---@param args {ids: integer[]}
  lost = function(args)
    for _, id in ipairs(args.ids) do
      keep(take(id))
    end
    return true
  end,
}

return M
