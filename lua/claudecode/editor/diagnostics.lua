-- Diagnostics for the host, of texts as they are on disk by now.
local documents = require("claudecode.editor.documents")
local M = {}

local seen = {} ---@type table<integer, integer> changedtick of a buffer when its diagnostics came last
local loaded_at = {} ---@type table<integer, number> vim.uv.now() when a buffer was read last
local given_up = {} ---@type table<integer, integer> changedtick for which none came in time
local awaited = {} ---@type table<integer, number> until when (vim.uv.now()) the host waits for those of a buffer
local longest_wait_ms = 1500 -- the host waits for a second

---Called by an autocommand: the diagnostics of a buffer have changed.
---@param buffer integer
function M.on_changed(buffer)
  if vim.api.nvim_buf_is_valid(buffer) then
    seen[buffer] = vim.api.nvim_buf_get_changedtick(buffer)
  end
  if awaited[buffer] and vim.uv.now() < awaited[buffer] then
    local count = 0
    for _, of_severity in pairs(vim.diagnostic.count(buffer)) do
      count = count + of_severity
    end
    require("claudecode.host").notify("diagnostics", { buffer = buffer, count = count })
  end
end

---Begins to remember how fresh diagnostics are.
function M.watch()
  local group = vim.api.nvim_create_augroup("ClaudeCodeDiagnostics", {})
  vim.api.nvim_create_autocmd("DiagnosticChanged", {
    group = group,
    -- Not a callback: that would get a copy of all diagnostics, 25 ms for 10,000.
    command = "lua require('claudecode.editor.diagnostics').on_changed(tonumber(vim.fn.expand('<abuf>')))",
  })
  vim.api.nvim_create_autocmd("BufReadPost", {
    group = group,
    callback = function(args)
      loaded_at[args.buf] = vim.uv.now()
    end,
  })
  vim.api.nvim_create_autocmd("BufWipeout", {
    group = group,
    callback = function(args)
      local buffer = args.buf
      seen[buffer], loaded_at[buffer], given_up[buffer], awaited[buffer] = nil, nil, nil, nil
    end,
  })
end

---Reads the file again when it has changed on disk. What the user has not saved stays, and nobody is asked.
local function reload(buffer)
  local state = require("claudecode.editor.stamps").state(buffer)
  if (state == "changed" or state == "unsure") and not vim.bo[buffer].modified then
    pcall(require("claudecode.editor.buffers").reload, buffer) -- else what is known is told
  end
end

---Whether the diagnostics of a buffer are those of an older text, and someone is there who will send new ones.
local function is_stale(buffer)
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  if seen[buffer] == tick or given_up[buffer] == tick then
    return false
  end
  local has_source = seen[buffer] ~= nil or #vim.lsp.get_clients({ bufnr = buffer }) > 0
  return has_source and (seen[buffer] ~= nil or loaded_at[buffer] ~= nil)
end

---@return {buffer: integer, since_read_ms: number?}[] stale
local function refresh(buffers)
  local stale = {}
  for _, buffer in ipairs(buffers) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      reload(buffer)
      if vim.api.nvim_buf_is_valid(buffer) and is_stale(buffer) then
        awaited[buffer] = vim.uv.now() + longest_wait_ms
        local since = loaded_at[buffer]
        stale[#stale + 1] = { buffer = buffer, since_read_ms = since and vim.uv.now() - since }
      end
    end
  end
  return stale
end

---The host has waited for these: what has not come by now is not waited for again.
local function stop_waiting(buffers)
  for _, buffer in ipairs(buffers) do
    if vim.api.nvim_buf_is_valid(buffer) then
      given_up[buffer] = vim.api.nvim_buf_get_changedtick(buffer)
    end
  end
end

local function row(diagnostic)
  local code = diagnostic.code
  return {
    line = diagnostic.lnum,
    character = diagnostic.col,
    end_line = diagnostic.end_lnum,
    end_character = diagnostic.end_col,
    message = diagnostic.message,
    source = diagnostic.source,
    code = (type(code) == "string" or type(code) == "number") and tostring(code) or nil,
  }
end

local function by_position(a, b)
  if a.lnum ~= b.lnum then
    return a.lnum < b.lnum
  end
  return a.col < b.col
end

---The most severe first, at most `limit` of them. vim.diagnostic.get() copies what it returns, 20 ms for 10,000, so each
---severity is asked for by itself, and not at all when there is no room for it.
local function collect(buffers, limit)
  local files, cut = {}, { 0, 0, 0, 0 }
  local counts = {}
  for index, buffer in ipairs(buffers) do
    counts[index] = vim.diagnostic.count(buffer)
    files[index] = { path = vim.api.nvim_buf_get_name(buffer), severities = { {}, {}, {}, {} } }
  end
  for severity = 1, 4 do
    for index, buffer in ipairs(buffers) do
      local count = counts[index][severity] or 0
      if count > 0 and limit > 0 then
        local found = vim.diagnostic.get(buffer, { severity = severity })
        table.sort(found, by_position)
        local rows = files[index].severities[severity]
        for place = 1, math.min(limit, #found) do
          rows[place] = row(found[place])
        end
        limit = limit - #rows
        count = #found - #rows
      end
      cut[severity] = cut[severity] + count
    end
  end
  return files, cut
end

---The documents that are meant: one, none, or all.
local function chosen(paths)
  if paths then
    return { documents.find(paths) }
  end
  return vim.tbl_filter(documents.is_document, vim.api.nvim_list_bufs())
end

M.rpc = {
  ---@param args {paths: string[]?, limit: integer, waited: integer[]?} `waited`: the buffers of the answer before
  ---@return {stale: table[], files: table[], cut: integer[]} result without files while something is stale
  read = function(args)
    local buffers = chosen(args.paths)
    if args.waited then
      stop_waiting(args.waited)
    else
      local stale = refresh(buffers)
      if #stale > 0 then
        return { stale = stale, files = {}, cut = {} }
      end
    end
    local files, cut = collect(buffers, args.limit)
    return { stale = {}, files = files, cut = cut }
  end,
}

return M
