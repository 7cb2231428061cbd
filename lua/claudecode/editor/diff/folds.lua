-- The folds of a window: |:diffthis| replaces them, |:diffoff| brings back only the options.
local quietly = require("claudecode.editor.diff.quietly")

local M = {}

---What |:mkview| writes of the folds: after the last fold option, before the options that it puts back.
local function fold_commands(view)
  local commands = {}
  local inside = false
  for _, line in ipairs(view) do
    if line:match("^let &g:so") then
      break
    end
    if inside then
      commands[#commands + 1] = "silent! " .. line
    end
    inside = inside or line:match("^setlocal n?o?foldenable$") or line:match("^setlocal n?o?fen$")
  end
  return commands
end

---@param win integer whose buffer has a name
---@return string[] commands that make the folds as they are now, for `M.restore`
function M.save(win)
  local file = vim.fn.tempname()
  local done = pcall(quietly.with, { viewoptions = "folds" }, function()
    vim.api.nvim_win_call(win, function()
      vim.cmd("silent mkview " .. vim.fn.fnameescape(file))
    end)
  end)
  if not done then
    return {} -- such as E32: there is nothing to fold in a buffer without a name
  end
  local view = vim.fn.readfile(file)
  vim.fn.delete(file)
  return fold_commands(view)
end

---The same folds in a text that has changed.
---@param commands string[]
---@param follow fun(line: integer): integer where a line is now
---@return string[]
function M.move(commands, follow)
  return vim.tbl_map(function(command)
    local before, lines, after = command:match("^(%D-)(%d[%d,]*)(%a*)$")
    if not lines then
      return command -- such as `normal! zo`
    end
    return before .. lines:gsub("%d+", function(line)
      return follow(tonumber(line) or 1)
    end) .. after
  end, commands)
end

---Makes the folds again. Moves the cursor.
---@param win integer
---@param commands string[]
function M.restore(win, commands)
  if #commands == 0 then
    return
  end
  quietly.with({}, function()
    vim.api.nvim_win_call(win, function()
      vim.cmd(table.concat(commands, "\n"))
    end)
  end)
end

return M
