-- What the user is told: one line at a time, never in a fast context, never twice in a row.
local M = {}

local reading_ms = 5000 -- for one line, by who is in the middle of typing another

local levels = {
  error = vim.log.levels.ERROR,
  warn = vim.log.levels.WARN,
  info = vim.log.levels.INFO,
}

---Neovim's own vim.notify, which writes into the command line. Users replace it with windows that hold any text.
local function is_plain_notify()
  local source = debug.getinfo(vim.notify, "S").source
  return source:match("^@?vim/") ~= nil or source:match("^=?%?$") ~= nil -- 0.12 has its own Lua without file names
end

---A message longer than the command line opens a "press ENTER" prompt, at which Neovim answers nobody.
local function fit(line)
  local room = vim.v.echospace
  if vim.fn.strdisplaywidth(line) <= room then
    return line
  end
  local tail = "… (:ClaudeCodeLog)"
  local kept = vim.fn.strcharpart(line, 0, room - vim.fn.strdisplaywidth(tail))
  while vim.fn.strdisplaywidth(kept .. tail) > room and kept ~= "" do
    kept = vim.fn.strcharpart(kept, 0, vim.fn.strchars(kept) - 1)
  end
  return kept .. tail
end

local reading = false -- whether the mode gives way to what is to be read
local shown = 0 -- lines
local group = "ClaudeCodeReading"
local told_at ---@type integer? when the last line was shown, as |uv.now()| has it

---The mode is shown again.
local function end_reading()
  if reading then
    reading = false
    vim.api.nvim_create_augroup(group, {})
    vim.o.showmode = true
  end
end

---Whether Neovim is in a mode whose name it draws over a message, or about to begin one.
local function names_mode()
  return vim.bo.buftype == "terminal" or vim.fn.mode():match("^[vVsS\22\19]") ~= nil
end

---Neovim draws "-- TERMINAL --" over a message, 0.12 at once and 0.10 with the next redraw ('showmode'). In Visual mode, and
---when Terminal mode is about to begin, it waits three seconds before that, and answers nobody.
local function keep_readable()
  if not names_mode() or not (vim.o.showmode or reading) then
    return
  end
  shown = shown + 1
  local this = shown
  reading = true
  vim.o.showmode = false
  vim.api.nvim_create_augroup(group, {})
  vim.api.nvim_create_autocmd("TermLeave", { group = group, callback = end_reading })
  vim.api.nvim_create_autocmd({ "BufEnter", "ModeChanged" }, {
    group = group,
    callback = vim.schedule_wrap(function() -- who closes windows passes through others
      if not names_mode() then
        end_reading()
      end
    end),
  })
  vim.defer_fn(function()
    if shown == this then
      end_reading()
    end
  end, reading_ms)
end

---How long the last line is still to be read (ms): another one would take its place.
---@return integer
function M.rest_ms()
  return told_at and math.max(0, told_at + reading_ms - vim.uv.now()) or 0
end

---Shows one line; all of it is in the log.
---@param level "error"|"warn"|"info"
---@param text string
function M.show(level, text)
  told_at = vim.uv.now()
  local line = text:gsub("%s*\n%s*", " ")
  require("claudecode.log").add(("%s %s"):format(level:upper(), line))
  vim.schedule(function()
    line = "claudecode: " .. line
    if is_plain_notify() then
      line = fit(line)
      keep_readable()
      vim.cmd.redraw() -- two messages without one in between open the prompt, too
    end
    vim.notify(line, levels[level], { title = "Claude Code" })
  end)
end

M.rpc = {
  ---@param args {level: "error"|"warn"|"info", text: string}
  show = function(args)
    M.show(args.level, args.text)
    return true
  end,
}

return M
