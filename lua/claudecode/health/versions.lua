-- What programs call themselves: all are asked at once, and none is waited for longer than the others.
local M = {}

local wait_ms = 3500 -- the whole of :checkhealth stays below 5 s, whatever hangs

---Runs the commands, and returns the first line of what each prints; nil for one that fails or stays silent.
---@param commands table<string, string[]>
---@return table<string, string>
function M.ask(commands)
  local answers, jobs = {}, {}
  for name, command in pairs(commands) do
    jobs[name] = require("claudecode.run").start(command, nil, function(done)
      jobs[name] = nil
      local line = vim.split(done.stdout, "\n")[1]
      answers[name] = done.code == 0 and line ~= "" and line or nil
    end)
  end
  vim.wait(wait_ms, function()
    return next(jobs) == nil
  end, 20)
  for _, job in pairs(jobs) do
    vim.fn.jobstop(job)
  end
  return answers
end

return M
