-- What programs call themselves: all are asked at once, and none is waited for longer than the others.
local M = {}

local wait_ms = 3500 -- the whole of :checkhealth stays below 5 s, whatever hangs

---Runs the commands, and returns the first line of what each prints; nil for one that fails or stays silent.
---@param commands table<string, string[]>
---@return table<string, string>
function M.ask(commands)
  local answers, processes, waiting = {}, {}, 0
  for name, command in pairs(commands) do
    local started, process = pcall(vim.system, command, { text = true }, function(done)
      waiting = waiting - 1
      processes[name] = nil
      local line = vim.split(done.stdout or "", "\n")[1]
      answers[name] = done.code == 0 and line ~= "" and line or nil
    end)
    if started then
      waiting = waiting + 1
      processes[name] = process
    end
  end
  vim.wait(wait_ms, function()
    return waiting == 0
  end, 20)
  for _, process in pairs(processes) do
    process:kill("sigkill")
  end
  return answers
end

return M
