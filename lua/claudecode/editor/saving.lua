-- Saving a document for a client: exactly that buffer, all or nothing, and never a question to the user.
local documents = require("claudecode.editor.documents")
local M = {}

---What Neovim knew of a buffer's file when it read or wrote it last. Neovim has this too, but tells nobody.
---@class claudecode.Stamp
---@field name string
---@field sec integer? nil when there was no file
---@field nsec integer?
---@field is_exact boolean false when the file was read before we watched

local stamps = {} ---@type table<integer, claudecode.Stamp>

local function stamp(buffer, is_exact)
  local name = vim.api.nvim_buf_get_name(buffer)
  local stat = vim.uv.fs_stat(name)
  local time = stat and stat.mtime or {}
  stamps[buffer] = { name = name, sec = time.sec, nsec = time.nsec, is_exact = is_exact }
end

---Begins to remember when files are read and written.
function M.watch()
  local group = vim.api.nvim_create_augroup("ClaudeCodeSaving", {})
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "BufWritePost" }, {
    group = group,
    callback = function(args)
      -- `:write other` also says BufWritePost, with the other name.
      if args.event ~= "BufWritePost" or args.match == vim.api.nvim_buf_get_name(args.buf) then
        stamp(args.buf, true)
      end
    end,
  })
  vim.api.nvim_create_autocmd({ "BufUnload", "BufWipeout" }, {
    group = group,
    callback = function(args)
      stamps[args.buf] = nil
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and documents.is_document(buffer) then
      stamp(buffer, false)
    end
  end
end

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
  local known = stamps[buffer]
  local name = vim.api.nvim_buf_get_name(buffer)
  local stat = vim.uv.fs_stat(name)
  if not stat then
    return nil
  end
  if known and known.name ~= name then
    return "another file of this name exists"
  end
  local has_changed = known and (known.sec ~= stat.mtime.sec or known.nsec ~= stat.mtime.nsec)
  if not has_changed and not (known and known.is_exact) and vim.bo[buffer].modified then
    has_changed = neovim_sees_change(buffer)
  end
  return has_changed and "the file has changed on disk since Neovim read it; the user decides which text to keep" or nil
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
  local confirm = vim.o.confirm
  vim.o.confirm = false -- else what fails is asked instead
  vim.api.nvim_buf_call(buffer, function()
    -- Without "!": silent! would go on after a failing autocommand, and :write! writes over what others wrote.
    done, err = pcall(vim.api.nvim_cmd, { cmd = "write", mods = { silent = true, keepalt = true } }, {})
  end)
  vim.o.confirm = confirm
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
