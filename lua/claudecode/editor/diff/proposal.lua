-- The buffer of a proposal. Neovim itself reads its text from a file and writes it to one, so that the text is exact:
-- final line break, empty text, byte order mark, line ends, NUL.
local quietly = require("claudecode.editor.diff.quietly")

local M = {}

-- How a file of UTF-8 is read, whatever the user has set: a mark is a mark, and line ends are dos only if all are.
local function reading(fileformats)
  return { fileencodings = "ucs-bom,utf-8", fileformats = fileformats or "unix,dos", modeline = false }
end

-- A plain write: no second copy on disk, no alternate file for the window it happens in (cpo-A).
local function writing()
  return { backup = false, writebackup = false, fsync = false, cpoptions = (vim.go.cpoptions:gsub("A", "")) }
end

-- What makes editing the proposal feel like editing the file.
local alike = { "tabstop", "shiftwidth", "softtabstop", "expandtab", "textwidth", "commentstring", "comments" }

---The buffer with exactly this full name. `bufnr()` takes a pattern.
---@param name string
---@return integer?
local function buffer_named(name)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buffer) == name then
      return buffer
    end
  end
end

local function wipe_other(buffer, name)
  local other = buffer_named(name)
  if other and other ~= buffer then
    vim.api.nvim_buf_delete(other, { force = true })
  end
end

---Gives the buffer its name, of which there must be no other buffer. Its old name stays behind as a buffer: it is wiped.
local function rename(buffer, name)
  local before = vim.api.nvim_buf_get_name(buffer)
  vim.api.nvim_buf_set_name(buffer, name)
  wipe_other(buffer, before)
end

---@param buffer integer
---@return vim.treesitter.highlighter?
local function highlighter(buffer)
  return vim.treesitter.highlighter.active[buffer]
end

---Whether the user has files of this type coloured by treesitter, as far as the loaded ones tell.
local function prefers_treesitter(filetype)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.bo[buffer].filetype == filetype and highlighter(buffer) then
      return true
    end
  end
  return false
end

---Colours the text. 'filetype' is set without its event: that would start language servers, formatters and linters on
---a text that is not a file.
---@param buffer integer
---@param filetype string
local function colour(buffer, filetype)
  if filetype == "" then
    return
  end
  quietly.with({}, function()
    vim.bo[buffer].filetype = filetype
  end)
  if prefers_treesitter(filetype) and pcall(vim.treesitter.start, buffer) then
    return
  end
  if vim.fn.exists("g:syntax_on") == 1 then
    vim.bo[buffer].syntax = filetype
  end
end

local function make(file, name)
  local buffer = vim.fn.bufadd(file)
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].undofile = false
  vim.fn.bufload(buffer)
  rename(buffer, name)
  vim.bo[buffer].buftype = "acwrite"
  vim.bo[buffer].bufhidden = "hide"
  vim.bo[buffer].buflisted = false
  vim.bo[buffer].fixendofline = false
  vim.bo[buffer].readonly = false
  vim.bo[buffer].modifiable = true
  vim.bo[buffer].modified = false
  return buffer
end

---A name that means a file of this folder in every event. "~name" is somebody's home folder in some of them, and netrw
---would write "scp://host/name" there.
---@param name string any text
---@return string
local function plain_name(name)
  name = name:gsub("%c", " ")
  return (name:find("^~") or name:find("^%a[%w+.-]*://")) and "./" .. name or name
end

---Makes the buffer from the bytes of `file`.
---@param args {file: string, fileformats: string, name: string, path: string, original: integer?} path: what the proposal is for; original: its buffer, when it is loaded
---@return integer? buffer
---@return string? refusal
function M.create(args)
  local name = plain_name(args.name)
  if buffer_named(vim.fn.fnamemodify(name, ":p")) then
    return nil, "there is a buffer of that name already"
  end
  local buffer = quietly.with(reading(args.fileformats), function()
    return make(args.file, name)
  end)
  local filetype
  if args.original then
    filetype = vim.bo[args.original].filetype
    quietly.with({}, function()
      for _, option in ipairs(alike) do
        vim.bo[buffer][option] = vim.bo[args.original][option]
      end
    end)
  else
    filetype = vim.filetype.match({ filename = args.path, buf = buffer })
  end
  colour(buffer, filetype or "")
  return buffer
end

---Writes the buffer's bytes to a file that does not exist yet. A buffer with 'buftype' acwrite is written like any
---other under another name.
---@param buffer integer
---@param file string
function M.write(buffer, file)
  quietly.with(writing(), function()
    vim.api.nvim_buf_call(buffer, function()
      vim.cmd("silent write " .. vim.fn.fnameescape(file))
    end)
  end)
end

---Gives the buffer its name again, after |:saveas|, which leaves a buffer of the old name behind.
---@param buffer integer
---@param name string
function M.name_again(buffer, name)
  quietly.with({}, function()
    wipe_other(buffer, name)
    rename(buffer, name)
  end)
end

---What the buffer was read as, for `M.reread`.
---@param buffer integer
function M.format(buffer)
  local bo = vim.bo[buffer]
  return { endofline = bo.endofline, endoffile = bo.endoffile, bomb = bo.bomb, fileformat = bo.fileformat }
end

---The lines of a file, as a proposal is read.
---@param file string
---@return {lines: string[], format: table} text no lines for an empty file: one empty line is a line break
function M.read(file)
  return quietly.with(reading(), function()
    local buffer = vim.fn.bufadd(file)
    vim.bo[buffer].swapfile = false
    vim.fn.bufload(buffer)
    local text = { lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false), format = M.format(buffer) }
    if vim.fn.getfsize(file) == (text.format.bomb and #"\u{feff}" or 0) then
      text.lines = {}
    end
    vim.api.nvim_buf_delete(buffer, { force = true })
    return text
  end)
end

---Fills the buffer, which |:edit| has emptied, with the proposal again.
---@param buffer integer
---@param file string
---@param format table
function M.reread(buffer, file, format)
  quietly.with({ cpoptions = (vim.go.cpoptions:gsub("[aA]", "")) }, function()
    vim.api.nvim_buf_call(buffer, function()
      local command = "silent keepalt keepjumps 0read ++edit ++enc=utf-8 ++ff=%s %s"
      vim.cmd(command:format(format.fileformat, vim.fn.fnameescape(file)))
      if vim.api.nvim_buf_line_count(buffer) > 1 then
        vim.cmd("silent keepjumps $delete _")
      end
    end)
    for option, value in pairs(format) do
      vim.bo[buffer][option] = value
    end
    vim.bo[buffer].fixendofline = false
    vim.bo[buffer].swapfile = false
    vim.bo[buffer].modified = false
  end)
end

return M
