-- :ClaudeCodeSend, :ClaudeCodeAsk and :ClaudeCodeTreeAdd: what is selected, or the rows of a range, as mentions.
local M = {}

local function warn(text)
  require("claudecode.notice").show("warn", text)
end

---@return string? path
---@return string? reason why the buffer can't be mentioned
local function file_of(buffer)
  if not require("claudecode.editor.selection.files").is_file(buffer) then
    return nil, "this buffer is not a file"
  end
  local path = vim.api.nvim_buf_get_name(buffer)
  if not vim.uv.fs_stat(path) then
    return nil, "this file was never written, so Claude could not read it; write it first"
  end
  return path
end

---Sends what a file explorer shows in the rows, or under the cursor.
local function send_shown(buffer, first, last, context)
  local paths, reason = require("claudecode.explorers").files(buffer, first, last)
  if paths then
    require("claudecode.commands.files").send(paths, context)
  else
    warn("nothing was sent: " .. reason)
  end
end

---The rows that were selected last, while the cursor is still where it was then.
---@return integer? first
---@return integer? last
local function just_selected()
  local first, last, cursor = vim.fn.getpos("'<"), vim.fn.getpos("'>"), vim.fn.getpos(".")
  if first[2] == 0 then
    return nil
  end
  local function is_at(mark)
    local line_end = math.max(1, vim.fn.col({ mark[2], "$" }) - 1)
    local column_counts = vim.fn.visualmode() == "v"
    return cursor[2] == mark[2] and (not column_counts or cursor[3] == math.min(mark[3], line_end))
  end
  if is_at(first) or is_at(last) then
    return first[2], last[2]
  end
end

---@param call {range: integer, line1: integer, line2: integer}
function M.run(call)
  local mention = require("claudecode.commands.mention")
  local first, last = require("claudecode.commands.rows").take(call)
  local buffer = vim.api.nvim_get_current_buf()
  if require("claudecode.explorers").is_explorer(buffer) then
    return send_shown(buffer, first, last, "ClaudeCodeSend")
  end
  local path, reason = file_of(buffer)
  if not path then
    return warn("nothing was sent: " .. reason)
  elseif not first then
    first, last = just_selected()
  end
  if not first then
    return warn("nothing is selected here: select lines, or give a range, such as :.ClaudeCodeSend")
  end
  mention.send({ mention.of(path, first - 1, last - 1) }, "ClaudeCodeSend")
end

---Asks about the rows of the range or of Visual mode. Without them, or in a buffer that is no file, the question goes with
---what was sent before it, and with the selection that Claude sees anyway.
---@param call {args: string, range: integer, line1: integer, line2: integer}
function M.ask(call)
  local first, last = require("claudecode.commands.rows").take(call)
  local path = file_of(vim.api.nvim_get_current_buf())
  local about = {}
  if path and first then
    about[1] = require("claudecode.commands.mention").of(path, first - 1, last - 1)
  end
  require("claudecode.commands.mention").send(about, "ClaudeCodeAsk", call.args)
end

---Mentions what a file explorer shows in the rows of the range or of Visual mode, with its marks, or under the cursor.
---@param call {range: integer, line1: integer, line2: integer}
function M.tree_add(call)
  local first, last = require("claudecode.commands.rows").take(call)
  local buffer = vim.api.nvim_get_current_buf()
  if not require("claudecode.explorers").is_explorer(buffer) then
    return warn(("nothing was sent: no file explorer that is known (its 'filetype' is \"%s\")"):format(vim.bo.filetype))
  end
  send_shown(buffer, first, last, "ClaudeCodeTreeAdd")
end

---The whole file of the buffer, or what a file explorer shows under the cursor.
---@param context string
function M.send_buffer(context)
  local buffer = vim.api.nvim_get_current_buf()
  if require("claudecode.explorers").is_explorer(buffer) then
    return send_shown(buffer, nil, nil, context)
  end
  local path, reason = file_of(buffer)
  if not path then
    return warn("nothing was sent: " .. reason)
  end
  require("claudecode.commands.files").send({ path }, context)
end

return M
