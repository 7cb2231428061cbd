-- The user's documents: buffers that hold files. Which there are, which one is meant by a path, which one is in use.
local M = {}

local last_window ---@type integer? the window in which the user was last in a document

---Whether a buffer is a document: a file of this machine, not a terminal, a tree, a proposal or a URL.
---@param buffer integer
---@return boolean
function M.is_document(buffer)
  return require("claudecode.editor.selection.files").is_file(buffer)
end

---@param path string
---@return string absolute without "/" at its end, but otherwise as it was written
function M.absolute(path)
  if vim.startswith(path, "~/") then
    path = vim.uv.os_homedir() .. path:sub(2)
  elseif not (vim.startswith(path, "/") or (vim.fn.has("win32") == 1 and path:match("^%a:[/\\]"))) then
    path = vim.fn.getcwd() .. "/" .. path
  end
  return #path > 1 and (path:gsub("(.)/+$", "%1")) or path
end

---The one path of a file, also of one that does not exist yet: no links, no "..".
---@param path string absolute
---@return string
local function canonical(path)
  local real = vim.uv.fs_realpath(path)
  if real then
    return real
  end
  local folder, tail = path:match("^(.*)/([^/]+)$")
  if not folder or tail == ".." or tail == "." then
    return path
  end
  return (folder == "" and "" or canonical(folder)) .. "/" .. tail
end

---The buffer of exactly this file. bufnr() takes a pattern: "a[b].txt" would find "ab.txt" (:help bufname()).
---@param path string absolute
---@return integer?
local function find(path)
  local named = {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local buftype = vim.bo[buffer].buftype
    if buftype == "" or buftype == "acwrite" then
      local name = vim.api.nvim_buf_get_name(buffer)
      if name == path then
        return buffer
      end
      if name ~= "" then
        named[#named + 1] = { buffer = buffer, name = name }
      end
    end
  end
  local wanted = canonical(path)
  for _, item in ipairs(named) do
    if item.name == wanted or canonical(item.name) == wanted then
      return item.buffer
    end
  end
end

---The buffer of the first path that has one.
---@param paths string[] what a client may mean (src/tools/document-path.ts)
---@return integer?
function M.find(paths)
  for _, path in ipairs(paths) do
    local buffer = find(M.absolute(path))
    if buffer then
      return buffer
    end
  end
end

---The buffer of the first path that has one which is loaded.
---@param paths string[]
---@return integer?
function M.find_loaded(paths)
  local buffer = M.find(paths)
  return buffer and vim.api.nvim_buf_is_loaded(buffer) and buffer or nil
end

---The document that the user works in. In Claude's terminal, a tree or a float it is the one before.
---@return integer? buffer
---@return integer? window that shows it
function M.active()
  local windows = { vim.api.nvim_get_current_win() }
  if last_window and vim.api.nvim_win_is_valid(last_window) then
    windows[#windows + 1] = last_window
  end
  local before = vim.fn.win_getid(vim.fn.winnr("#"))
  if before ~= 0 then
    windows[#windows + 1] = before
  end
  vim.list_extend(windows, vim.api.nvim_tabpage_list_wins(0))
  for _, window in ipairs(windows) do
    local buffer = vim.api.nvim_win_get_buf(window)
    if M.is_document(buffer) then
      return buffer, window
    end
  end
end

---Begins to remember which window the user leaves for one that shows no document.
function M.watch()
  vim.api.nvim_create_autocmd("WinLeave", {
    group = vim.api.nvim_create_augroup("ClaudeCodeDocuments", {}),
    callback = function()
      if M.is_document(vim.api.nvim_get_current_buf()) then
        last_window = vim.api.nvim_get_current_win()
      end
    end,
  })
end

---@return table<integer, integer> tabs for each buffer in a window a tab page that shows it, the current one if possible
local function tabs_of_buffers()
  local current = vim.api.nvim_get_current_tabpage()
  local tabs = {}
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local buffer, tab = vim.api.nvim_win_get_buf(window), vim.api.nvim_win_get_tabpage(window)
    if not tabs[buffer] or tab == current then
      tabs[buffer] = tab
    end
  end
  return tabs
end

---@return claudecode.SelectionFacts
local function selection_in(window)
  local facts = require("claudecode.editor.selection.facts")
  local kind = window == vim.api.nvim_get_current_win() and facts.kind(vim.fn.mode())
  local found = vim.api.nvim_win_call(window, kind and function()
    return facts.selected(kind)
  end or facts.cursor)
  return facts.add_text(found, 0)
end

M.rpc = {
  ---All documents in the buffer list. Without names for what is in a row, which would take longer than all the rest.
  ---@return {rows: any[][], active: integer?, current_tab: integer, selection: claudecode.SelectionFacts?} open
  ---each row is path, filetype, number of lines, number of a tab page that shows it, and whether it is modified;
  ---`active` counts them from 1
  list = function()
    local is_hidden = require("claudecode.editor.privacy").is_hidden
    local active, window = M.active()
    local tabs = tabs_of_buffers()
    local open = { rows = {}, current_tab = vim.api.nvim_tabpage_get_number(0) }
    local of_buffer = vim.fn.getbufvar
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      local is_open = vim.fn.buflisted(buffer) == 1 and vim.api.nvim_buf_is_loaded(buffer) and M.is_document(buffer)
      if is_open and not is_hidden(buffer) then
        open.rows[#open.rows + 1] = {
          vim.api.nvim_buf_get_name(buffer),
          of_buffer(buffer, "&filetype"),
          vim.api.nvim_buf_line_count(buffer),
          tabs[buffer] and vim.api.nvim_tabpage_get_number(tabs[buffer]) or open.current_tab,
          of_buffer(buffer, "&modified") == 1,
        }
        if buffer == active then
          open.active, open.selection = #open.rows, selection_in(window)
        end
      end
    end
    return open
  end,

  ---@param args {paths: string[]}
  ---@return {is_open: boolean, is_dirty: boolean?}
  state = function(args)
    local buffer = M.find_loaded(args.paths)
    if not buffer then
      return { is_open = false }
    end
    return { is_open = true, is_dirty = vim.bo[buffer].modified }
  end,
}

return M
