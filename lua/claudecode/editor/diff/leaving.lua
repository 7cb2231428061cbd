-- The end of Neovim, as far as accepted texts go that no file holds yet: they become unsaved changes of their file, and
-- Neovim asks about them as it does about any other.
local life = require("claudecode.editor.diff.life")
local registry = require("claudecode.editor.diff.registry")

local M = {}

local function tell(level, text)
  require("claudecode.notice").show(level, text)
end

---To be called at |ExitPre|, which comes before Neovim looks for unsaved changes.
---@param diff claudecode.diff.Diff
function M.keep(diff)
  if registry.get(diff.id) ~= diff or diff.state ~= "accepted" or diff.is_written then
    return
  end
  local name = life.label(diff)
  local put, refusal = require("claudecode.editor.put_text").put(diff.new_file_path, diff.snapshot)
  if not put then
    diff.is_stuck = true
    if vim.api.nvim_buf_is_loaded(diff.buffer) then
      vim.bo[diff.buffer].modified = true -- for as long as Neovim looks: then it is refused
    end
    return tell("error", ("the text that you accepted for %s stays in its diff: %s"):format(name, refusal))
  end
  registry.remove(diff)
  require("claudecode.host").notify("diffKept", { id = diff.id })
  if put.is_changed then
    local undo = put.had_unsaved and "; undo brings your own changes back" or ""
    tell("info", ("the text that you accepted for %s is in its buffer, not saved yet%s"):format(name, undo))
  end
  vim.schedule(function() -- Neovim gives up quitting when a window goes now
    life.close(diff, "Neovim was about to quit")
  end)
end

return M
