-- Who waits for the user: proposals, and Claudes that ask something in their terminal. :ClaudeCodeNext goes there.
local M = {}

---Whether the user can see where a Claude asks.
---@param session claudecode.Session
local function is_seen(session)
  local terminal = session.terminal
  if terminal.where then
    local where = terminal:where()
    return where == "here" or where == "focused"
  end
  local buffer = terminal.buffer and terminal:buffer() -- of a provider of the user's own
  return buffer ~= nil and vim.fn.bufwinid(buffer) ~= -1
end

---The pending proposals, the oldest first, each with a window of this Neovim's.
---@return {buffer: integer, session: string?, go: fun()}[] places; session: the name of the Claude that proposes it
local function proposals()
  local registry = package.loaded["claudecode.editor.diff.registry"]
  local list = {}
  for _, diff in ipairs(registry and registry.pending() or {}) do
    local win = vim.fn.win_findbuf(diff.buffer)[1]
    if win then
      list[#list + 1] = {
        buffer = diff.buffer,
        session = diff.session,
        go = function()
          vim.api.nvim_set_current_win(win)
        end,
      }
    end
  end
  return list
end

---Goes to a Claude that asks, where one can go there.
local function go_to(session)
  if session.terminal.where or session.terminal.act then
    require("claudecode.terminal").go_to(session)
  else
    local text = ("Claude (%s) waits for you where it runs, outside of Neovim"):format(session.name)
    require("claudecode.notice").show("info", text)
  end
end

---The Claudes that ask in their terminal. What a proposal asks is asked there, too, and counts once.
---@param proposed {session: string?}[]
---@return {buffer: integer?, go: fun()}[]
local function questions(proposed)
  local list = {}
  for _, state in ipairs(require("claudecode.status").get().sessions) do
    local session = state.state == "waiting" and require("claudecode.terminal.sessions").get(state.id)
    local is_proposal = vim.iter(proposed):any(function(place)
      return place.session == state.name
    end)
    if session and not is_proposal then
      list[#list + 1] = {
        buffer = session.terminal.buffer and session.terminal:buffer(),
        go = function()
          go_to(session)
        end,
      }
    end
  end
  return list
end

---Goes to what waits for the user; from there to the next one.
function M.next()
  local list = proposals()
  vim.list_extend(list, questions(list))
  if #list == 0 then
    return require("claudecode.notice").show("info", "no Claude waits for you")
  end
  local here = vim.api.nvim_get_current_buf()
  local index = 0
  for i, place in ipairs(list) do
    index = place.buffer == here and i or index
  end
  if vim.fn.mode() == "t" then
    vim.cmd.stopinsert()
  end
  list[index % #list + 1].go()
end

M.rpc = {
  ---A Claude waits for the user, who is told unless they see it.
  ---@param args {id: string, name: string}
  ---@return boolean told
  tell = function(args)
    local session = require("claudecode.terminal.sessions").get(args.id)
    if not session or is_seen(session) then
      return false
    end
    require("claudecode.notice").show(
      "info",
      ("Claude (%s) waits for you; :ClaudeCodeNext goes there"):format(args.name)
    )
    return true
  end,
}

return M
