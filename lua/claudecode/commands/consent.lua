-- Before something private is sent on purpose, the user is asked: once for each file.
local M = {}

local allowed = {} ---@type table<string, true> what the user has let go, until Neovim ends
local waiting = {} ---@type table<integer, {files: table[], go_on: fun(refused: table<string, true>)}>
local last_id = 0

---Goes on when it is known, which is at once unless something is private, what may not be sent.
---@param paths string[] absolute; a folder's ends in "/"
---@param go_on fun(refused: table<string, true>)
function M.obtain(paths, go_on)
  local files = {}
  for _, path in ipairs(paths) do
    files[#files + 1] = { path = path, is_private = require("claudecode.editor.privacy").is_path_private(path) }
  end
  last_id = last_id + 1
  waiting[last_id] = { files = files, go_on = go_on }
  local host = require("claudecode.host")
  if host.phase() == "ready" then
    host.notify("consent", { id = last_id, files = files })
  elseif not host.start() then -- of which the user is told
    waiting[last_id] = nil
  end
end

---Asks a new host what nobody has answered yet.
function M.ask_again()
  local ids = vim.tbl_keys(waiting)
  table.sort(ids)
  for _, id in ipairs(ids) do
    require("claudecode.host").notify("consent", { id = id, files = waiting[id].files })
  end
end

local function shown(path)
  return vim.fn.fnamemodify(path, ":~:.")
end

local function report(refused)
  local count = vim.tbl_count(refused)
  if count > 0 then
    local name = shown(next(refused))
    local what = count == 1 and (name .. " was") or ("%s and %d more were"):format(name, count - 1)
    require("claudecode.notice").show("info", what .. " not sent: private")
  end
end

---Asks for the paths from `first` on, one after the other.
local function ask(paths, first, refused, done)
  local path = paths[first]
  if not path then
    report(refused)
    return done(refused)
  elseif allowed[path] then -- by now
    return ask(paths, first + 1, refused, done)
  end
  local rest = #paths - first + 1
  local choices = { "Send it", "Don't send it" }
  if rest > 1 then
    vim.list_extend(choices, { ("Send all %d"):format(rest), ("Send none of the %d"):format(rest) })
  end
  vim.ui.select(choices, { prompt = shown(path) .. " is private. Send it to Claude?" }, function(_, choice)
    local for_all = choice == 3 or choice == 4
    for i = first, for_all and #paths or first do
      local group = (choice == 1 or choice == 3) and allowed or refused
      group[paths[i]] = true
    end
    ask(paths, for_all and #paths + 1 or first + 1, refused, done)
  end)
end

M.rpc = {
  ---These paths are private. What the user does not want to be sent is left out.
  ---@param args {id: integer, paths: string[]}
  ask = function(args)
    local go_on = waiting[args.id] and waiting[args.id].go_on
    waiting[args.id] = nil
    local paths = vim.tbl_filter(function(path)
      return not allowed[path]
    end, args.paths)
    if go_on and #paths == 0 then
      go_on({}) -- at once: nothing that is sent later may come before it
    elseif go_on then
      vim.schedule(function() -- a question that waits for a key must not keep the host waiting
        ask(paths, 1, {}, go_on)
      end)
    end
    return true
  end,
}

return M
