-- netrw: what its four kinds of listing show. It has functions for the word under the cursor only, and they sort and hide
-- the listing when the cursor is in the banner, so its lines are read here.
local M = { name = "netrw" }

local kinds = { thin = 0, long = 1, wide = 2, tree = 3 } -- |g:netrw_liststyle|

local function exposed(name)
  local value = vim.fn["netrw#Expose"](name)
  return value ~= "n/a" and value or nil
end

---The path of an entry: its name as it is, else without the mark of its kind (|netrw-explore| calls links `name@`).
---@param folder string ends in "/"
---@param text string
---@return string? path of something that is there, be it a link to nothing
local function find(folder, text)
  if text == "" or text:match("^%.%.?/?$") then
    return nil
  end
  for _, name in ipairs({ text, (text:gsub("[@*=|/]$", "")), (text:gsub("@/$", "")) }) do
    if vim.uv.fs_lstat(folder .. name) then
      return folder .. name
    end
  end
end

---A long listing has size and date behind the name, which may itself have blanks.
local function find_before_blanks(folder, line)
  local rest = line:gsub("%s+$", "")
  while rest do
    local path = find(folder, rest)
    if path then
      return path
    end
    rest = rest:match("^(.-%S)%s+%S+$")
  end
end

---The cells of a row of a wide listing, in the order of their columns.
local function cells(line)
  local width = vim.b.netrw_cpf or vim.fn.strdisplaywidth(line)
  local list, cell, used = {}, "", 0
  for _, char in ipairs(vim.fn.split(line, "\\zs")) do
    cell, used = cell .. char, used + vim.fn.strdisplaywidth(char, used)
    if used >= width then
      list[#list + 1], cell, used = cell, "", 0
    end
  end
  list[#list + 1] = cell
  return list
end

---@return integer depth
---@return string text of a line of the tree
local function split_tree(line, indent)
  local depth = 0
  while vim.startswith(line, indent) do
    line, depth = line:sub(#indent + 1), depth + 1
  end
  return depth, (line:gsub("\t %-%->.*$", ""))
end

---@return string? path of a row of the tree; the root has none
local function find_in_tree(lines, row)
  local indent = exposed("treedepthstring") or "| "
  local depth, text = split_tree(lines[row], indent)
  if depth == 0 then
    return nil
  end
  local names = { text }
  for above = row - 1, 1, -1 do
    local its_depth, name = split_tree(lines[above], indent)
    if its_depth > 0 and its_depth < depth then
      depth = its_depth
      table.insert(names, 1, name)
    end
  end
  local path = vim.w.netrw_treetop or vim.b.netrw_curdir
  for _, name in ipairs(names) do
    path = path and find(path:gsub("/*$", "") .. "/", name)
  end
  return path
end

---@param row integer
---@param column integer? on the screen, 1-based: of a wide listing only the name there
---@return string[] paths
local function in_row(folder, lines, row, column)
  local kind = vim.w.netrw_liststyle or vim.g.netrw_liststyle or kinds.thin
  local line = lines[row]
  if row < (vim.w.netrw_bannercnt or 1) then
    return {}
  elseif kind == kinds.tree then
    return { find_in_tree(lines, row) }
  elseif kind == kinds.long then
    return { find_before_blanks(folder, line) }
  elseif kind == kinds.thin then
    return { find(folder, (line:gsub("\t %-%->.*$", ""))) }
  end
  local paths = {}
  for i, cell in ipairs(cells(line)) do
    local is_wanted = not column or i == math.floor((column - 1) / (vim.b.netrw_cpf or math.huge)) + 1
    paths[#paths + 1] = is_wanted and find(folder, (cell:gsub("%s+$", ""))) or nil
  end
  return paths
end

---@return string[]? paths
---@return string? reason
local function in_rows(buffer, first, last, column)
  local folder = vim.b[buffer].netrw_curdir or vim.fn.getcwd()
  if require("claudecode.explorers").is_elsewhere(folder) then
    return nil, ("%s is no folder of this computer, so Claude could not read it"):format(folder)
  end
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, last, false)
  local paths = {}
  for row = first, last do
    vim.list_extend(paths, in_row(folder:gsub("/*$", "") .. "/", lines, row, column))
  end
  return paths
end

function M.rows(buffer, first, last)
  return in_rows(buffer, first, last)
end

function M.under_cursor(buffer)
  local row = vim.api.nvim_win_get_cursor(0)[1]
  return in_rows(buffer, row, row, vim.fn.virtcol("."))
end

---In a tree netrw takes a folder or a link that is marked to be in a folder of its own name.
local function undoubled(path)
  local actual = not vim.uv.fs_lstat(path) and path:match("^(.*/([^/]+))/%2/?$")
  return actual or path
end

---What is marked, also in other folders, as long as something is marked in this listing: other marks can't be seen here.
function M.marked(buffer)
  local paths = exposed("netrwmarkfilelist_" .. buffer) and exposed("netrwmarkfilelist") or {}
  return vim.tbl_map(undoubled, paths)
end

return M
