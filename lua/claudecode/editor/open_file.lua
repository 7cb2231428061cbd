-- Opening a file for a client: in a window that is meant for files, or without one.
local documents = require("claudecode.editor.documents")
local M = {}

---Whether the current window can change under the user's hands, since no command is half typed.
local function is_free(mode)
  return vim.fn.getcmdwintype() == "" and mode:find("^[nvVsSiRt\22\19]") ~= nil and not mode:find("^no")
end

---@param path string absolute
---@param name string what the client calls it
---@return string? refusal why the file can't be read; each of these would be an error message on the screen
local function unreadable(path, name)
  local stat, _, code = vim.uv.fs_stat(path)
  if not stat then
    if code == "ENOENT" or code == "ENOTDIR" then
      return ("File not found: %s"):format(name)
    end
    return ("File can't be read (%s): %s"):format(code, name)
  end
  if stat.type == "directory" then
    return ("This is a folder, not a file: %s"):format(name)
  end
  if stat.type ~= "file" then
    return ("This is not a regular file: %s"):format(name)
  end
  local file, _, open_code = vim.uv.fs_open(path, "r", 0)
  if not file then
    return ("File can't be read (%s): %s"):format(open_code, name)
  end
  vim.uv.fs_close(file)
end

---The first path that is a readable file, or a document that was never written.
---@param paths string[]
---@param name string
---@return string? path absolute
---@return string? refusal
local function existing(paths, name)
  local refusal
  for _, given in ipairs(paths) do
    local path = documents.absolute(given)
    local why = unreadable(path, name)
    if not why or documents.find_loaded({ path }) then
      return path
    end
    refusal = refusal or why
  end
  return nil, refusal
end

---Runs `load` so that a swap file is no question and no message (:help 'shortmess', "A").
local function without_questions(load)
  local shortmess = vim.o.shortmess
  vim.o.shortmess = shortmess .. "A"
  local done, err = pcall(load)
  vim.o.shortmess = shortmess
  return done, err
end

---Whether the swap file that was there first has text that only it has, or belongs to someone who is still at it.
local function is_in_use(first_swap)
  local info = vim.fn.swapinfo(first_swap)
  return info.error == nil and (info.dirty == 1 or info.pid ~= 0)
end

---A file that another session edits, or has not saved, is opened read-only, as the user could have chosen.
local function note_swap_file(buffer, notes)
  local swap = vim.fn.swapname(buffer)
  local first, count = swap:gsub("%.sw[^p]$", ".swp")
  if count > 0 and is_in_use(first) then
    vim.bo[buffer].readonly = true
    notes[#notes + 1] =
      "It was opened read-only: its swap file says that another session edits it, or has crashed (:help swap-file)."
  end
end

local silently = { silent = true, emsg_silent = true }

---Reads the file into its buffer, without a window.
---@return string? refusal
local function load(buffer)
  if vim.api.nvim_buf_is_loaded(buffer) then
    return nil
  end
  local done, err = without_questions(function()
    vim.api.nvim_cmd({ cmd = "call", args = { ("bufload(%d)"):format(buffer) }, mods = silently }, {})
  end)
  if not done or not vim.api.nvim_buf_is_loaded(buffer) then
    return "Neovim could not load it: " .. require("claudecode.editor.plain_error")(err or vim.v.errmsg)
  end
  -- What its filetype plugin has set for the window was lost with the window that Neovim loads buffers in.
  vim.api.nvim_create_autocmd("BufWinEnter", {
    buffer = buffer,
    once = true,
    callback = function()
      vim.api.nvim_exec_autocmds("FileType", { buffer = buffer, modeline = false })
    end,
  })
end

---Goes to the window and shows the buffer there, which is loaded then: its filetype's options are this window's.
---@return string? refusal
local function show(buffer, window)
  local done, err = pcall(vim.api.nvim_set_current_win, window)
  if done and vim.api.nvim_win_get_buf(window) ~= buffer then
    done, err = without_questions(function()
      vim.api.nvim_cmd({ cmd = "buffer", args = { tostring(buffer) }, mods = silently }, {})
    end)
  end
  if not done or vim.api.nvim_get_current_win() ~= window or vim.api.nvim_win_get_buf(window) ~= buffer then
    return "Neovim did not show it: " .. require("claudecode.editor.plain_error")(err or vim.v.errmsg)
  end
end

---Brings the file to the front and selects in it.
---@return string? refusal
local function bring_to_front(buffer, args, notes)
  local mode = vim.api.nvim_get_mode().mode
  if not is_free(mode) then
    return "The user is typing a command in Neovim, so no other file can be brought to the front. Try again later."
  end
  local windows = require("claudecode.editor.document_window")
  local before = vim.api.nvim_get_current_win()
  local window, refusal, is_new = windows.choose(buffer, args.preview)
  if not window then
    return refusal
  end
  if mode:find("^[iR]") then
    vim.cmd.stopinsert()
  elseif mode:find("^[vVsS\22\19]") then
    vim.api.nvim_cmd({ cmd = "normal", bang = true, args = { "\27" } }, {})
  end
  refusal = show(buffer, window)
  if refusal then
    if vim.api.nvim_win_is_valid(before) then
      vim.api.nvim_set_current_win(before)
    end
    if is_new and vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_win_close(window, true)
    end
    return refusal
  end
  local range, note = require("claudecode.editor.text_range").find(buffer, args)
  notes[#notes + 1] = note
  if range then
    require("claudecode.editor.text_range").select(window, range)
  end
end

M.rpc = {
  ---@param args {name: string, paths: string[], preview: boolean, front: boolean, start_text: string?, end_text: string?, to_end_of_line: boolean, start_line: integer?, end_line: integer?}
  ---@return {path: string, language: string, lines: integer, notes: string[]}?
  ---@return string? refusal
  open = function(args)
    local path, refusal = existing(args.paths, args.name)
    if not path then
      return nil, refusal
    end
    local buffer = documents.find({ path }) or vim.fn.bufadd(path)
    local was_loaded = vim.api.nvim_buf_is_loaded(buffer)
    local notes = {}
    if args.front then
      refusal = bring_to_front(buffer, args, notes)
    else
      refusal = load(buffer)
    end
    if refusal then
      return nil, refusal
    end
    vim.bo[buffer].buflisted = true
    if not was_loaded then
      note_swap_file(buffer, notes)
    end
    return {
      path = path,
      language = vim.bo[buffer].filetype,
      lines = vim.api.nvim_buf_line_count(buffer),
      notes = notes,
    }
  end,
}

return M
