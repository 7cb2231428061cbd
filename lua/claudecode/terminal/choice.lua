-- Arguments for a Claude that runs already: they can't reach it, so the user says what is meant.
local M = {}

local show, restart, another = "Show the Claude that runs", "End it and start anew", "Start another one"

---@param session claudecode.Session
---@param args {arguments: string, how: string, context: table}
function M.ask(session, args)
  local function start(event)
    require("claudecode.host").ask(event, {
      how = "open",
      arguments = args.arguments,
      view = vim.empty_dict(),
      context = args.context,
    })
  end
  vim.schedule(function()
    vim.ui.select({
      show,
      ("%s with %s"):format(restart, args.arguments),
      ("%s with %s"):format(another, args.arguments),
      "Cancel",
    }, {
      prompt = ("Claude runs already, without %s:"):format(args.arguments),
    }, function(_, index)
      if index == 1 then
        require("claudecode.terminal").go_to(session)
      elseif index == 2 then
        require("claudecode.terminal").close(session)
        start("terminal")
      elseif index == 3 then
        start("newSession")
      end
    end)
  end)
end

return M
