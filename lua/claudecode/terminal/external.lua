-- The provider "external": Claude in a program of the user's, such as another terminal emulator.
local M = {}

---@class claudecode.terminal.External
---@field on_end fun(code: integer)
---@field job integer? the program of the user's, while it runs
local External = {}
External.__index = External

---@return string|function|nil
local function template()
  local terminal = require("claudecode.config").get("terminal", "table") or {}
  local options = type(terminal.provider_opts) == "table" and terminal.provider_opts or {}
  return options.external_terminal_cmd
end

---@return boolean available
---@return string? reason
function M.is_available()
  local written = template()
  if type(written) == "function" or (type(written) == "string" and written:find("%%s")) then
    return true
  end
  return false, "terminal.provider_opts.external_terminal_cmd is not set"
end

---@param on_end fun(code: integer)
---@return claudecode.terminal.External
function M.new(on_end)
  return setmetatable({ on_end = on_end }, External)
end

---@return boolean
function External:is_running()
  return self.job ~= nil
end

---@return integer? pid
function External:process()
  return self.job and require("claudecode.terminal.job").process(self.job)
end

local function quoted(word)
  return word:match("^[%w_@%%+=:,./-]+$") and word or "'" .. word:gsub("'", "'\\''") .. "'"
end

---The words of the user's command, with Claude's words in the place of "%s". A word that is "%s" alone becomes many.
local function fill(written, launch)
  local words = require("claudecode.terminal.words").split(written)
  if not words then
    return nil, "external_terminal_cmd has a quote that is never closed"
  end
  local _, places = written:gsub("%%s", "")
  if places < 1 or places > 2 then
    return nil, ('external_terminal_cmd must have one "%%s" or two, and has %d'):format(places)
  end
  local command = table.concat(vim.tbl_map(quoted, launch.argv), " ")
  local argv, seen = {}, 0
  for _, word in ipairs(words) do
    if word == "%s" and seen == places - 1 then
      seen = seen + 1
      vim.list_extend(argv, launch.argv)
    else
      argv[#argv + 1] = word:gsub("%%s", function()
        seen = seen + 1
        return (places == 2 and seen == 1) and launch.cwd or command
      end)
    end
  end
  return argv
end

local function call(written, launch)
  local done, result = pcall(written, launch.command, launch.env)
  if not done then
    return nil, "external_terminal_cmd failed: " .. tostring(result)
  elseif type(result) == "string" then
    local words = require("claudecode.terminal.words").split(result)
    return words, not words and "external_terminal_cmd returned a quote that is never closed" or nil
  elseif type(result) == "table" and vim.islist(result) and #result > 0 then
    return result
  end
  return nil, "external_terminal_cmd must return a command, as a string or a list"
end

---@param launch claudecode.Launch
---@return true? started
---@return string? refusal
function External:start(launch)
  local written = template()
  local argv, reason = (type(written) == "function" and call or fill)(written, launch)
  if not argv then
    return nil, reason
  end
  local done, id = pcall(vim.fn.jobstart, argv, {
    detach = true,
    cwd = launch.cwd,
    env = launch.env,
    on_exit = function(ended, code)
      if ended == self.job then
        self.job = nil
        self.on_end(code)
      end
    end,
  })
  if not done or id <= 0 then
    return nil, ("%s is not an executable: check terminal.provider_opts.external_terminal_cmd"):format(argv[1])
  end
  self.job = id
  return true
end

---Ends the terminal that was started.
function External:stop()
  local id = self.job
  self.job = nil
  if id then
    vim.fn.jobstop(id)
  end
end

return M
