-- In the place of snacks.nvim where it is not there: the part of it that Claude's provider uses, over
-- plain splits, and its explorer (with the stand-ins for other explorers).
local Window = {}
Window.__index = Window

function Window:buf_valid()
  return self.buf ~= nil and vim.api.nvim_buf_is_valid(self.buf)
end

function Window:win_valid()
  return self.win ~= nil and vim.api.nvim_win_is_valid(self.win)
end

function Window:show()
  if not self:win_valid() then
    local width = math.floor(vim.o.columns * self.opts.width)
    self.win = vim.api.nvim_open_win(self.buf, true, { split = self.opts.position, win = -1, width = width })
  end
  return self
end

function Window:focus()
  vim.api.nvim_set_current_win(self.win)
end

function Window:close(options)
  if self:win_valid() then
    vim.api.nvim_win_close(self.win, true)
  end
  self.win = nil
  if options and options.buf and self:buf_valid() then
    vim.api.nvim_buf_delete(self.buf, { force = true })
  end
end

function Window:hide()
  self:close()
end

local M = { terminal = {}, picker = require("snacks.picker") }

function M.setup() end

---Shows the folder that the user is in.
function M.explorer()
  local stand_in = require("stand_in")
  M.picker.open(vim.fn.getcwd(), function(folder)
    return stand_in.list(folder, true)
  end, function(lines)
    return stand_in.show(lines, "snacks_picker_list")
  end)
end

function M.terminal.open(argv, options)
  local window = setmetatable({ buf = vim.api.nvim_create_buf(false, true), opts = options.win }, Window)
  window:show()
  vim.api.nvim_buf_call(window.buf, function()
    local start = vim.fn.has("nvim-0.11") == 1 and vim.fn.jobstart or vim.fn.termopen
    start(argv, { cwd = options.cwd, env = options.env, term = vim.fn.has("nvim-0.11") == 1 or nil })
  end)
  return window
end

return M
