-- The diffs that are open. Each is also written into its buffer, where others (auto-save conditions, status lines) see it.
local M = {}

---@alias claudecode.diff.State "pending"|"accepted"|"rejected"

---@class claudecode.diff.Diff
---@field id string
---@field tab_name string
---@field session string? name of the Claude that proposes it
---@field state claudecode.diff.State
---@field buffer integer of the proposal
---@field name string full name of the buffer
---@field old_file_path string
---@field new_file_path string
---@field is_new_file boolean
---@field proposal string file with the text that was proposed
---@field snapshot string file for the text that is accepted
---@field accepted string? bytes of the text that is accepted
---@field format table
---@field view claudecode.diff.View?
---@field group integer its autocommands
---@field tick integer? of the buffer before the user changed it
---@field kept string|false|nil note for the user about their changes, when they have been kept
---@field is_written boolean? the file has held the accepted text
---@field is_stuck boolean? its accepted text could go nowhere when the user wanted to quit
---@field has_refused boolean? the user was told how to accept

local diffs = {} ---@type table<string, claudecode.diff.Diff>

local function publish(diff)
  if vim.api.nvim_buf_is_valid(diff.buffer) then
    vim.b[diff.buffer].claudecode_diff_tab_name = diff.tab_name
    if diff.view then -- for the conditions of users, as the Lua plugin had them
      vim.b[diff.buffer].claudecode_diff_new_win = diff.view.win
      vim.b[diff.buffer].claudecode_diff_target_win = diff.view.left
      vim.b[diff.buffer].claudecode_inline_diff = diff.view.kind == "unified" or nil
    end
    vim.b[diff.buffer].claudecode_diff = {
      id = diff.id,
      state = diff.state,
      old_file_path = diff.old_file_path,
      new_file_path = diff.new_file_path,
      proposal = diff.proposal,
      snapshot = diff.snapshot,
    }
  end
end

---@param diff claudecode.diff.Diff
function M.add(diff)
  diffs[diff.id] = diff
  publish(diff)
end

---@param diff claudecode.diff.Diff
---@param state claudecode.diff.State
function M.set_state(diff, state)
  diff.state = state
  publish(diff)
end

---@param diff claudecode.diff.Diff
function M.remove(diff)
  diffs[diff.id] = nil
end

---@param id string
---@return claudecode.diff.Diff?
function M.get(id)
  return diffs[id]
end

---@return claudecode.diff.Diff[] diffs the oldest first
function M.all()
  local all = vim.tbl_values(diffs)
  table.sort(all, function(a, b)
    return a.buffer < b.buffer
  end)
  return all
end

---@return claudecode.diff.Diff[]
function M.pending()
  return vim.tbl_filter(function(diff)
    return diff.state == "pending"
  end, M.all())
end

---@param buffer integer
---@return claudecode.diff.Diff?
function M.of_buffer(buffer)
  for _, diff in pairs(diffs) do
    if diff.buffer == buffer then
      return diff
    end
  end
end

---The pending diffs in this tab page: the proposal is there, or the window that it was opened in.
---@return claudecode.diff.Diff[]
function M.pending_here()
  local here = vim.api.nvim_get_current_tabpage()
  local function is_here(win)
    return vim.api.nvim_win_is_valid(win) and vim.api.nvim_win_get_tabpage(win) == here
  end
  return vim.tbl_filter(function(diff)
    local wins = vim.fn.win_findbuf(diff.buffer)
    wins[#wins + 1] = diff.view and diff.view.win
    return vim.iter(wins):any(is_here)
  end, M.pending())
end

return M
