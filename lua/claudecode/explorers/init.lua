-- File explorers: the files that one of them shows under the cursor, with its marks, or in rows.
--
-- An explorer has `name` and `rows(buffer, first, last)`, which gives the paths of these rows, 1-based, without the row of the
-- root and of "..". It may have `marked(buffer)`, for what the user has marked, and `under_cursor(buffer)`, where that is
-- more than the cursor's row. Each returns a list of paths, or nil and a sentence that says why not. What throws is told
-- of once, in one line, with its stack in the log: other plugins change.
local M = {}

---@class claudecode.Explorer
---@field name string
---@field rows fun(buffer: integer, first: integer, last: integer): string[]?, string?
---@field marked nil|fun(buffer: integer): string[]?, string?
---@field under_cursor nil|fun(buffer: integer): string[]?, string?

-- 'filetype' -> module; nothing else tells them, and nothing is loaded to find out.
local modules = {
  NvimTree = "nvim_tree",
  ["neo-tree"] = "neo_tree",
  oil = "oil",
  minifiles = "mini_files",
  netrw = "netrw",
  snacks_picker_list = "snacks",
  snacks_picker_input = "snacks",
  snacks_picker_preview = "snacks",
}

---@param filetype string
---@return boolean
function M.has(filetype)
  return modules[filetype] ~= nil
end

---@param buffer integer
---@return boolean
function M.is_explorer(buffer)
  return M.has(vim.bo[buffer].filetype)
end

---@param explorer claudecode.Explorer
---@return string[]? paths
---@return string? reason
local function ask(explorer, buffer, first, last)
  if first then
    return explorer.rows(buffer, first, math.min(last, vim.api.nvim_buf_line_count(buffer)))
  end
  if explorer.marked then
    local paths, reason = explorer.marked(buffer)
    if reason or (paths and #paths > 0) then
      return paths, reason
    end
  end
  if explorer.under_cursor then
    return explorer.under_cursor(buffer)
  end
  local row = vim.api.nvim_win_get_cursor(0)[1]
  return explorer.rows(buffer, row, row)
end

---A name such as `ssh://host/file`, or of something inside of an archive. Two letters and more: `C:/` is a drive.
---@param path string
---@return boolean
function M.is_elsewhere(path)
  return path:find("^%a[%w+.-]+:/") ~= nil
end

---The files that the explorer in the current window shows.
---@param buffer integer the window's
---@param first integer? row, 1-based; without one the marks count, else the cursor
---@param last integer?
---@return string[]? paths
---@return string? reason why there are none, a sentence
function M.files(buffer, first, last)
  local explorer = require("claudecode.explorers." .. modules[vim.bo[buffer].filetype]) ---@type claudecode.Explorer
  local stack
  local done, paths, reason = xpcall(ask, function(err)
    stack = debug.traceback(tostring(err), 2)
    return err
  end, explorer, buffer, first, last)
  if not done then
    for line in ("ERROR " .. stack):gmatch("[^\n]+") do
      require("claudecode.log").add(line)
    end
    return nil, ("%s did not tell its files: %s"):format(explorer.name, require("claudecode.editor.plain_error")(paths))
  end
  return paths, reason
end

return M
