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
  local stamps = require("claudecode.editor.stamps")
  local state = stamps.state(buffer)
  if (state ~= "changed" and state ~= "unsure") or vim.bo[buffer].modified then
    return
  end
  -- If it fails, the diagnostics of the text as it is are told.
  if pcall(require("claudecode.editor.buffers").reload, buffer) and vim.api.nvim_buf_is_valid(buffer) then
    stamps.mark(buffer)
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

---All diagnostics of a buffer, to be looked at and not to be changed. vim.diagnostic.get() copies each of them with all
---that its server has sent, which takes 40 ms for 10,000; the user would notice.
local function all_of(buffer)
  local deepcopy = vim.deepcopy
  rawset(vim, "deepcopy", function(value)
    return value
  end)
  local done, found = pcall(vim.diagnostic.get, buffer)
  rawset(vim, "deepcopy", deepcopy)
  return done and found or error(found, 0)
end

local function is_before(a, b)
  if a.lnum ~= b.lnum then
    return a.lnum < b.lnum
  end
  return a.col < b.col
end

---In the order of the text. Most servers send them so, and a sort takes longer than all the rest.
local function sort(list)
  for index = 2, #list do
    if is_before(list[index], list[index - 1]) then
      table.sort(list, is_before)
      return
    end
  end
end

---The most severe first, at most `limit` of them.
local function collect(buffers, limit)
  local files, by_severity, cut = {}, {}, { 0, 0, 0, 0 }
  for index, buffer in ipairs(buffers) do
    files[index] = { path = vim.api.nvim_buf_get_name(buffer), severities = { {}, {}, {}, {} } }
    by_severity[index] = { {}, {}, {}, {} }
    for _, diagnostic in ipairs(all_of(buffer)) do
      local list = by_severity[index][diagnostic.severity] or by_severity[index][1]
      list[#list + 1] = diagnostic
    end
  end
  for severity = 1, 4 do
    for index, lists in ipairs(by_severity) do
      local list = lists[severity]
      local count = math.min(limit, #list)
      if count > 0 then
        sort(list)
      end
      for place = 1, count do
        files[index].severities[severity][place] = row(list[place])
      end
      limit = limit - count
      cut[severity] = cut[severity] + #list - count
    end
  end
  return files, cut
end

---The documents that are meant, one, none, or all, without the private ones.
local function chosen(paths)
  local buffers = paths and { documents.find(paths) } or vim.tbl_filter(documents.is_document, vim.api.nvim_list_bufs())
  return vim.tbl_filter(function(buffer)
    return not require("claudecode.editor.privacy").is_hidden(buffer)
  end, buffers)
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
