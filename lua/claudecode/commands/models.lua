-- :ClaudeCodeSelectModel: which model, and how Claude is told.
local M = {}

local function quoted(value)
  return value:match("^[%w_%-%.%[%]:/@]+$") and value or "'" .. value:gsub("'", "'\\''") .. "'"
end

---A Claude that runs is told in its prompt; another is started with it.
local function use(value, args)
  local terminal = require("claudecode.terminal")
  if terminal.can_type() and args.arguments == "" then
    terminal.send_to_terminal("/model " .. value, { focus = true })
  else
    require("claudecode.host").ask("terminal", {
      how = "open",
      arguments = vim.trim(("--model %s %s"):format(quoted(value), args.arguments)),
      view = vim.empty_dict(),
      context = args.context,
    })
  end
end

M.rpc = {
  ---Asks the user for a model.
  ---@param args {models: {name: string, value: string}[], arguments: string, context: table}
  choose = function(args)
    return require("claudecode.commands.choose")(args.models, "Claude's model:", function(model)
      return model.name
    end, function(model)
      use(model.value, args)
    end)
  end,
}

return M
