-- What happens at a write, a reload and a close of a proposal's buffer.
local diff_mode = require("claudecode.editor.diff.diff_mode")
local intent = require("claudecode.editor.diff.intent")
local leaving = require("claudecode.editor.diff.leaving")
local life = require("claudecode.editor.diff.life")
local proposals = require("claudecode.editor.diff.proposal")

local M = {}

local function tell(level, text)
  require("claudecode.notice").show(level, text)
end

---`:w other.txt` in a proposal: a copy of it, as from any other buffer. `:saveas` has renamed the buffer before.
local function write_copy(diff, event)
  local range = ("%d,%d"):format(vim.fn.line("'["), vim.fn.line("']"))
  local bang = vim.v.cmdbang == 1 and "!" or ""
  if vim.api.nvim_buf_get_name(diff.buffer) ~= diff.name then
    proposals.name_again(diff.buffer, diff.name)
  end
  vim.cmd(("noautocmd keepalt %swrite%s %s %s"):format(range, bang, vim.v.cmdarg, vim.fn.fnameescape(event.match)))
end

local function is_whole()
  return vim.fn.line("'[") == 1 and vim.fn.line("']") == vim.fn.line("$")
end

local function on_write(diff, event)
  local label = life.label(diff)
  if event.match ~= diff.name then
    write_copy(diff, event)
  elseif diff.state ~= "pending" then
    if diff.is_stuck then
      return -- still modified: so that :wqa does not go on
    end
    vim.bo[diff.buffer].modified = false
    tell("info", ("the proposal for %s is accepted already; nothing is sent again"):format(label))
  elseif not intent.is_users(diff.buffer) then
    vim.bo[diff.buffer].modified = false -- else an auto-save tries again at once, for ever
    if not diff.has_refused then
      diff.has_refused = true
      tell("warn", ("a write that you did not type is not an answer to Claude: %s"):format(life.how_to_accept))
    end
  elseif not is_whole() then
    tell("warn", ("a part of the proposal for %s can't be accepted by itself: %s"):format(label, life.how_to_accept))
  else
    life.accept(diff)
  end
end

local function on_closed(diff, event)
  local win = tonumber(event.match)
  local view = diff.view
  if not view then
    return
  end
  if win == view.left then
    diff_mode.leave(win) -- else the file would come back in diff mode wherever it is shown next
  elseif win == vim.api.nvim_get_current_win() and vim.api.nvim_win_get_buf(win) == diff.buffer then
    view.had_focus = true
  end
end

---Follows the buffer until the diff is closed. No callback returns true: that would remove it (:help autocmd-callback).
---@param diff claudecode.diff.Diff
function M.follow(diff)
  local look_after = vim.schedule_wrap(function()
    life.look_after(diff)
  end)
  diff.group = vim.api.nvim_create_augroup("ClaudeCodeDiff" .. diff.buffer, {})
  local function on(events, run, for_all)
    vim.api.nvim_create_autocmd(events, {
      group = diff.group,
      buffer = not for_all and diff.buffer or nil,
      callback = function(event)
        run(event)
      end,
    })
  end
  on("BufWriteCmd", function(event)
    on_write(diff, event)
  end)
  on("BufReadCmd", function()
    proposals.reread(diff.buffer, diff.proposal, diff.format)
  end)
  -- Never modified, so that :qa has nothing to ask, and :wall, 'autowrite' and :update nothing to write.
  on("BufModifiedSet", function()
    vim.bo[diff.buffer].modified = false
  end)
  -- Of these Neovim says nothing but that the buffer is modified.
  vim.api.nvim_create_autocmd("OptionSet", {
    group = diff.group,
    pattern = { "endofline", "endoffile", "fileformat", "fileencoding", "bomb" },
    callback = function()
      if vim.api.nvim_get_current_buf() == diff.buffer then
        vim.bo[diff.buffer].modified = false
        life.refresh(diff)
      end
    end,
  })
  on("ExitPre", function()
    leaving.keep(diff)
  end, true)
  on({ "BufUnload", "BufWinLeave" }, look_after)
  on("WinClosed", function(event)
    on_closed(diff, event)
    look_after()
  end, true)
end

---ZZ is :x, and :x writes only what is modified.
---@param diff claudecode.diff.Diff
function M.map(diff)
  vim.keymap.set("n", "ZZ", function()
    vim.bo[diff.buffer].modified = diff.state == "pending"
    vim.cmd.xit()
  end, { buffer = diff.buffer, desc = "Accept Claude's proposal and close it" })
end

return M
