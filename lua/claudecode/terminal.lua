-- Claude's terminal in a split of Neovim: its buffer, its window, its job. What to do with it the host decides.
local M = {}

local young_ms = 3000 -- a Claude that fails this soon never showed its prompt: say what it said

local buffer ---@type integer?
local job ---@type integer?
local view ---@type {split_side: "left"|"right", width: number}

local function is_alive()
  return job ~= nil and buffer ~= nil and vim.api.nvim_buf_is_valid(buffer)
end

---@return integer? window that shows Claude, in this tab page if possible
local function window()
  local here = vim.fn.bufwinid(buffer)
  if here ~= -1 then
    return here
  end
  return vim.fn.win_findbuf(buffer)[1]
end

local function open_window()
  local width = math.max(1, math.floor(vim.o.columns * view.width))
  local command = view.split_side == "left" and "topleft" or "botright"
  vim.cmd(("%s vertical %dsplit"):format(command, width))
  local win = vim.api.nvim_get_current_win()
  vim.api.nvim_win_set_buf(win, buffer)
  vim.wo[win][0].number = false
  vim.wo[win][0].relativenumber = false
  vim.wo[win][0].signcolumn = "no"
  vim.wo[win][0].foldcolumn = "0"
  vim.wo[win].winfixwidth = true
  return win
end

local function enter(win)
  vim.api.nvim_set_current_win(win)
  vim.cmd.startinsert()
end

---A window can't be closed when it is the last one: then it shows an empty buffer.
local function close_window(win)
  if not pcall(vim.api.nvim_win_close, win, true) then
    vim.api.nvim_win_set_buf(win, vim.api.nvim_create_buf(true, false))
  end
end

local function on_exit(ended_buffer, code, started_at, auto_close, argv)
  if ended_buffer == buffer then
    job = nil
  end
  if not vim.api.nvim_buf_is_valid(ended_buffer) or vim.v.exiting ~= vim.NIL then
    return
  end
  if code == 0 and auto_close then
    for _, win in ipairs(vim.fn.win_findbuf(ended_buffer)) do
      close_window(win)
    end
    vim.api.nvim_buf_delete(ended_buffer, { force = true })
  elseif code ~= 0 and vim.uv.now() - started_at < young_ms then
    require("claudecode.notice").show("error", ("%s ended at once with exit code %d"):format(argv[1], code))
  end
end

---0.10 has no jobstart({term = true}).
local function start_job(argv, options)
  if vim.fn.has("nvim-0.11") == 1 then
    options.term = true
    return vim.fn.jobstart(argv, options)
  end
  return vim.fn.termopen(argv, options)
end

---@return integer? buffer Claude's buffer, when it runs
function M.get_active_terminal_bufnr()
  return is_alive() and buffer or nil
end

M.rpc = {
  ---Hides the window when it is in this tab page, shows it otherwise.
  ---@return "none"|"hidden"|"shown"
  toggle = function()
    if not is_alive() then
      return "none"
    end
    local win = window()
    if win then
      close_window(win)
      return "hidden"
    end
    enter(open_window())
    return "shown"
  end,

  ---Shows the window and goes there.
  ---@return boolean shown false when no Claude runs
  show = function()
    if not is_alive() then
      return false
    end
    enter(window() or open_window())
    return true
  end,

  ---Starts Claude in a new window.
  ---@param args {argv: string[], env: table<string, string>, cwd: string, split_side: string, width: number, auto_close: boolean}
  ---@return true?, string? refusal
  open = function(args)
    if vim.fn.executable(args.argv[1]) == 0 then
      return nil, ("%s is not an executable: install Claude Code, or set the option terminal_cmd"):format(args.argv[1])
    end
    if buffer and vim.api.nvim_buf_is_valid(buffer) then
      -- what an earlier Claude left to be read
      for _, win in ipairs(vim.fn.win_findbuf(buffer)) do
        close_window(win)
      end
      vim.api.nvim_buf_delete(buffer, { force = true })
    end
    view = { split_side = args.split_side, width = args.width }
    local opened = vim.api.nvim_create_buf(false, false)
    buffer = opened
    vim.bo[opened].bufhidden = "hide"
    local win = open_window()
    local started_at = vim.uv.now()
    local id = start_job(args.argv, {
      cwd = args.cwd,
      env = args.env,
      on_exit = function(_, code)
        on_exit(opened, code, started_at, args.auto_close, args.argv)
      end,
    })
    if id <= 0 then
      close_window(win)
      vim.api.nvim_buf_delete(opened, { force = true })
      return nil, ("%s could not be started in %s"):format(args.argv[1], args.cwd)
    end
    job = id
    vim.bo[opened].buflisted = false
    vim.bo[opened].filetype = "claudecode"
    vim.cmd.startinsert()
    return true
  end,
}

return M
