-- The life of a diff in the editor: it opens, is accepted or rejected, and closes. Who may do what the host decides.
local afterwards = require("claudecode.editor.diff.afterwards")
local announce = require("claudecode.announce")
local edits = require("claudecode.editor.diff.edits")
local intent = require("claudecode.editor.diff.intent")
local proposals = require("claudecode.editor.diff.proposal")
local registry = require("claudecode.editor.diff.registry")
local reviews = require("claudecode.editor.diff.hunks.review")
local views = require("claudecode.editor.diff.view")

local M = {}

M.how_to_accept = ":w typed in it or :ClaudeCodeDiffAccept accepts it"

local function tell(level, text)
  require("claudecode.notice").show(level, text)
end

local function unasked()
  return require("claudecode.editor.diff.unasked") -- loads what needs this file
end

---@param diff claudecode.diff.Diff
---@return string label file name, for a notice
function M.label(diff)
  return vim.fs.basename(diff.new_file_path)
end

---Where the user does not see it, they are told.
local function tell_where(diff)
  local tab = vim.api.nvim_win_get_tabpage(diff.view.win)
  if tab ~= vim.api.nvim_get_current_tabpage() then
    local page = vim.api.nvim_tabpage_get_number(tab)
    local who = require("claudecode.terminal.sessions").label(diff.session)
    tell("info", ("%s proposes a change of %s, in tab page %d"):format(who, M.label(diff), page))
  end
end

local function announce_opened(diff)
  local view = diff.view
  local tab = vim.api.nvim_win_get_tabpage(view.win)
  announce.send("ClaudeCodeDiffOpened", {
    tab_name = diff.tab_name,
    file_path = diff.old_file_path,
    new_file_path = diff.new_file_path,
    is_new_file = diff.is_new_file,
    session = diff.session,
    diff_window = view.win,
    target_window = view.left,
    terminal_window = require("claudecode.editor.diff.beside").window(tab),
    tab_number = view.tab,
  })
end

local function pending_in(buffer)
  local diff = registry.of_buffer(buffer)
  return diff and diff.state == "pending" and diff or nil
end

local function watch_or_not()
  if #registry.pending() == 0 then
    intent.unwatch("diff")
    return
  end
  intent.watch("diff", {
    is_proposal = function(buffer)
      return pending_in(buffer) ~= nil
    end,
    modest = function(buffer)
      if pending_in(buffer) then
        vim.bo[buffer].modified = true
      end
    end,
    vain = function(buffer)
      local diff = pending_in(buffer)
      if diff and not diff.has_refused then
        diff.has_refused = true
        tell("warn", "nothing was written, so nothing is accepted: " .. M.how_to_accept)
      end
    end,
  })
end

---The proposal is there and shown: from now on it can be decided.
---@param diff claudecode.diff.Diff
function M.begin(diff)
  edits.begin(diff)
  registry.add(diff)
  unasked().begin(diff.new_file_path)
  watch_or_not()
  tell_where(diff)
  announce_opened(diff)
end

---Closes the windows and forgets the diff. Not to be called in an autocommand of its buffer or window.
---@param diff claudecode.diff.Diff
---@param reason string
---@param notice string? for the user; the fate of their changes is added
function M.close(diff, reason, notice)
  local kept = edits.keep(diff)
  registry.remove(diff)
  unasked().end_soon(diff.new_file_path)
  watch_or_not()
  vim.api.nvim_del_augroup_by_id(diff.group)
  if diff.view then
    views.close(diff.view)
  end
  if vim.api.nvim_buf_is_valid(diff.buffer) then
    vim.api.nvim_buf_delete(diff.buffer, { force = true })
  end
  afterwards.note(diff.id, "is_closed")
  if kept then
    notice = notice or ("the proposal for %s has ended"):format(M.label(diff))
  end
  if notice then
    tell("info", kept and ("%s; %s"):format(notice, kept) or notice)
  end
  announce.send("ClaudeCodeDiffClosed", { tab_name = diff.tab_name, file_path = diff.old_file_path, reason = reason })
end

---Takes the text as it is now. It is on disk before the host is told, so that it outlives both.
---@param diff claudecode.diff.Diff
function M.accept(diff)
  reviews.settle(diff.buffer)
  local done, problem = pcall(proposals.write, diff.buffer, diff.snapshot)
  if not done then
    tell("error", ("the proposal for %s could not be accepted: %s"):format(M.label(diff), tostring(problem)))
    return
  end
  require("claudecode.editor.diff.rescued").hold(diff)
  afterwards.begin(diff)
  registry.set_state(diff, "accepted")
  vim.bo[diff.buffer].modified = false
  vim.bo[diff.buffer].modifiable = false
  watch_or_not()
  vim.schedule(function() -- a write is going on
    if registry.get(diff.id) == diff and diff.view then
      views.end_comparison(diff.view)
    end
  end)
  require("claudecode.host").notify("diffAccepted", { id = diff.id })
  if require("claudecode.host").phase() ~= "ready" then
    tell("warn", "accepted, but Claude is not connected: :ClaudeCodeCloseAllDiffs puts the text into the file's buffer")
  end
end

---Rejects a pending diff and closes it. Not to be called in an autocommand of its buffer or window.
---@param diff claudecode.diff.Diff
---@param reason string
---@param options {why: string?, notice: string?}? why: what the user has to say about it to Claude
function M.reject(diff, reason, options)
  local why, notice = options and options.why, options and options.notice
  edits.keep(diff)
  registry.set_state(diff, "rejected")
  require("claudecode.host").notify("diffRejected", { id = diff.id, reason = reason, why = why ~= "" and why or nil })
  M.close(diff, reason, notice)
end

---The final line break is another one, or other options of the text.
---@param diff claudecode.diff.Diff
function M.refresh(diff)
  local review = reviews.get(diff.buffer)
  if review then
    reviews.refresh(review)
  end
end

---A buffer has been read again while diffs are open: what they will give back is at other lines now.
---@param buffer integer
---@param follow fun(line: integer): integer
function M.follow_lines(buffer, follow)
  for _, diff in ipairs(registry.all()) do
    if diff.view then
      views.follow_lines(diff.view, buffer, follow)
    end
  end
end

---The user may have closed the last window of the diff, or unloaded its buffer.
---@param diff claudecode.diff.Diff
function M.look_after(diff)
  if registry.get(diff.id) ~= diff then
    return
  end
  local is_loaded = vim.api.nvim_buf_is_loaded(diff.buffer)
  if is_loaded and (not diff.view or views.is_open(diff.view)) then
    return
  end
  if diff.state == "pending" then
    M.reject(diff, "closed by the user", { notice = ("closed: the proposal for %s is rejected"):format(M.label(diff)) })
  elseif diff.view then
    -- An accepted text outlives its windows, and also its buffer: it is in the snapshot.
    local view = diff.view
    diff.view = nil
    views.close(view)
  end
end

return M
