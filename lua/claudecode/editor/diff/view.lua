-- What the user sees of a diff: the layout that the options ask for. Each layout is a module with the same functions, and a
-- view stays with the layout that it was opened in, whatever the options say later.
local M = {}

---@class claudecode.diff.Display what the options say, from src/diffs/display.ts
---@field layout "vertical"|"horizontal"|"unified"
---@field in_new_tab boolean
---@field keep_terminal_focus boolean
---@field hide_terminal_in_new_tab boolean
---@field show_accepted boolean
---@field claude_width number? part of the screen for Claude's split
---@field session string? id of the session that proposes
---@field path string file that the proposal is for
---@field proposal string file with the text that is proposed

---@class claudecode.diff.View
---@field kind "vertical"|"horizontal"|"unified"
---@field display claudecode.diff.Display
---@field proposal integer buffer
---@field original claudecode.diff.Original? nil for a new file
---@field win integer? window of the proposal
---@field left integer? window of the file
---@field pane claudecode.diff.Pane? that window, when it is the user's
---@field own integer[] windows that were made for the diff
---@field tab integer? tab page that was made for the diff
---@field layout claudecode.diff.Layout what was there before
---@field resized {win: integer, before: integer, after: integer}? Claude's split
---@field group integer? autocommands of the layout
---@field review claudecode.diff.Review? of a unified diff
---@field drawing claudecode.diff.Drawing?
---@field look table<string, any>? window options of the user's in a window that a unified diff has borrowed
---@field jumps table? |getjumplist()| there
---@field alternate integer? alternate file there
---@field handed {from: integer, to: integer}? that window closes, and another one has taken its place
---@field had_focus boolean the user was in it when it closed
---@field was_typing boolean? to Claude, beside it

local modules = {
  vertical = "claudecode.editor.diff.side_by_side",
  horizontal = "claudecode.editor.diff.side_by_side",
  unified = "claudecode.editor.diff.unified",
}

local function of(view)
  return require(modules[view.kind])
end

---Shows the diff.
---@param proposal integer buffer
---@param original claudecode.diff.Original?
---@param display claudecode.diff.Display
---@return claudecode.diff.View? view
---@return string? problem with its stack
function M.open(proposal, original, display)
  return require(modules[display.layout]).open(proposal, original, display)
end

---Closes the diff's windows and brings back what was there before.
---@param view claudecode.diff.View
function M.close(view)
  of(view).close(view)
end

---Whether the user still sees the proposal, or could by going back in its window.
---@param view claudecode.diff.View
---@return boolean
function M.is_open(view)
  return require("claudecode.editor.diff.stage").is_open(view)
end

---What will be given back of a buffer is at other lines now.
---@param view claudecode.diff.View
---@param buffer integer
---@param follow fun(line: integer): integer
function M.follow_lines(view, buffer, follow)
  require("claudecode.editor.diff.stage").follow_lines(view, buffer, follow)
end

---Gives the file back to the user. The proposal stays, to be read.
---@param view claudecode.diff.View
function M.end_comparison(view)
  of(view).end_comparison(view)
end

return M
