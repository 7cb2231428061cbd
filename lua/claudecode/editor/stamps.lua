-- The times of files as Neovim read or wrote them last. Neovim knows them too, but tells nobody; `:write` asks the user
-- when they are not the same any more.
local documents = require("claudecode.editor.documents")
local M = {}

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
  local group = vim.api.nvim_create_augroup("ClaudeCodeStamps", {})
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
    if not stamps[buffer] and vim.api.nvim_buf_is_loaded(buffer) and documents.is_document(buffer) then
      stamp(buffer, false)
    end
  end
end

---What has become of the file of a buffer since Neovim read or wrote it.
---@param buffer integer
---@return "same"|"unsure"|"changed"|"renamed"|"gone" state "unsure": the same since we watch; "renamed": it is the file of another name
function M.state(buffer)
  local known = stamps[buffer]
  local name = vim.api.nvim_buf_get_name(buffer)
  local stat = vim.uv.fs_stat(name)
  if not stat then
    return "gone"
  end
  if not known then
    return "unsure"
  end
  if known.name ~= name then
    return "renamed"
  end
  if known.sec ~= stat.mtime.sec or known.nsec ~= stat.mtime.nsec then
    return "changed"
  end
  return known.is_exact and "same" or "unsure"
end

return M
