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

local reading ---@type integer? number of the autocommand, while the mode gives way to what is to be read

---In Terminal mode Neovim draws "-- TERMINAL --" over a message, 0.12 at once and 0.10 with the next redraw ('showmode').
local function keep_readable()
  if vim.fn.mode() ~= "t" or not (vim.o.showmode or reading) then
    return
  elseif reading then
    vim.api.nvim_del_autocmd(reading)
  end
  local this
  local function done()
    if reading == this then
      vim.api.nvim_del_autocmd(this)
      reading = nil
      vim.o.showmode = true
    end
  end
  this = vim.api.nvim_create_autocmd("TermLeave", { callback = done })
  reading = this
  vim.o.showmode = false
  vim.defer_fn(done, reading_ms)
end

---Shows one line; all of it is in the log.
---@param level "error"|"warn"|"info"
---@param text string
function M.show(level, text)
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
