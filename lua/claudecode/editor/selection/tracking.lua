-- Watches the selection and tells the host: the first change at once, then no more often than the pace allows.
local facts = require("claudecode.editor.selection.facts")
local files = require("claudecode.editor.selection.files")
local kept = require("claudecode.editor.selection.kept")
local privacy = require("claudecode.editor.privacy")
local status = require("claudecode.status")
local timing = require("claudecode.editor.selection.timing")

local M = {}

---@class claudecode.SelectionPace
---@field interval_ms integer the least time between two notifications
---@field longest_interval_ms integer long texts cost more, so the time grows with them, up to this
---@field inline_limit integer bytes; a longer text does not travel with the notification, the host fetches it
---@field demotion_delay_ms integer how long a selection outlives the first move of the cursor after it

local pace ---@type claudecode.SelectionPace? nil while nothing is tracked
local group = "ClaudeCodeSelection"
local events = { "CursorMoved", "CursorMovedI", "BufEnter", "WinEnter", "TextChanged", "TextChangedI", "BufFilePost" }

local sent ---@type claudecode.SelectionFacts? what the host knows, without text
local unsent ---@type claudecode.SelectionFacts? a selection that was dropped before its turn came
local hidden_in ---@type integer? the private buffer that the user is in, as the host knows
local is_demotion_due = false -- the cursor has moved away from what was selected, and was given time to come back
local turns, demotion -- timers

---A fault of ours must not come back with every key: it is told once, and tracking ends.
local function guarded(run)
  return function(...)
    if not pace then
      return
    end
    local done, result = xpcall(run, debug.traceback, ...)
    if done then
      return result
    end
    M.stop()
    require("claudecode.log").add(result)
    require("claudecode.notice").show("error", "the selection is tracked no more; :ClaudeCodeLog has the details")
  end
end

---@return integer pause ms
local function tell(described)
  require("claudecode.host").notify("selection", described)
  sent, unsent, hidden_in = described, nil, nil
  status.see(described)
  sent.text = nil
  local weight = math.max(1, described.size / pace.inline_limit)
  return math.min(math.ceil(pace.interval_ms * weight), pace.longest_interval_ms)
end

local function tell_if_news(described, limit)
  if not facts.same(described, sent) then
    return tell(facts.add_text(described, limit))
  end
end

---Nothing of a buffer is told any more, nor does what was told count: it is gone, or private.
---@param buffer integer
function M.forget(buffer)
  kept.forget(buffer)
  if unsent and unsent.buffer == buffer then
    unsent = nil
  end
  if sent and sent.buffer == buffer then
    sent = nil
    status.see(nil)
    demotion.stop()
  end
end

---The user has come to a private buffer, or theirs has become one: Claude sees nothing, and not what was before either.
local function hide(buffer)
  if hidden_in ~= buffer then
    M.forget(buffer)
    sent, unsent, hidden_in = nil, nil, buffer
    kept.let_go()
    demotion.stop()
    status.see("private")
    require("claudecode.host").notify("hidden", { buffer = buffer, is_current = true })
  end
end

---Tells the host what is selected now, if that is news.
---@return integer? pause ms, when something was told
local function tell_now()
  local is_due = is_demotion_due
  is_demotion_due = false
  unsent = unsent and not privacy.is_hidden(unsent.buffer) and unsent or nil
  if unsent then
    local pause = tell(unsent)
    turns.now_or_soon() -- the cursor may have moved since
    return pause
  end
  local buffer = vim.api.nvim_get_current_buf()
  if not files.is_file(buffer) then
    return
  elseif privacy.is_hidden(buffer) then
    return hide(buffer)
  end
  local mode = vim.fn.mode()
  local kind = facts.kind(mode)
  if kind then
    kept.let_go()
    demotion.stop()
    return tell_if_news(facts.selected(kind), pace.inline_limit)
  end
  if kept.counts(buffer) or (kept.is_visual() and mode == "c") then
    return -- a selection that still counts, or a search typed in Visual mode
  end
  kept.let_go()
  kept.leave_visual()
  if sent and sent.kind ~= "none" and sent.buffer == buffer and not is_due then
    demotion.start(pace.demotion_delay_ms)
    return
  end
  demotion.stop()
  return tell_if_news(facts.cursor(), 0)
end

---Whoever went to a terminal in the meantime still means what was selected: the next turn sees where the user is.
local function demote()
  is_demotion_due = true
  turns.now_or_soon()
