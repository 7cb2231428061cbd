-- The buffer of a prompt. It is never modified for long, so that neither :qa nor a plugin that saves by itself takes it for
-- an unsaved file; what is written in it stays until it is sent, or dropped with :q!.
local M = {}

local name = "claudecode://prompt"
local buffer ---@type integer?
local has_warned = false

---@return integer?
function M.buffer()
  return buffer and vim.api.nvim_buf_is_loaded(buffer) and buffer or nil
end

---@return string
function M.text()
  return M.buffer() and table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") or ""
end

local function change(first, last, lines)
  local was = vim.bo[buffer].modifiable
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, first, last, false, lines)
  vim.bo[buffer].modifiable = was
  vim.bo[buffer].modified = false
end

---@param text string
function M.set_text(text)
  change(0, -1, vim.split(text, "\n"))
end

---@param text string comes before what is written, with an empty line between
function M.prepend(text)
  change(0, 0, vim.split(text .. "\n", "\n"))
end

---@param text string comes behind the last character
function M.append(text)
  local last = vim.api.nvim_buf_get_lines(buffer, -2, -1, false)[1]
  local blank = (last == "" or last:match("%s$")) and "" or " "
  change(-2, -1, { last .. blank .. text })
end

---Writes something else for a word.
---@param word string
---@param other string
function M.replace_word(word, other)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local padded = (" " .. line .. " "):gsub("([%s%(])" .. vim.pesc(word) .. "%f[^%w_@/.-]", function(before)
      return before .. other
    end)
    local changed = padded:sub(2, -2)
    if changed ~= line then
      change(i - 1, i, { changed })
    end
  end
end

---While it is on its way, nothing is written into it.
---@param locked boolean
function M.lock(locked)
  if M.buffer() then
    vim.bo[buffer].modifiable = not locked
  end
end

---It was sent: the next one begins empty.
function M.finish()
  require("claudecode.prompt.place").clear()
  if M.buffer() then
    require("claudecode.prompt.history").add(M.text())
    change(0, -1, {})
  end
end

local function insert()
  if vim.api.nvim_get_current_buf() == buffer then
    vim.cmd.normal({ "G", bang = true })
    vim.cmd.startinsert({ bang = true })
  end
end

---The user writes at its end. Terminal mode, from which they may come, ends only when Neovim looks what has changed.
function M.begin()
  if vim.fn.mode() ~= "t" then
    return insert()
  end
  vim.api.nvim_create_autocmd("ModeChanged", {
    pattern = "t:*",
    once = true,
    callback = vim.schedule_wrap(insert),
  })
end

local function warn(text)
  require("claudecode.notice").show("warn", text)
end

---`:w other.txt`: a copy of the text.
local function write_copy(event)
  if vim.uv.fs_stat(event.match) and vim.v.cmdbang == 0 then
    return warn(("%s exists: add ! to overwrite it"):format(event.match))
  end
  local lines = vim.api.nvim_buf_get_lines(buffer, vim.fn.line("'[") - 1, vim.fn.line("']"), false)
  vim.fn.writefile(lines, event.match)
end

local function on_write(event)
  vim.bo[buffer].modified = false
  if event.match ~= vim.api.nvim_buf_get_name(buffer) then
    write_copy(event)
  elseif not vim.bo[buffer].modifiable then
    warn("the prompt is on its way already")
  elseif not require("claudecode.editor.diff.intent").is_users(buffer) then
    if not has_warned then
      has_warned = true
      warn("a write that you did not type sends no prompt: :w typed in it does")
    end
  elseif vim.fn.line("'[") ~= 1 or vim.fn.line("']") ~= vim.fn.line("$") then
    warn("a part of the prompt can't be sent by itself: :w sends all of it")
  else
    require("claudecode.prompt").send()
  end
end

local function on_unload()
  local text = M.text()
  if vim.v.exiting ~= vim.NIL then
    require("claudecode.prompt").keep(text)
    return
  end
  buffer = nil
  require("claudecode.editor.diff.intent").unwatch("prompt")
  require("claudecode.prompt.place").clear()
  require("claudecode.prompt.window").forget()
end

local function watch_intent()
  require("claudecode.editor.diff.intent").watch("prompt", {
    is_proposal = function(other)
      return other == buffer
    end,
    modest = function(other)
      if other == buffer then
        vim.bo[buffer].modified = true
      end
    end,
    vain = function(other)
      if other == buffer then
        warn("nothing was written, so nothing is sent: :w typed in the prompt does")
      end
    end,
  })
end

local function follow()
  local group = vim.api.nvim_create_augroup("ClaudeCodePrompt", {})
  local own = buffer
  local function on(events, run)
    vim.api.nvim_create_autocmd(events, {
      group = group,
      buffer = own,
      callback = function(event)
        run(event)
      end,
    })
  end
  on({ "BufWriteCmd", "FileWriteCmd" }, on_write) -- the latter for a part of it
  on("BufReadCmd", function() end) -- :e in it changes nothing
  on("BufModifiedSet", function()
    vim.bo[own].modified = false
  end)
  on("BufUnload", function()
    if buffer == own then
      on_unload()
    end
  end)
  require("claudecode.prompt.completion").follow(own, group)
  on("BufWinEnter", watch_intent)
  on("BufHidden", function() -- what is typed elsewhere costs nothing
    require("claudecode.editor.diff.intent").unwatch("prompt")
  end)
end

local function map(key, plug, what, run)
  vim.keymap.set({ "n", "i" }, plug, run, { buffer = buffer, desc = what })
  vim.keymap.set({ "n", "i" }, key, plug, { buffer = buffer, remap = true, desc = what })
end

---@return boolean made false when there is one already
function M.make()
  if M.buffer() then
    return false
  end
  buffer = vim.api.nvim_create_buf(false, false)
  vim.api.nvim_buf_set_name(buffer, name)
  vim.bo[buffer].buftype = "acwrite"
  vim.bo[buffer].bufhidden = "hide"
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].modeline = false
  vim.bo[buffer].undofile = false
  local history = require("claudecode.prompt.history")
  map("<C-Up>", "<Plug>(claudecode-prompt-older)", "The prompt before", history.older)
  map("<C-Down>", "<Plug>(claudecode-prompt-newer)", "The prompt after", history.newer)
  vim.keymap.set("n", "ZZ", "<Cmd>wq<CR>", { buffer = buffer, desc = "Send the prompt and close it" })
  follow()
  vim.bo[buffer].filetype = "claudecode-prompt"
  vim.bo[buffer].syntax = "markdown"
  return true
end

return M
