-- The functions that the host may call, by name. One call is one whole step: it succeeds, or says why not.
local M = {}

-- module of the name -> Lua module. Only what a module lists in its table `rpc` can be called.
local modules = {
  session = "claudecode.session",
  notice = "claudecode.notice",
  status = "claudecode.status",
  waiting = "claudecode.waiting",
  selection = "claudecode.editor.selection",
  privacy = "claudecode.editor.privacy",
  consent = "claudecode.commands.consent",
  buffers = "claudecode.editor.buffers",
  documents = "claudecode.editor.documents",
  files = "claudecode.editor.open_file",
  saving = "claudecode.editor.saving",
  diagnostics = "claudecode.editor.diagnostics",
  folders = "claudecode.editor.folders",
  diff = "claudecode.editor.diff",
  jupyter = "claudecode.jupyter",
  terminal = "claudecode.terminal.steps",
  outbox = "claudecode.outbox",
  prompt = "claudecode.prompt",
  models = "claudecode.commands.models",
  sessions = "claudecode.commands.sessions",
  sessionList = "claudecode.commands.session_list",
}

---JSON null arrives as vim.NIL, which is true in Lua.
local function without_nil(value)
  if value == vim.NIL then
    return nil
  end
  if type(value) == "table" then
    for key, item in pairs(value) do
      value[key] = without_nil(item)
    end
  end
  return value
end

---Calls the function `name` ("module.function") with one table.
---A function that returns `nil, "sentence"` refuses; one that throws is a bug, and its stack goes to the log.
---@param name string
---@param args table
---@param deadline number? vim.uv.hrtime() in milliseconds after which nobody waits any more
---@return {ok: boolean, value: any, error: string?, stack: string?}
function M.call(name, args, deadline)
  if deadline and vim.uv.hrtime() / 1e6 > deadline then
    return { ok = false, error = "Neovim was busy for too long, so this was not done" }
  end
  local module, method = name:match("^(%a+)%.([%a_]+)$")
  local path = module and modules[module]
  if not path then
    return { ok = false, error = "there is no function " .. name }
  end
  local stack
  local done, value, refusal = xpcall(function()
    local fn = require(path).rpc[method]
    return fn(without_nil(args))
  end, function(err)
    stack = debug.traceback(tostring(err), 2)
    return tostring(err)
  end)
  if not done then
    return { ok = false, error = value, stack = stack }
  end
  if value == nil and refusal then
    return { ok = false, error = refusal }
  end
  return { ok = true, value = value }
end

return M