end

---Moving in a terminal costs nothing, and nothing is watched for nobody.
local function is_idle()
  return vim.bo.buftype == "terminal" or require("claudecode.host").phase() == "stopped"
end

-- When another buffer becomes current, or gets a name: plugins do that first, and say what it is ('buftype') right after.
local is_in_the_making = { BufEnter = true, BufFilePost = true }

---@param event {event: string}
local function on_event(event)
  if is_idle() then
    return
  end
  if kept.is_visual() or not turns.is_pausing() then
    kept.see_visual()
  end
  if is_in_the_making[event.event] then
    vim.schedule(guarded(M.look_again))
  else
    turns.now_or_soon()
  end
end

local function on_mode_changed()
  if is_idle() then
    return
  end
  local mode = vim.fn.mode()
  if facts.kind(mode) then
    kept.see_visual()
  elseif kept.is_visual() and mode ~= "c" then -- "c" is a search in Visual mode
    local dropped = kept.end_visual()
    if dropped and not facts.same(dropped, sent) then
      unsent = facts.add_text(dropped, pace.inline_limit) -- it is told even if there was no time for it yet
    end
  end
  turns.now_or_soon()
end

---Forgets a buffer that is gone: its text must not be told any more.
local function on_gone(buffer)
  M.forget(buffer)
  hidden_in = hidden_in ~= buffer and hidden_in or nil
  require("claudecode.host").notify("selectionGone", { buffer = buffer })
end

local function watch()
  vim.api.nvim_create_augroup(group, {})
  vim.api.nvim_create_autocmd(events, { group = group, callback = guarded(on_event) })
  vim.api.nvim_create_autocmd("ModeChanged", {
    group = group,
    pattern = { "*:[vVsS\22\19]*", "[vVsS\22\19]*:*", "c:n*" },
    callback = guarded(on_mode_changed),
  })
  vim.api.nvim_create_autocmd({ "BufDelete", "BufWipeout" }, {
    group = group,
    callback = guarded(function(event)
      on_gone(event.buf)
    end),
  })
end

---What a host that starts is told first: the selection that the host before it knew if it still counts, else what is so
---now.
---@return claudecode.SelectionFacts?
local function begin()
  local known = sent
  sent = nil
  local still_counts = known
    and not privacy.is_hidden(known.buffer) -- one that is gone is
    and known.changedtick == vim.api.nvim_buf_get_changedtick(known.buffer)
  local buffer = vim.api.nvim_get_current_buf()
  if still_counts and (not files.is_file(buffer) or kept.counts(buffer)) then
    sent = known
  else
    local window = files.nearest_window()
    buffer = window and vim.api.nvim_win_get_buf(window)
    hidden_in = nil
    if buffer and privacy.is_hidden(buffer) then
      hide(buffer)
    end
    sent = M.read()
  end
  if sent then
    status.see(sent)
  end
  return sent and facts.add_text(vim.deepcopy(sent), pace.inline_limit)
end

---Starts to track, or changes the pace.
---@param new_pace claudecode.SelectionPace
---@return claudecode.SelectionFacts? now what is selected now; nil when there is no file
function M.start(new_pace)
  turns = turns or timing.throttle(guarded(tell_now))
  demotion = demotion or timing.delay(guarded(demote))
  pace = new_pace
  watch()
  kept.leave_visual()
  kept.see_visual()
  return begin()
end

---Stops to track and forgets everything.
function M.stop()
  if not pace then
    return
  end
  pace = nil
  vim.api.nvim_create_augroup(group, {})
  turns.stop()
  demotion.stop()
  sent, unsent, hidden_in, is_demotion_due = nil, nil, nil, false
  kept.let_go()
  kept.leave_visual()
  status.see(nil)
end

---Looks again at what the user is in: it may be private now, or not any more.
function M.look_again()
  if pace and turns then
    turns.now_or_soon()
  end
end

---What is selected at this moment: in the current window, or else where the user came from.
---@return claudecode.SelectionFacts? facts without text; nil when there is no file, or a private one
function M.read()
  local window = files.nearest_window()
  if not window or privacy.is_hidden(vim.api.nvim_win_get_buf(window)) then
    return nil
  end
  if window == vim.api.nvim_get_current_win() then
    local kind = facts.kind(vim.fn.mode())
    return kind and facts.selected(kind) or facts.cursor()
  end
  return vim.api.nvim_win_call(window, facts.cursor)
end

return M
