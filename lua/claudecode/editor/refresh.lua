-- Files that Claude writes without a diff: while one is connected, their buffers are read again a moment later. Neovim
-- by itself looks only when the user comes back from another program, and Claude runs in a window of its own.
local stamps = require("claudecode.editor.stamps")

local M = {}

local look_every_ms = 1000
local settled_after_s = 3 -- before the user is told of a conflict: after a diff they are told by who knows more of it

local timer ---@type uv.uv_timer_t?
local seen = {} ---@type table<integer, string> the time of a buffer's file for which there is nothing left to do

---Who has a diff of the file is told by that.
local function has_diff(name)
  for _, diff in ipairs(require("claudecode.editor.diff.registry").all()) do
    if diff.old_file_path == name or diff.new_file_path == name then
      return true
    end
  end
  return false
end

---Whether the user is in the middle of something that a change of this buffer would disturb.
local function is_busy(buffer)
  return vim.fn.getcmdwintype() ~= ""
    or (buffer == vim.api.nvim_get_current_buf() and not vim.api.nvim_get_mode().mode:match("^[nt]"))
end

---Whether 'autoread' holds for the buffer.
local function wants_reading(buffer)
  local own = vim.bo[buffer].autoread
  if type(own) == "boolean" then
    return own
  end
  return vim.go.autoread
end

---@param buffer integer
---@param written integer when its file was written, in seconds
---@return boolean done else it is looked at again
local function look_after(buffer, written)
  if stamps.state(buffer) ~= "changed" then
    return true
  end
  local name = vim.api.nvim_buf_get_name(buffer)
  if is_busy(buffer) or has_diff(name) then
    return false
  end
  if not vim.bo[buffer].modified then
    if wants_reading(buffer) and pcall(require("claudecode.editor.buffers").reload, buffer) then
      stamps.mark(buffer)
    end
    return true
  end
  if os.time() - written < settled_after_s then
    return false
  end
  local text =
    "%s has changed on disk, but its buffer has unsaved changes, so it stays as it is; :edit! would show the file"
  require("claudecode.notice").show("warn", text:format(vim.fs.basename(name)))
  return true
end

---The disk is asked in the background: it may be slow.
local function look_at(buffer)
  vim.uv.fs_stat(vim.api.nvim_buf_get_name(buffer), function(_, stat)
    local time = stamps.time_in(stat)
    if not time or time == seen[buffer] then
      return
    end
    vim.schedule(function()
      if time ~= seen[buffer] and vim.api.nvim_buf_is_loaded(buffer) and look_after(buffer, stat.mtime.sec) then
        seen[buffer] = time
      end
    end)
  end)
end

local function look()
  local is_document = require("claudecode.editor.documents").is_document
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and is_document(buffer) then
      look_at(buffer)
    end
  end
end

---The user has been told that this buffer and its file differ.
---@param buffer integer
function M.told(buffer)
  seen[buffer] = stamps.time_in(vim.uv.fs_stat(vim.api.nvim_buf_get_name(buffer)))
end

local function adjust()
  local is_wanted = require("claudecode.status").get().clients > 0
  if is_wanted and not timer then
    timer = assert(vim.uv.new_timer())
    timer:start(look_every_ms, look_every_ms, vim.schedule_wrap(look))
  elseif timer and not is_wanted then
    timer:close()
    timer = nil
  end
end

---Looks after the user's files whenever a Claude is connected.
function M.watch()
  local group = vim.api.nvim_create_augroup("ClaudeCodeRefresh", {})
  vim.api.nvim_create_autocmd("User", {
    group = group,
    pattern = { "ClaudeCodeConnected", "ClaudeCodeDisconnected", "ClaudeCodeStopped" },
    callback = adjust,
  })
  vim.api.nvim_create_autocmd("BufWipeout", {
    group = group,
    callback = function(args)
      seen[args.buf] = nil
    end,
  })
  adjust()
end

return M
