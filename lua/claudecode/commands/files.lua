-- A list of files and folders as mentions: from file explorers, and for require("claudecode").send_files().
local M = {}

local function is_list_of_paths(paths)
  return type(paths) == "table"
    and vim.islist(paths)
    and vim.iter(paths):all(function(path)
      return type(path) == "string"
    end)
end

---@return string reason
local function why_not(path)
  if require("claudecode.explorers").is_elsewhere(path) then
    return ("%s is no file of this computer, so Claude could not read it"):format(path)
  end
  return ("there is no file or folder %s"):format(path)
end

---Sends them in their order, each once. What can't be sent is left out, of which the user is told.
---@param paths string[]
---@param context string for `User ClaudeCodeSendComplete`
---@return boolean accepted
---@return string? reason
function M.send(paths, context)
  local notice = require("claudecode.notice")
  local function refuse(reason)
    notice.show("warn", "nothing was sent: " .. reason)
    return false, reason
  end
  if not is_list_of_paths(paths) then
    return refuse("a list of paths is needed")
  elseif #paths == 0 then
    return refuse("there is no file here")
  end
  local mentions, seen, left_out = {}, {}, {}
  for _, path in ipairs(paths) do
    local mention = path ~= "" and require("claudecode.commands.mention").find(path)
    if not mention then
      left_out[#left_out + 1] = path
    elseif not seen[mention.path] then
      seen[mention.path] = true
      mentions[#mentions + 1] = mention
    end
  end
  if #mentions == 0 then
    return refuse(why_not(left_out[1]))
  elseif #left_out > 0 then
    local were = #left_out == 1 and "was" or "were"
    notice.show("warn", ("%d of %d %s not sent: %s"):format(#left_out, #paths, were, why_not(left_out[1])))
  end
  return require("claudecode.commands.mention").send(mentions, context)
end

return M
