-- The times of files as Neovim read or wrote them last. Neovim knows them too, but tells nobody; `:write` asks the user
-- when they are not the same any more.
local documents = require("claudecode.editor.documents")
local M = {}

---@class claudecode.Stamp
---@field name string
---@field time string? nil when there was no file
---@field is_exact boolean false when the file was read before we watched
---@field writes integer how often Neovim has written the buffer, with or without autocommands

local stamps = {} ---@type table<integer, claudecode.Stamp>

---The time of a file as a text, to be compared.
---@param stat uv.fs_stat.result? of the file
---@return string? time nil when there is none
function M.time_in(stat)
  return stat and ("%d.%09d"):format(stat.mtime.sec, stat.mtime.nsec) or nil
end

local function time_of(name)
  return M.time_in(vim.uv.fs_stat(name))
end

local function writes_of(buffer)
  return vim.fn.undotree(buffer).save_last
end

local function stamp(buffer, is_exact)
  local name = vim.api.nvim_buf_get_name(buffer)
  stamps[buffer] = { name = name, time = time_of(name), is_exact = is_exact, writes = writes_of(buffer) }
end

---Neovim has just compared the buffer with its file: they are the same.
---@param buffer integer
function M.mark(buffer)
  stamp(buffer, true)
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
---@return "same"|"unsure"|"changed"|"renamed"|"gone" state "renamed": it is the file of another name. "unsure": it is the
---same since we watch, or since a `:noautocmd write`
function M.state(buffer)
  local known = stamps[buffer]
  local name = vim.api.nvim_buf_get_name(buffer)
  local time = time_of(name)
  if not time then
    return "gone"
  end
  if not known then
    return "unsure"
  end
  if known.name ~= name then
    return "renamed"
  end
  if known.time == time then
    return known.is_exact and "same" or "unsure"
  end
  return writes_of(buffer) > known.writes and "unsure" or "changed"
end

return M
