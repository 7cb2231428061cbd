-- Arguments for a Claude that runs already: they can't reach it, so the user says what is meant.
local M = {}

local show, restart = "Show the Claude that runs", "End it and start anew"

---@param args {arguments: string, how: string, context: table}
function M.ask(args)
  vim.schedule(function()
    vim.ui.select({ show, ("%s with %s"):format(restart, args.arguments), "Cancel" }, {
      prompt = ("Claude runs already, without %s:"):format(args.arguments),
    }, function(_, index)
      if index == 1 then
        require("claudecode.terminal").open()
      elseif index == 2 then
        require("claudecode.terminal").close()
        require("claudecode.host").ask("terminal", {
          how = "open",
          arguments = args.arguments,
          view = vim.empty_dict(),
          context = args.context,
        })
      end
    end)
  end)
end

return M
