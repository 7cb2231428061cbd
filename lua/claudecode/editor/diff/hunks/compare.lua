-- Compares two texts line by line, as Neovim's own diff does.
local line_map = require("claudecode.editor.line_map")

local M = {}

---Where two texts differ: {line, count, line, count} of the old and the new one. Lines are 0-based; one with a count of 0
---is the line before which something is missing.
---@alias claudecode.diff.Hunk [integer, integer, integer, integer]

---The algorithm of 'diffopt'. What it says of white space is left out: every change counts in a review.
local function options()
  return {
    result_type = "indices",
    ctxlen = 0,
    interhunkctxlen = 0,
    algorithm = vim.o.diffopt:match("algorithm:(%a+)") or "myers",
    indent_heuristic = vim.o.diffopt:find("indent-heuristic", 1, true) ~= nil,
  }
end

---@param old string
---@param new string
---@return claudecode.diff.Hunk[]
function M.texts(old, new)
  local hunks = line_map.diff(old, new, options())
  for _, hunk in ipairs(hunks) do
    for side = 1, 3, 2 do
      if hunk[side + 1] > 0 then
        hunk[side] = hunk[side] - 1 -- else it is the number of the line before, which is the index of the one behind
      end
    end
  end
  return hunks
end

return M
