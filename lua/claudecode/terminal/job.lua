-- Claude's process in a terminal buffer: how it starts, how it ends, what it said last.
local M = {}

local shown_lines = 3 -- of what a Claude that failed said last; the window has the rest

---@class claudecode.Launch
---@field argv string[]
---@field env table<string, string>
---@field cwd string
---@field command string the same as argv, as the user would write it

---0.10 has no jobstart({term = true}).
local function start_job(argv, options)
  if vim.fn.has("nvim-0.11") == 1 then
    options.term = true
    return vim.fn.jobstart(argv, options)
  end
  return vim.fn.termopen(argv, options)
end

---Why a program can't be started; nil when it can.
---@param launch claudecode.Launch
---@return string?
function M.obstacle(launch)
  local program = launch.argv[1]
  if vim.fn.isdirectory(launch.cwd) == 0 then
    return ("the folder %s, where Claude should start, does not exist"):format(launch.cwd)
  end
  local variable, value = program:match("^([%a_][%w_]*)=(.*)$")
  if variable then
    local entry = ("{ %s = %q }"):format(variable, value)
    return ("%s is no program: put variables into the option env, such as %s"):format(program, entry)
  end
  if launch.env.PATH == nil and vim.fn.executable(program) == 0 then
    return ("%s is not an executable: install Claude Code, or set terminal_cmd to a program (for a shell's alias or "):format(
      program
    ) .. 'function: terminal_cmd = "bash -ic NAME")'
  end
end

---Starts the program in `win`, which shows an empty buffer; the terminal has that window's size.
---@param win integer
---@param launch claudecode.Launch
---@param on_exit fun(code: integer)
---@return integer? job
---@return string? reason
function M.start(win, launch, on_exit)
  return vim.api.nvim_win_call(win, function()
    local done, id = pcall(start_job, launch.argv, {
      cwd = launch.cwd,
      env = launch.env,
      on_exit = function(_, code)
        on_exit(code)
      end,
    })
    if done and id > 0 then
      return id
    end
    local why = done and "" or (": %s"):format(tostring(id):gsub("^Vim:E%d+: ", ""))
    return nil, ("%s could not be started in %s%s"):format(launch.argv[1], launch.cwd, why)
  end)
end

---@param job integer
---@return integer? process id, while it runs
function M.process(job)
  local known, pid = pcall(vim.fn.jobpid, job)
  return known and pid > 0 and pid or nil
end

---@param pid integer
---@return boolean stopped by Ctrl-Z or SIGSTOP, as far as can be told here
local function is_stopped(pid)
  local file = io.open(("/proc/%d/stat"):format(pid))
  if not file then
    return vim.uv.fs_stat("/proc/self") == nil -- no such folder on this system: a wake-up too many does no harm
  end
  local state = file:read("*a"):match("^.*%) (%a)")
  file:close()
  return state == "T"
end

---Lets a process go on that was stopped: nothing else in Neovim could.
---@param job integer
function M.revive(job)
  local pid = M.process(job)
  if pid and is_stopped(pid) then
    vim.uv.kill(-pid, "sigcont") -- its group: it leads the session of the terminal
  end
end

---Types bytes into a process.
---@param job integer?
---@param bytes string
---@return boolean typed
function M.send(job, bytes)
  local sent, count = pcall(vim.api.nvim_chan_send, job, bytes)
  return sent and count ~= 0
end

---The last lines of a terminal that say something.
---@param buffer integer
---@return string text
function M.last_words(buffer)
  local words = {}
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  for i = #lines, 1, -1 do
    local line = vim.trim(lines[i])
    if line ~= "" and not line:match("^%[Process exited %-?%d+%]$") then
      table.insert(words, 1, line)
    end
    if #words == shown_lines then
      break
    end
  end
  return table.concat(words, " / ")
end

return M
