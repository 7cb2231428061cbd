-- :ClaudeCodeResume: which conversation to take up again.
local M = {}

M.rpc = {
  ---Asks the user for a conversation, and takes it up.
  ---@param args {sessions: {id: string, title: string, age: string}[], context: table}
  choose = function(args)
    return require("claudecode.commands.choose")(args.sessions, "Take up again:", function(session)
      return ("%s  %s"):format(session.age, session.title)
    end, function(session)
      require("claudecode.host").ask("terminal", {
        how = "open",
        arguments = "--resume " .. session.id,
        view = vim.empty_dict(),
        context = args.context,
      })
    end)
  end,
}

return M
