-- The user's selection: watched, and read when the host asks.
local M = {}

local function tracking()
  return require("claudecode.editor.selection.tracking")
end

M.rpc = {
  ---Tracks from now on: the host is notified with `selection` (facts) and `selectionGone` (a buffer).
  ---@param pace claudecode.SelectionPace
  ---@return claudecode.SelectionFacts|false now
  track = function(pace)
    return tracking().start(pace) or false
  end,

  ---@return true
  untrack = function()
    tracking().stop()
    return true
  end,

  ---What is selected at this moment.
  ---@param args {inline_limit: integer}
  ---@return claudecode.SelectionFacts|false
  read = function(args)
    local now = tracking().read()
    return now and require("claudecode.editor.selection.facts").add_text(now, args.inline_limit) or false
  end,

  ---A part of a text that was too long to travel with its facts.
  ---@param args {facts: claudecode.SelectionFacts, from: {line: integer, column: integer}, limit: integer}
  ---@return {text: string, next: {line: integer, column: integer}?}|false part false when the text is another by now, or private
  part = function(args)
    local buffer = args.facts.buffer
    if
      not vim.api.nvim_buf_is_loaded(buffer)
      or vim.api.nvim_buf_get_changedtick(buffer) ~= args.facts.changedtick
      or require("claudecode.editor.privacy").is_hidden(buffer)
    then
      return false
    end
    local text, next_part = require("claudecode.editor.selection.facts").part(args.facts, args.from, args.limit)
    return { text = text, next = next_part }
  end,
}

return M
