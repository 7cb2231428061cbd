-- Large pastes: Neovim before 0.12.2 gives a program a streamed paste in many pieces, which Claude takes for many pastes.
local M = {}

local original ---@type fun(lines: string[], phase: integer): boolean? vim.paste, once it is wrapped
local pieces ---@type string[]? the lines of the paste that is under way
local target ---@type integer? the window that it goes to

local function is_wanted()
  local terminal = require("claudecode.config").get("terminal", "table") or {}
  local wish = terminal.fix_streamed_paste
  if type(wish) == "boolean" then
    return wish
  end
  return vim.fn.has("nvim-0.12.2") == 0
end

local function is_claudes()
  return require("claudecode.terminal.sessions").of_buffer(vim.api.nvim_get_current_buf()) ~= nil
end

local function join(lines)
  if #pieces == 0 then
    pieces[1] = ""
  end
  for i, line in ipairs(lines) do
    if i == 1 then -- a piece may end in the middle of a line
      pieces[#pieces] = pieces[#pieces] .. line
    else
      pieces[#pieces + 1] = line
    end
  end
end

local function paste_whole()
  local lines, win = pieces, target
  pieces, target = nil, nil
  if not vim.api.nvim_win_is_valid(win) then
    return true
  end
  return vim.api.nvim_win_call(win, function()
    return original(lines, -1)
  end)
end

---Wraps |vim.paste()|, once. Pastes to any other place go through it untouched.
function M.install()
  if original then
    return
  end
  original = vim.paste
  vim.paste = function(lines, phase) ---@diagnostic disable-line: duplicate-set-field
    if phase == 1 and is_claudes() and is_wanted() then
      pieces, target = {}, vim.api.nvim_get_current_win()
    end
    if not pieces or phase == -1 then
      return original(lines, phase)
    end
    join(lines)
    return phase ~= 3 or paste_whole()
  end
end

return M
