-- The buffer of the file that a proposal is for: the user's own, or one that is loaded for as long as the diff is open.
local documents = require("claudecode.editor.documents")

local M = {}

---@class claudecode.diff.Original
---@field buffer integer
---@field was_known boolean
---@field was_loaded boolean

---What stands on the left of a diff for the file.
---@param path string
---@return claudecode.diff.Original? original nil for a new file
---@return string? refusal
function M.find(path)
  if vim.fn.isdirectory(path) == 1 then
    return nil, "it is a folder"
  end
  local buffer = documents.find({ path })
  local is_loaded = buffer ~= nil and vim.api.nvim_buf_is_loaded(buffer)
  if vim.fn.filereadable(path) == 0 then
    if vim.uv.fs_stat(path) then
      return nil, "it can't be read"
    end
    if not is_loaded or vim.api.nvim_buf_get_offset(buffer, vim.api.nvim_buf_line_count(buffer)) <= 1 then
      return nil
    end
  end
  return { buffer = buffer or vim.fn.bufadd(path), was_known = buffer ~= nil, was_loaded = is_loaded }
end

---Runs a step that may load the file. Another Neovim that has it open must not lead to a question: then it is read-only.
---@param step fun()
function M.load_in(step)
  local guard = vim.api.nvim_create_autocmd("SwapExists", {
    callback = function()
      vim.v.swapchoice = "o"
    end,
  })
  local done, problem = pcall(step)
  vim.api.nvim_del_autocmd(guard)
  if not done then
    error(problem, 0)
  end
end

---Lets the buffer go that was loaded for the diff, unless the user has come to use it.
---@param original claudecode.diff.Original
function M.release(original)
  local buffer = original.buffer
  if original.was_loaded or not vim.api.nvim_buf_is_valid(buffer) then
    return
  end
  if vim.bo[buffer].modified or #vim.fn.win_findbuf(buffer) > 0 then
    return
  end
  if not original.was_known then
    if not vim.bo[buffer].buflisted then
      vim.api.nvim_buf_delete(buffer, { force = true })
    end
  elseif vim.api.nvim_buf_is_loaded(buffer) then
    vim.api.nvim_buf_delete(buffer, { unload = true })
  end
end

return M
