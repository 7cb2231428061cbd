-- Programs that are run for what they print. Not with |vim.system()|: on Neovim 0.10 that loses the output when another process
-- ends at the same moment.
local M = {}

---@class claudecode.run.Options
---@field cwd string?
---@field input string? for its standard input, which is empty else

---@class claudecode.run.Done
---@field code integer
---@field stdout string
---@field stderr string

---Runs a program.
---@param argv string[]
---@param options claudecode.run.Options?
---@param on_done fun(done: claudecode.run.Done) called in the main loop
---@return integer? job nil when it does not start
---@return string? reason
function M.start(argv, options, on_done)
  if vim.fn.executable(argv[1]) == 0 then
    return nil, ("%s is not an executable"):format(argv[1])
  end
  options = options or {}
  local printed = { stdout = "", stderr = "" }
  local function keep(_, lines, stream)
    printed[stream] = table.concat(lines, "\n"):gsub("\r\n", "\n")
  end
  local started, job = pcall(vim.fn.jobstart, argv, {
    cwd = options.cwd,
    stdin = options.input and "pipe" or "null",
    stdout_buffered = true,
    stderr_buffered = true,
    on_stdout = keep,
    on_stderr = keep,
    on_exit = function(_, code)
      on_done({ code = code, stdout = printed.stdout, stderr = printed.stderr })
    end,
  })
  if not started or job <= 0 then
    return nil, ("%s does not start: %s"):format(argv[1], tostring(job))
  end
  if options.input then
    vim.fn.chansend(job, options.input)
    vim.fn.chanclose(job, "stdin")
  end
  return job
end

---Runs a program and waits for its end.
---@param argv string[]
---@param options claudecode.run.Options?
---@param wait_ms integer after which it is ended
---@return claudecode.run.Done? done nil when it did not start, or did not end in time
---@return string? reason
function M.wait(argv, options, wait_ms)
  local done
  local job, reason = M.start(argv, options, function(result)
    done = result
  end)
  if not job then
    return nil, reason
  end
  vim.wait(wait_ms, function() -- |jobwait()| may return before the output is there
    return done ~= nil
  end, 5)
  if not done then
    vim.fn.jobstop(job)
    return nil, ("%s did not end within %g s"):format(argv[1], wait_ms / 1000)
  end
  return done
end

return M
