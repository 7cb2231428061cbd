-- How a window of Claude's looks.
local M = {}

-- what a new window would take over from the one beside it, and a terminal has no use for
local plain = {
  number = false,
  relativenumber = false,
  signcolumn = "no",
  foldcolumn = "0",
  statuscolumn = "",
  colorcolumn = "",
  cursorcolumn = false,
  cursorline = false,
  diff = false,
  scrollbind = false,
  cursorbind = false,
  spell = false,
  list = false,
  wrap = true,
  winfixbuf = false,
  winfixheight = false,
}

---@param win integer that shows a terminal
function M.dress(win)
  for name, value in pairs(plain) do
    vim.wo[win][0][name] = value
  end
end

return M
