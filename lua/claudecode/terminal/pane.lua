-- The providers "tmux", "wezterm", "kitty" and "zellij": Claude in a pane beside Neovim. Only panes that were made here
-- are ever touched, by the id that the program gave them.
local multiplexers = require("claudecode.terminal.multiplexers")

local M = {}

-- what a pane has of its own, or what says that the program runs inside of Neovim
local not_handed_on = {
  "^TERM",
  "^TMUX",
  "^WEZTERM_",
  "^KITTY_",
  "^ZELLIJ",
  "^NVIM",
  "^VIM",
  "^COLUMNS$",
  "^LINES$",
  "^PWD$",
  "^OLDPWD$",
  "^SHLVL$",
  "^_$",
}

local function is_handed_on(name)
  for _, pattern in ipairs(not_handed_on) do
    if name:match(pattern) then
      return false
    end
  end
  return name:match("^[%a_][%w_]*$") ~= nil
end

local start_script = 'file=$0; . "$file"; echo $$ > "$file.pid"; rm -f "$file"; exec "$@"'

---The program with Neovim's environment, and Claude's on top: a multiplexer would give it its own server's. It travels in a
---private file, since everybody can read the words of a program call.
---@return string[] argv
---@return string file the process writes its id into FILE.pid
local function with_env(launch)
  local lines = {}
  for name, value in vim.spairs(vim.tbl_extend("force", vim.fn.environ(), launch.env)) do
    if launch.env[name] or is_handed_on(name) then
      lines[#lines + 1] = ("export %s='%s'"):format(name, (value:gsub("'", "'\\''")))
    end
  end
  local file = vim.fn.tempname() -- in a folder that is the user's alone
  local opened = assert(io.open(file, "w"))
  opened:write(table.concat(lines, "\n"), "\n")
  opened:close()
  return vim.list_extend({ "sh", "-c", start_script, file }, launch.argv), file
end

---@param name string
---@param kind table what the program can do
---@return table provider
local function make(name, kind)
  local provider = {}

  ---@class claudecode.terminal.Pane
  ---@field pane string? as the program calls it
  ---@field pid_file string
  local Pane = {}
  Pane.__index = Pane

  function provider.is_available()
    return vim.env[kind.inside] ~= nil, ("Neovim does not run in %s ($%s is not set)"):format(name, kind.inside)
  end

  function provider.new()
    return setmetatable({}, Pane)
  end

  function Pane:is_running()
    if self.pane and not kind.is_there(self.pane) then
      self.pane = nil
    end
    return self.pane ~= nil
  end

  function Pane:process()
    return tonumber(multiplexers.pid_in(self.pid_file))
  end

  function Pane:start(launch, view, focus)
    local words, file = with_env(launch)
    self.pid_file = file .. ".pid"
    local opened, reason = kind.open(launch, words, view, focus, self.pid_file)
    if not opened then
      return nil, reason
    end
    self.pane = opened
    if not focus and kind.unfocus then
      kind.unfocus()
    end
    return true
  end

  function Pane:stop()
    if self:is_running() then
      kind.close(self.pane)
    end
    self.pane = nil
  end

  function Pane:where()
    if kind.is_here then
      return kind.is_here(self.pane) and "here" or "hidden"
    end
    return "hidden" -- it can't be hidden, so a toggle goes there
  end

  function Pane:show(view, focus)
    if kind.bring and not kind.is_here(self.pane) then
      kind.bring(self.pane, view)
    end
    if focus and kind.focus then
      kind.focus(self.pane)
    end
  end

  function Pane:hide()
    if kind.hide then
      kind.hide(self.pane)
    end
  end

  if kind.send then
    function Pane:send(bytes)
      return self:is_running() and kind.send(self.pane, bytes)
    end
  end

  return provider
end

local made = {} ---@type table<string, table> providers by name

---@param name "tmux"|"wezterm"|"kitty"|"zellij"
---@return table provider
function M.provider(name)
  made[name] = made[name] or make(name, multiplexers[name])
  return made[name]
end

return M
