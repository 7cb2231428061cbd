-- :ClaudeCodeSendDiagnostics: what language servers and linters say of the file, in Claude's prompt, to be asked about.
local M = {}

local most = 50 -- lines; more of them help nobody, and Claude can ask for all (getDiagnostics)

local function line_of(diagnostic)
  local severity = vim.diagnostic.severity[diagnostic.severity]:lower()
  local source = diagnostic.source and (" (%s)"):format(diagnostic.source) or ""
  local message = diagnostic.message:gsub("%s*\n%s*", " ")
  return ("- line %d: %s: %s%s"):format(diagnostic.lnum + 1, severity, message, source)
end

---@param buffer integer
---@param first integer? 0-based
---@param last integer? 0-based
---@return vim.Diagnostic[] the worst first
function M.collect(buffer, first, last)
  local found = vim.tbl_filter(function(diagnostic)
    return not first or (diagnostic.lnum <= last and (diagnostic.end_lnum or diagnostic.lnum) >= first)
  end, vim.diagnostic.get(buffer))
  table.sort(found, function(a, b)
    if a.severity ~= b.severity then
      return a.severity < b.severity
    end
    return a.lnum < b.lnum
  end)
  return found
end

---@param call {range: integer, line1: integer, line2: integer}
function M.run(call)
  local notice = require("claudecode.notice")
  local ranged = call.range > 0
  local found = M.collect(0, ranged and call.line1 - 1 or nil, ranged and call.line2 - 1 or nil)
  if #found == 0 then
    return notice.show("info", "there are no diagnostics here")
  end
  local lines = { ("Diagnostics of %s:"):format(vim.api.nvim_buf_get_name(0)) }
  for i = 1, math.min(#found, most) do
    lines[#lines + 1] = line_of(found[i])
  end
  if #found > most then
    lines[#lines + 1] = ("- and %d more"):format(#found - most)
  end
  local text = table.concat(lines, "\n") .. "\n"
  local path = vim.api.nvim_buf_get_name(0)
  require("claudecode.commands.consent").obtain(path == "" and {} or { path }, function(refused)
    if not next(refused) then
      require("claudecode.terminal").send_to_terminal(text, { submit = false, focus = true })
    end
  end)
end

return M
