-- The log: the last lines of the host's stderr and our own notices, in a ring, shown by :ClaudeCodeLog.
local M = {}

local capacity = 2000 -- lines; enough for the story of a fault, small enough to forget about
local ring = {}
local next_slot = 1
local partial = "" -- stderr arrives in pieces that need not end at a line break

local function put(line)
  ring[next_slot] = line
  next_slot = next_slot % capacity + 1
end

---Adds one line with the time.
---@param text string
function M.add(text)
  put(os.date("!%Y-%m-%dT%H:%M:%SZ ") .. text)
end

---Adds what a job wrote, in the form that |channel-callback| has.
---@param pieces string[]
function M.add_output(pieces)
  pieces[1] = partial .. pieces[1]
  partial = table.remove(pieces)
  for _, line in ipairs(pieces) do
    put(line)
  end
end

---@return string[] lines, oldest first
function M.lines()
  local lines = {}
  for i = 0, capacity - 1 do
    local line = ring[(next_slot - 1 + i) % capacity + 1]
    if line then
      lines[#lines + 1] = line
    end
  end
  if partial ~= "" then
    lines[#lines + 1] = partial
  end
  return lines
end

---Opens the log in a window of its own, at its end. The buffer goes away with its window.
function M.open()
  local buffer = vim.api.nvim_create_buf(false, true)
  local lines = vim.tbl_map(function(line)
    return (line:gsub("\n", "\\n"))
  end, M.lines())
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].modifiable = false
  vim.cmd("botright split")
  vim.api.nvim_win_set_buf(0, buffer)
  vim.bo[buffer].filetype = "claudecodelog"
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(buffer), 0 })
end

return M
