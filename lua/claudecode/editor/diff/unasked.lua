-- A file that Claude is about to write: Neovim may come to see that before the host tells us, as when the user enters the buffer.
-- Then it must not ask (W11, W12): the host tells what is to become of each buffer a moment later.
local buffers = require("claudecode.editor.buffers")
local registry = require("claudecode.editor.diff.registry")

local M = {}

local patience_ms = 31000 -- a little longer than the host waits for the file to be written (src/diffs/written-file.ts)

local groups = {} ---@type table<string, integer> augroups, by the path of the file

local function watch(buffer, group)
  vim.api.nvim_create_autocmd("FileChangedShell", {
    group = group,
    buffer = buffer,
    callback = function()
      vim.v.fcs_choice = vim.bo[buffer].modified and "" or "reload"
    end,
  })
end

local function stop(path)
  if groups[path] then
    vim.api.nvim_del_augroup_by_id(groups[path])
    groups[path] = nil
  end
end

---From now on nothing is asked about a file.
---@param path string
function M.begin(path)
  stop(path)
  local group = vim.api.nvim_create_augroup("ClaudeCodeUnasked " .. path, {})
  groups[path] = group
  for _, buffer in ipairs(buffers.loaded(path)) do
    watch(buffer, group)
  end
  vim.api.nvim_create_autocmd("BufReadPost", {
    group = group,
    callback = function(event)
      if vim.list_contains(buffers.loaded(path), event.buf) then
        watch(event.buf, group)
      end
    end,
  })
end

local function has_diff(path)
  return vim.iter(registry.all()):any(function(diff)
    return diff.new_file_path == path
  end)
end

---A diff of the file has been closed. Claude may write it in a moment.
---@param path string
function M.end_soon(path)
  local group = groups[path]
  vim.defer_fn(function()
    if groups[path] == group and not has_diff(path) then
      stop(path)
    end
  end, patience_ms)
end

return M
