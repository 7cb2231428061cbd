-- What Claude must not see, as far as the editor decides it: flags of buffers, the user's function, :ClaudeCodeTrack.
-- The patterns are the host's (src/privacy/privacy.ts); here is remembered what it has said of them.
local M = {}

local wanted ---@type "on"|"off"|nil what the user has said with :ClaudeCodeTrack
local concealed = {} ---@type table<string, true> names that the host's patterns hide
local asked = {} ---@type table<integer, {name: string, filetype: string, is_private: boolean}> what the function has said
local watched = {} ---@type table<integer, true>
local has_failed = false

---@return boolean paused nothing at all is shown
function M.is_paused()
  return wanted == "off"
end

---@return boolean tracking the selection is told as it changes
function M.is_tracking()
  if wanted then
    return wanted == "on"
  end
  return require("claudecode.config").get("track_selection", "boolean") ~= false
end

---@return "on"|"off"|nil
function M.wanted()
  return wanted
end

local function ask_function(fn, path, buffer)
  local done, result = pcall(fn, path, buffer)
  if done then
    return result and true or false
  end
  if not has_failed then
    has_failed = true
    local text = "privacy.ignore_function fails, so files are private: " .. tostring(result)
    require("claudecode.notice").show("error", text)
  end
  return true
end

---@return function? ignore_function what is not callable costs a warning of the host's
local function users_function()
  local options = require("claudecode.config").get("privacy", "table")
  local fn = options and options.ignore_function
  return fn and vim.is_callable(fn) and fn or nil
end

---What the user's function says of a file, by both of its names.
---@param path string
---@param buffer integer?
---@return boolean
local function function_says(path, buffer)
  local fn = users_function()
  if not fn then
    return false
  end
  local real = vim.uv.fs_realpath(path)
  return ask_function(fn, path, buffer) or (real ~= nil and real ~= path and ask_function(fn, real, buffer))
end

---@return boolean flagged `b:claudecode_private` is set, in Lua's way or in Vim's
local function is_flagged(buffer)
  local flag = vim.fn.getbufvar(buffer, "claudecode_private", false)
  return flag ~= false and flag ~= 0 and flag ~= vim.NIL
end

---By flag or function.
local function is_private(buffer)
  if is_flagged(buffer) then
    return true
  end
  if not users_function() then
    return false
  end
  local name = vim.api.nvim_buf_get_name(buffer)
  local filetype = vim.bo[buffer].filetype
  local answer = asked[buffer]
  if not answer or answer.name ~= name or answer.filetype ~= filetype then
    answer = { name = name, filetype = filetype, is_private = function_says(name, buffer) }
    asked[buffer] = answer
  end
  return answer.is_private
end

---Whether Claude is told nothing of a buffer, as far as is known here.
---@param buffer integer
---@return boolean
function M.is_hidden(buffer)
  return M.is_paused()
    or not vim.api.nvim_buf_is_valid(buffer)
    or concealed[vim.api.nvim_buf_get_name(buffer)] ~= nil
    or is_private(buffer)
end

---Whether the buffer's flag or the user's function make a file private, also one that is not open.
---@param path string absolute
---@return boolean
function M.is_path_private(path)
  local real = vim.uv.fs_realpath(path)
  local own ---@type integer?
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(buffer)
    own = name == path and buffer or own
    if is_flagged(buffer) and (name == path or (real and vim.uv.fs_realpath(name) == real)) then
      return true
    end
  end
  return function_says(path, own)
end

local function look_again()
  local tracking = package.loaded["claudecode.editor.selection.tracking"]
  if tracking then
    tracking.look_again()
  end
end

---Called when `b:claudecode_private` has changed.
---@param buffer integer
function M.on_flag(buffer)
  if vim.api.nvim_buf_is_valid(buffer) and is_flagged(buffer) then
    local tracking = package.loaded["claudecode.editor.selection.tracking"]
    if tracking then
      tracking.forget(buffer)
    end
    require("claudecode.host").notify("hidden", { buffer = buffer, is_current = false })
  end
  vim.schedule(look_again) -- Neovim calls this before it deletes a variable
end

---No autocommand tells of variables, but |dictwatcheradd()| does.
local function watch_flag(buffer)
  if not watched[buffer] and vim.api.nvim_buf_is_valid(buffer) then
    watched[buffer] = true
    local call = ("require('claudecode.editor.privacy').on_flag(%d)"):format(buffer)
    vim.cmd(([[call dictwatcheradd(getbufvar(%d, ''), 'claudecode_private', {-> luaeval("%s")})]]):format(buffer, call))
  end
end

---Begins to watch the flags of buffers, and to ask the function again where its answer may be another.
function M.watch()
  local group = vim.api.nvim_create_augroup("ClaudeCodePrivacy", {})
  vim.api.nvim_create_autocmd({ "BufNew", "BufAdd", "BufReadPost" }, {
    group = group,
    callback = function(args)
      watch_flag(args.buf)
    end,
  })
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufWritePost", "BufWipeout" }, {
    group = group,
    callback = function(args)
      asked[args.buf] = nil
      if args.event == "BufWipeout" then
        watched[args.buf] = nil
      end
    end,
  })
  vim.tbl_map(watch_flag, vim.api.nvim_list_bufs())
end

---Forgets what was found out under other rules.
function M.reset()
  concealed, asked = {}, {}
end

---The user has given options: a function that fails is told of again.
function M.configure()
  M.reset()
  has_failed = false
end

---@param state "on"|"off"
function M.set_wanted(state)
  wanted = state
  local tracking = package.loaded["claudecode.editor.selection.tracking"]
  if state == "off" and tracking then
    tracking.stop()
  end
  M.tell()
  require("claudecode.status").redraw()
end

---Tells the host what the user wants.
function M.tell()
  if wanted then
    require("claudecode.host").notify("track", { wanted = wanted })
  end
end

M.rpc = {
  ---The rules are others now.
  reset = function()
    M.reset()
    look_again()
    return true
  end,

  ---A pattern hides this file.
  ---@param args {name: string}
  conceal = function(args)
    concealed[args.name] = true
    look_again()
    return true
  end,
}

return M
