-- The window of a prompt: a float at the bottom of the screen, so that the user's windows stay as they are.
local M = {}

local win ---@type integer?
local came_from ---@type integer? the window that the user was in

local widest = 100 -- columns: longer lines are hard to read
local part = { width = 0.8, height = 0.35 } -- of the screen
local lowest = 5 -- lines

local function config()
  local rows = vim.o.lines - vim.o.cmdheight
  local width = math.max(1, math.min(widest, math.floor(vim.o.columns * part.width), vim.o.columns - 2))
  local height = math.max(1, math.min(math.max(lowest, math.floor(rows * part.height)), rows - 3))
  return {
    relative = "editor",
    width = width,
    height = height,
    col = math.floor((vim.o.columns - width - 2) / 2),
    row = math.max(0, rows - height - 3),
    border = "rounded",
    title = " Prompt for Claude ",
    title_pos = "center",
    footer = " :w sends, :q keeps, :q! drops ",
    footer_pos = "right",
    style = "minimal",
  }
end

local function is_open()
  return win ~= nil and vim.api.nvim_win_is_valid(win)
end

---@param buffer integer
function M.open(buffer)
  if is_open() and vim.api.nvim_win_get_buf(win) == buffer then
    if vim.api.nvim_win_get_tabpage(win) == vim.api.nvim_get_current_tabpage() then
      vim.api.nvim_set_current_win(win)
      return
    end
    vim.api.nvim_win_close(win, true) -- it comes to where the user is
  end
  came_from = vim.api.nvim_get_current_win()
  win = vim.api.nvim_open_win(buffer, true, config())
  vim.wo[win][0].wrap = true
  vim.wo[win][0].linebreak = true
  vim.wo[win][0].winfixbuf = true
  vim.wo[win][0].spell = vim.go.spell
  vim.api.nvim_set_hl(0, "ClaudeCodePromptReference", { link = "Special", default = true })
  vim.fn.matchadd("ClaudeCodePromptReference", [[\%(^\|[[:space:](]\)\zs@\%("[^"]*"\|\S\+\)]])
  vim.api.nvim_create_autocmd("VimResized", {
    group = vim.api.nvim_create_augroup("ClaudeCodePromptWindow", {}),
    callback = function()
      if is_open() then
        vim.api.nvim_win_set_config(win, config())
      end
    end,
  })
end

---Closes it, and lets the user go where they came from.
function M.close()
  if is_open() then
    local had_focus = vim.api.nvim_get_current_win() == win
    if had_focus and vim.fn.mode():match("^i") then
      vim.cmd.stopinsert()
    end
    vim.api.nvim_win_close(win, true)
    if had_focus and came_from and vim.api.nvim_win_is_valid(came_from) then
      vim.api.nvim_set_current_win(came_from)
    end
  end
  M.forget()
end

---It is closed.
function M.forget()
  win = nil
end

return M
