-- Who writes a proposal: the user, whose :w accepts it, or a program (an auto-save plugin, a formatter, :wall)?
--
-- Neovim does not say. What can be known, and was tried on 0.10 and 0.12:
-- * A key that was typed (|vim.on_key()|) and no |SafeState| since: what runs now runs because of that key, also inside a
--   mapping, a macro or a Lua function. Timers, scheduled functions, jobs and remote calls run after a SafeState.
-- * expand('<stack>') lists the autocommands that are running, in Vim script and in Lua.
-- * |CmdlineLeave| has the command line that is about to run, and the mapping of a key the <Cmd> that it will run.
local mapping = require("claudecode.editor.diff.mapping")

local M = {}

local namespace = vim.api.nvim_create_namespace("claudecode_intent")
local group ---@type integer?

local acts = false -- a key was typed, and what it does is not over
local acts_in = 0 -- the buffer it was typed in
local commands = {} ---@type table<string, boolean> full names of the commands on the command line that runs
local mapped ---@type table<string, boolean>? the same, of a mapping whose <Cmd> comes next
local hopes_in ---@type integer? the buffer where a key was typed that is called one for saving, and wrote nothing so far

-- Commands that write whatever there is to write.
local sweeping = { "wall", "wqall", "xall", "bufdo", "windo", "tabdo", "argdo", "cdo", "cfdo", "ldo", "lfdo" }
-- Commands that write only what is modified. A proposal never is, so it is made so for their time.
local modest = { "update", "xit", "exit" }

local function has_any(names)
  for _, name in ipairs(names) do
    if commands[name] then
      return true
    end
  end
  return false
end

---The commands of a command line, such as "silent w | echo 1". What can't be parsed will not run.
---@param line string
---@param found table<string, boolean>
---@param is_inner boolean? of the definition of a user's command
local function parse(line, found, is_inner)
  local rest = line
  while rest ~= "" do
    local done, parsed = pcall(vim.api.nvim_parse_cmd, rest, {})
    if not done then
      break
    end
    found[parsed.cmd] = true
    local own = not is_inner and vim.api.nvim_get_commands({})[parsed.cmd]
    if own then
      parse(own.definition, found, true)
    end
    rest = parsed.nextcmd
  end
  return found
end

local cmd_key = vim.keycode("<Cmd>")

---@param typed string
---@param buffer integer
local function on_mapped_key(typed, buffer)
  mapped = nil
  local map = mapping.find(typed)
  if not map then
    return
  end
  for _, line in ipairs(map.lines) do
    mapped = parse(line, mapped or {})
  end
  local hint = map.hint:lower()
  local is_for_saving = hint:find("^<[cdm]%-s>") or hint:find("save") or hint:find("write")
  hopes_in = map.is_open and is_for_saving and buffer or nil
end

---@class claudecode.diff.IntentListeners
---@field is_proposal fun(buffer: integer): boolean
---@field modest fun(buffer: integer) a command that writes what is modified was typed in this buffer, and runs next
---@field vain fun(buffer: integer) a key for saving was typed in this buffer, and wrote nothing

local listeners = {} ---@type table<string, claudecode.diff.IntentListeners>

---@param event "modest"|"vain"
local function tell(event, buffer)
  for _, listener in pairs(listeners) do
    listener[event](buffer)
  end
end

local function is_watched(buffer)
  for _, listener in pairs(listeners) do
    if listener.is_proposal(buffer) then
      return true
    end
  end
end

local function on_command_line()
  commands = vim.v.event.abort and {} or parse(vim.fn.getcmdline(), {})
  acts_in = vim.api.nvim_get_current_buf()
  if has_any(modest) then
    tell("modest", acts_in)
  end
end

local function on_key(key, typed)
  if typed and typed ~= "" then
    acts, acts_in = true, vim.api.nvim_get_current_buf()
    mapped, hopes_in = nil, nil
    if key ~= typed and is_watched(acts_in) then
      on_mapped_key(typed, acts_in)
    end
  end
  if mapped and key == cmd_key then
    commands = mapped
    if has_any(modest) then
      tell("modest", acts_in)
    end
  end
end

---Begins to watch what the user types.
---@param owner string who wants to know
---@param listener claudecode.diff.IntentListeners
function M.watch(owner, listener)
  listeners[owner] = listener
  if group then
    return
  end
  group = vim.api.nvim_create_augroup("ClaudeCodeIntent", {})
  vim.on_key(function(key, typed)
    on_key(key, typed)
  end, namespace)
  vim.api.nvim_create_autocmd("SafeState", {
    group = group,
    callback = function()
      acts, commands, mapped = false, {}, nil
      if hopes_in then
        tell("vain", hopes_in)
        hopes_in = nil
      end
    end,
  })
  vim.api.nvim_create_autocmd("CmdwinLeave", {
    group = group,
    pattern = ":",
    callback = function()
      acts = true -- a SafeState comes between the <CR> and the command
    end,
  })
  vim.api.nvim_create_autocmd("CmdlineLeave", {
    group = group,
    pattern = ":",
    callback = function()
      on_command_line()
    end,
  })
end

---Stops watching.
---@param owner string
function M.unwatch(owner)
  listeners[owner] = nil
  if group and not next(listeners) then
    vim.on_key(nil, namespace)
    vim.api.nvim_del_augroup_by_id(group)
    group = nil
  end
end

---Whether the write of a buffer that is going on is one that the user has asked for, in that buffer. To be called in
---its BufWriteCmd.
---@param buffer integer
---@return boolean
function M.is_users(buffer)
  hopes_in = nil
  local mode = vim.api.nvim_get_mode().mode
  local is_waiting = mode:match("^c") ~= nil or mode:match("^no") ~= nil -- a timer, while the user has not finished
  local _, running = vim.fn.expand("<stack>"):gsub("Autocommands for ", "")
  return acts and acts_in == buffer and not is_waiting and running == 1 and not has_any(sweeping)
end

return M
