-- Diffs of Claude's proposals: what the host asks for, and what the user's commands do.
local life = require("claudecode.editor.diff.life")
local moment = require("claudecode.editor.diff.moment")
local originals = require("claudecode.editor.diff.original")
local proposals = require("claudecode.editor.diff.proposal")
local registry = require("claudecode.editor.diff.registry")
local views = require("claudecode.editor.diff.view")
local unsaved = require("claudecode.editor.diff.unsaved")
local writing = require("claudecode.editor.diff.writing")

local M = {}

local function tell(level, text)
  require("claudecode.notice").show(level, text)
end

---Finds the diff that the user means: the one of this buffer, the one in this tab page, or the one that they choose.
---@param question string
---@param act fun(diff: claudecode.diff.Diff)
function M.with_meant(question, act)
  local here = registry.of_buffer(vim.api.nvim_get_current_buf())
  if here then
    act(here)
    return
  end
  local pending = registry.pending_here()
  if #pending == 1 then
    act(pending[1])
    return
  end
  pending = #pending > 0 and pending or registry.pending()
  if #pending == 0 then
    tell("warn", "there is no proposal of Claude's to review")
    return
  end
  vim.ui.select(pending, {
    prompt = question,
    format_item = function(diff)
      local whose = require("claudecode.terminal.sessions").needed_name(diff.session)
      return vim.fn.fnamemodify(diff.new_file_path, ":~:.") .. (whose and ("  (%s)"):format(whose) or "")
    end,
  }, function(diff)
    if diff then
      act(diff)
    end
  end)
end

---Whether it is still the user's to decide; else they are told.
---@param diff claudecode.diff.Diff
---@return boolean
function M.is_undecided(diff)
  if registry.get(diff.id) == diff and diff.state == "pending" then
    return true
  end
  tell("info", ("the proposal for %s is %s already"):format(life.label(diff), diff.state))
  return false
end

---Accepts the proposal that the user means (:ClaudeCodeDiffAccept).
function M.accept()
  M.with_meant("Accept which proposal?", function(diff)
    if M.is_undecided(diff) then
      life.accept(diff)
    end
  end)
end

---Rejects the proposal that the user means (:ClaudeCodeDiffDeny).
---@param why string? for Claude
function M.deny(why)
  M.with_meant("Reject which proposal?", function(diff)
    if M.is_undecided(diff) then
      life.reject(diff, "rejected by the user", { why = why })
    end
  end)
end

---@return string? name of the Claude that proposes, when it was started in Neovim
local function session_name(args)
  local session = args.display.session and require("claudecode.terminal.sessions").get(args.display.session)
  return session and session.name
end

local function proposal_name(args, is_new)
  local whose = require("claudecode.terminal.sessions").needed_name(session_name(args))
  return ("%s (%sproposed%s)"):format(args.tab_name, is_new and "NEW FILE - " or "", whose and " by " .. whose or "")
end

local waiting ---@type string? id of the diff that the user was told of last

---The user sees that Claude waits for them. Not while they type a command, which the notice would be written over.
local function tell_that_it_waits(args)
  if waiting ~= args.id and vim.api.nvim_get_mode().mode:match("^[iRvVsS\22\19]") then
    waiting = args.id
    local name = vim.fs.basename(args.new_file_path)
    local who = require("claudecode.terminal.sessions").label(session_name(args))
    tell("info", ("%s proposes a change of %s, which opens when you are back in Normal mode"):format(who, name))
  end
end

---@param args {id: string, tab_name: string, old_file_path: string, new_file_path: string, proposal: string, snapshot: string, fileformats: string, display: claudecode.diff.Display}
---@return "opened"|"later"|nil
---@return string? refusal
local function open(args)
  if not moment.is_right() then
    tell_that_it_waits(args)
    moment.wait(function()
      require("claudecode.host").notify("diffMoment", {})
    end)
    return "later"
  end
  local is_settled, objection = unsaved.settle(args)
  if not is_settled then
    return not objection and "later" or nil, objection
  end
  local original, refusal = originals.find(args.old_file_path)
  if refusal then
    return nil, refusal
  end
  local is_new = vim.fn.filereadable(args.old_file_path) == 0
  local buffer
  buffer, refusal = proposals.create({
    file = args.proposal,
    fileformats = args.fileformats,
    name = proposal_name(args, is_new),
    path = args.new_file_path,
    original = original and original.was_loaded and original.buffer or nil,
  })
  if not buffer then
    return nil, refusal
  end
  args.display.path, args.display.proposal = args.new_file_path, args.proposal
  local view, problem = views.open(buffer, original, args.display)
  if not view then
    vim.api.nvim_buf_delete(buffer, { force = true })
    if problem:find("E36", 1, true) then
      return nil, "Neovim has no room for its windows"
    end
    error(problem, 0)
  end
  local diff = {
    id = args.id,
    tab_name = args.tab_name,
    session = session_name(args),
    state = "pending",
    buffer = buffer,
    name = vim.api.nvim_buf_get_name(buffer),
    old_file_path = args.old_file_path,
    new_file_path = args.new_file_path,
    is_new_file = is_new,
    proposal = args.proposal,
    snapshot = args.snapshot,
    format = proposals.format(buffer),
    view = view,
  }
  writing.follow(diff)
  writing.map(diff)
  life.begin(diff)
  require("claudecode.editor.diff.hunk_status").begin(diff)
  return "opened"
end

M.rpc = {
  ---A name for a private folder. Neovim removes what is left there when it ends.
  folder = function()
    return vim.fn.tempname()
  end,

  open = open,

  ---Closes a diff, if it is in that state; a pending one is rejected by that.
  ---@param args {id: string, state: claudecode.diff.State, reason: string}
  ---@return claudecode.diff.State|"gone" state that it was in
  close = function(args)
    local diff = registry.get(args.id)
    if not diff then
      return "gone"
    end
    local state = diff.state
    if state == args.state then
      registry.set_state(diff, state == "pending" and "rejected" or state)
      life.close(diff, args.reason)
    end
    return state
  end,

  ---The file holds what was accepted.
  ---@param args {id: string}
  written = function(args)
    local diff = registry.get(args.id)
    if diff then
      diff.is_written = true
    end
    require("claudecode.editor.diff.afterwards").note(args.id, "is_written")
    return true
  end,

  ---A new host takes over: what is pending belongs to nobody and is closed as rejected, what is accepted is kept.
  adopt = function()
    local kept = {}
    for _, diff in ipairs(registry.all()) do
      if diff.state == "accepted" then
        kept[#kept + 1] = {
          id = diff.id,
          tab_name = diff.tab_name,
          old_file_path = diff.old_file_path,
          new_file_path = diff.new_file_path,
          snapshot = diff.snapshot,
          is_written = diff.is_written == true,
        }
      else
        life.close(diff, "Claude is gone")
        vim.fn.delete(vim.fs.dirname(diff.proposal), "rf")
      end
    end
    return kept
  end,
}

return M
