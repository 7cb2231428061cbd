-- How many hunks are left, in the status line of the proposal's window.
local reviews = require("claudecode.editor.diff.hunks.review")

local M = {}

local count_at_once = 2 * 1024 * 1024 -- bytes; a longer text is compared for this only when the user asks for a hunk
local item = " %{exists('b:claudecode_hunks') ? b:claudecode_hunks.text : ''} "
local plain = "%<%f %h%w%m%r%=%-14.(%l,%c%V%) %P" -- what Neovim 0.10 shows when 'statusline' is empty

---Adds the count to what the user has there. Status lines that are made by a function are theirs: they find the count in
---`b:claudecode_hunks`.
---@param win integer
function M.show(win)
  local line = vim.wo[win].statusline
  if line:sub(1, 2) ~= "%!" then
    vim.wo[win][0].statusline = (line == "" and plain or line) .. item
  end
end

local function size(buffer)
  return vim.api.nvim_buf_get_offset(buffer, vim.api.nvim_buf_line_count(buffer))
end

---Counts the hunks of a diff that has opened.
---@param diff claudecode.diff.Diff
function M.begin(diff)
  local view = diff.view
  M.show(view.win)
  local original = view.original
  local length =
    math.max(size(diff.buffer), original and vim.api.nvim_buf_is_loaded(original.buffer) and size(original.buffer) or 0)
  if reviews.get(diff.buffer) or length > count_at_once then
    return
  end
  vim.schedule(function()
    local is_there = require("claudecode.editor.diff.registry").get(diff.id) == diff and diff.state == "pending"
    if is_there and not reviews.get(diff.buffer) and vim.api.nvim_buf_is_loaded(diff.buffer) then
      reviews.start(diff.buffer, view.original)
    end
  end)
end

return M
