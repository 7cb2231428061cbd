-- Mentions: what Claude is pointed to, on its way to the host.
local M = {}

---@class claudecode.Mention
---@field path string absolute; a folder ends in "/"
---@field first integer? 0-based line
---@field last integer? 0-based line

---@param path string
---@return string absolute without "." and ".."
function M.absolute(path)
  if path:sub(1, 1) ~= "/" and not path:match("^%a:[/\\]") then
    path = vim.fn.getcwd() .. "/" .. path
  end
  local parts = {}
  for part in path:gmatch("[^/]+") do
    if part == ".." then
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return (path:sub(1, 1) == "/" and "/" or "") .. table.concat(parts, "/")
end

---A mention of something that exists. A folder has no lines.
---@param path string absolute
---@param first integer?
---@param last integer?
---@return claudecode.Mention?
function M.of(path, first, last)
  local stat = vim.uv.fs_stat(path)
  if not stat then
    return nil
  elseif stat.type == "directory" then
    return { path = path:gsub("/*$", "") .. "/" }
  end
  return { path = path, first = first, last = last or first }
end

---@return string? reason why nothing can be sent at all
function M.obstacle()
  if require("claudecode")._is_stopped() then
    return "the server is stopped; :ClaudeCodeStart starts it"
  end
end

---A mention of something that exists, as the user's configuration names it.
---@param path string relative to the working directory, absolute, or in the home folder (`~/`)
---@param first integer?
---@param last integer?
---@return claudecode.Mention?
function M.find(path, first, last)
  local home = path:sub(1, 2) == "~/" and not vim.uv.fs_stat(path) and vim.env.HOME
  return M.of(M.absolute(home and home .. path:sub(2) or path), first, last)
end

---Sends the mentions, in their order.
---@param mentions claudecode.Mention[]
---@param context string who asked, for `User ClaudeCodeSendComplete`
---@param question string? typed behind them, with Enter
---@return boolean accepted
---@return string? reason
function M.send(mentions, context, question)
  local obstacle = M.obstacle()
  if obstacle then
    require("claudecode.notice").show("error", "nothing was sent: " .. obstacle)
    return false, obstacle
  end
  require("claudecode")._prepare()
  local launch = require("claudecode.cwd").launch_context()
  local paths = vim.tbl_map(function(mention)
    return mention.path
  end, mentions)
  require("claudecode.commands.consent").obtain(paths, function(refused)
    local may_be_sent = vim.tbl_filter(function(mention)
      return not refused[mention.path]
    end, mentions)
    if #may_be_sent == 0 and #mentions > 0 then
      return -- of which the user was told; a question about nothing is none
    end
    local items = {}
    for _, mention in ipairs(may_be_sent) do
      items[#items + 1] = vim.tbl_extend("force", mention, { context = context })
    end
    if question then
      items[#items + 1] = { question = question, focus = true }
    end
    require("claudecode.outbox").send(items, launch)
  end)
  if require("claudecode.host").phase() == "stopped" then
    return false, "the host process can't be started"
  end
  return true
end

return M
