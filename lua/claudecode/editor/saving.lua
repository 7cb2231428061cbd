-- Saving a document for a client: exactly that buffer, all or nothing, and never a question to the user.
local documents = require("claudecode.editor.documents")
local M = {}

---Neovim's own view whether the file has changed, for a buffer that was read before we watched. Changes nothing.
local function neovim_sees_change(buffer)
  local has_changed = false
  local id = vim.api.nvim_create_autocmd("FileChangedShell", {
    buffer = buffer,
    callback = function()
      has_changed = vim.v.fcs_reason == "changed" or vim.v.fcs_reason == "conflict"
      vim.v.fcs_choice = ""
    end,
  })
  vim.api.nvim_cmd({ cmd = "checktime", args = { tostring(buffer) }, mods = { silent = true, emsg_silent = true } }, {})
  vim.api.nvim_del_autocmd(id)
  return has_changed
end

---@return string? reason why `:write` would refuse or ask, as far as it lies in the file on disk
local function change_on_disk(buffer)
  local state = require("claudecode.editor.stamps").state(buffer)
  if state == "renamed" then
    return "another file of this name exists"
  end
  if state == "changed" or (state == "unsure" and vim.bo[buffer].modified and neovim_sees_change(buffer)) then
    return "the file has changed on disk since Neovim read it; the user decides which text to keep"
  end
end

---@return string? reason why the buffer can't be written; each of these would be an error or a question
local function obstacle(buffer)
  if not vim.bo[buffer].modifiable then
    return "the buffer is not modifiable"
  end
  if vim.bo[buffer].readonly then
    return "the buffer is read-only"
  end
  if vim.bo[buffer].buftype == "acwrite" then
    return nil -- a plugin writes it
  end
  local name = vim.api.nvim_buf_get_name(buffer)
  local stat = vim.uv.fs_stat(name)
  if stat and stat.type ~= "file" then
    return "what has this name on disk is not a regular file"
  end
  if stat and not vim.uv.fs_access(name, "W") then
    return "the file is write-protected"
  end
  return change_on_disk(buffer)
end

local function write(buffer)
  local done, err
  vim.api.nvim_buf_call(buffer, function()
    -- Without "!": silent! would go on after a failing autocommand, and :write! writes over what others wrote.
    done, err = pcall(vim.api.nvim_cmd, { cmd = "write", mods = { silent = true, keepalt = true } }, {})
  end)
  if not done then
    return require("claudecode.editor.plain_error")(err)
  end
  if vim.api.nvim_buf_is_valid(buffer) and vim.bo[buffer].modified then
    return "Neovim did not write it"
  end
end

M.rpc = {
  ---@param args {paths: string[]}
  ---@return {is_open: boolean, reason: string?}
  save = function(args)
    local buffer = documents.find_loaded(args.paths)
    if not buffer then
      return { is_open = false }
    end
    local reason = obstacle(buffer)
    if not reason and vim.bo[buffer].modified then
      reason = write(buffer)
    end
    return { is_open = true, reason = reason }
  end,
}

return M
