-- Completion in a prompt: what can stand behind an `@`.
local M = {}

local most = 100 -- matches that are shown

local words = {
  { "@this", "where the prompt was opened" },
  { "@buffer", "the file there" },
  { "@buffers", "all open files" },
  { "@diagnostics", "what language servers say of the file" },
  { "@quickfix", "the quickfix list" },
  { "@diff", "what is not committed" },
}

local files = {} ---@type string[] relative to the working directory; a folder ends in "/"

---@param list string[]
function M.set_files(list)
  files = list
end

---@return string[] as the host has told them
function M.files()
  return files
end

---@param path string with its lines, if any
---@return string word as Claude reads it
function M.mention(path)
  return path:find("[%s\"'()]") and ('@"%s"'):format(path) or "@" .. path
end

---@param typed string behind the @
---@return string[]
local function matching_files(typed)
  if #files == 0 then -- the host does not know them yet: the folder that is being typed
    return vim.list_slice(require("claudecode.commands.add").complete(typed), 1, most)
  elseif typed == "" then
    return vim.list_slice(files, 1, most)
  end
  return vim.fn.matchfuzzy(files, typed, { limit = most })
end

---The @word that ends at the cursor.
---@return integer? start 0-based column
---@return string? word
local function word_at_cursor()
  local before = vim.api.nvim_get_current_line():sub(1, vim.fn.col(".") - 1)
  local start = (" " .. before):match('.*[%s%(]()@"[^"]*$') or (" " .. before):match(".*[%s%(]()@%S*$")
  if start then
    return start - 2, before:sub(start - 1)
  end
end

---@param word string
---@return table[] items (:help complete-items)
local function matches(word)
  local items = {}
  for _, special in ipairs(words) do
    if vim.startswith(special[1], word) then
      items[#items + 1] = { word = special[1], menu = special[2], equal = 1, dup = 1 }
    end
  end
  for _, path in ipairs(matching_files((word:gsub('^@"?', "")))) do
    items[#items + 1] = { word = M.mention(path), abbr = path, equal = 1, dup = 1 }
  end
  return items
end

---For 'completefunc' and 'omnifunc' (:help complete-functions).
---@param find_start integer
---@param base string
function M.complete(find_start, base)
  if find_start == 1 then
    return word_at_cursor() or -3
  end
  return matches(base)
end

local accepted ---@type string? the word that was chosen last

---An @word is being typed: the list narrows with it. What is selected in the list is not typed.
local function narrow()
  local start, word = word_at_cursor()
  if not start or word == accepted then
    return
  end
  accepted = nil
  local info = vim.fn.complete_info({ "selected", "items" })
  local selected = info.selected >= 0 and info.items[info.selected + 1]
  if vim.fn.pumvisible() == 0 or not selected or selected.word ~= word then
    vim.fn.complete(start + 1, matches(word))
  end
end

local wanted = "menuone,noinsert"

---Nothing is inserted before it was chosen. 'completeopt' can be a buffer's own since 0.11; before, it is lent.
local function set_options(buffer, group)
  if vim.fn.has("nvim-0.11") == 1 then
    vim.bo[buffer].completeopt = wanted
    return
  end
  local before
  vim.api.nvim_create_autocmd("InsertEnter", {
    group = group,
    buffer = buffer,
    callback = function()
      before = before or vim.o.completeopt
      vim.o.completeopt = wanted
    end,
  })
  vim.api.nvim_create_autocmd({ "InsertLeave", "BufLeave" }, {
    group = group,
    buffer = buffer,
    callback = function()
      vim.o.completeopt = before or vim.o.completeopt
      before = nil
    end,
  })
end

---@param buffer integer
---@param group integer
function M.follow(buffer, group)
  local call = "v:lua.require'claudecode.prompt.completion'.complete"
  vim.bo[buffer].completefunc = call
  vim.bo[buffer].omnifunc = call
  set_options(buffer, group)
  require("claudecode.prompt.other_lists").keep_out(buffer, group, function()
    return word_at_cursor() ~= nil
  end)
  vim.api.nvim_create_autocmd({ "TextChangedI", "TextChangedP" }, { group = group, buffer = buffer, callback = narrow })
  vim.api.nvim_create_autocmd("CompleteDone", {
    group = group,
    buffer = buffer,
    callback = function()
      accepted = select(2, word_at_cursor()) -- chosen, or not wanted
    end,
  })
end

return M
