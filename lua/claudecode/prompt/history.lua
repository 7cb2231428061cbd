-- Earlier prompts of this folder, to be walked through. The host keeps them (src/prompts/history.ts).
local M = {}

local prompts = {} ---@type string[] the oldest first
local at = 0 -- so many back from what is being written
local draft = "" -- what was being written when the walk began

---@param list string[]
function M.set(list)
  if at == 0 then -- else the user walks through what was known so far
    prompts = list
  end
end

---@return string[] the oldest first
function M.all()
  return prompts
end

---@param text string
function M.add(text)
  prompts = vim.tbl_filter(function(other)
    return other ~= text
  end, prompts)
  prompts[#prompts + 1] = text
  at = 0
end

---A new prompt begins.
function M.forget()
  at = 0
end

local function go(to)
  local page = require("claudecode.prompt.page")
  if to < 0 or to > #prompts or not vim.bo[page.buffer()].modifiable then
    return
  elseif at == 0 then
    draft = page.text()
  end
  at = to
  page.set_text(to == 0 and draft or prompts[#prompts + 1 - to])
  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_win_set_cursor(0, { last, #vim.api.nvim_buf_get_lines(0, -2, -1, false)[1] })
end

---Shows the prompt before the one that is shown.
function M.older()
  go(at + 1)
end

---Shows the one after it; at last what was being written.
function M.newer()
  go(at - 1)
end

return M
