-- Accepted texts that no file holds when Neovim is ended from outside, by a signal or with its terminal: there is nobody to
-- ask any more, so each is left in a file, of which the user is told once, when Neovim starts again.
local bytes = require("claudecode.editor.bytes")
local registry = require("claudecode.editor.diff.registry")

local M = {}

local longest = 200 -- bytes of a name: file systems allow 255, and there is more in it than the path

local function folder()
  return vim.fn.stdpath("state") .. "/claudecode/accepted"
end

---The path of a file as the name of one, as 'undodir' has them, but so that it can be read again.
local function name_of(path)
  return (path:gsub("[%%/]", { ["%"] = "%25", ["/"] = "%2F" })):sub(-longest)
end

local function path_of(name)
  return (name:gsub("%%(%x%x)", function(digits)
    return string.char(tonumber(digits, 16))
  end))
end

---Holds an accepted text in memory: Neovim deletes its temporary folder before |VimLeavePre| when a signal ends it.
---@param diff claudecode.diff.Diff
function M.hold(diff)
  diff.accepted = bytes.of_file(diff.snapshot)
end

---To be called at |VimLeavePre|. What |ExitPre| has dealt with is no diff any more; see leaving.lua.
function M.save()
  for _, diff in ipairs(registry.all()) do
    if diff.state == "accepted" and diff.accepted and not diff.is_written then
      vim.fn.mkdir(folder(), "p", tonumber("700", 8))
      local path = ("%s/%s.%d.new"):format(folder(), name_of(diff.new_file_path), vim.uv.hrtime())
      local file = vim.uv.fs_open(path, "w", tonumber("600", 8))
      if file then
        vim.uv.fs_write(file, diff.accepted)
        vim.uv.fs_close(file)
      end
    end
  end
end

---Tells of the texts that were left since the last time. One that its file has got after all is deleted.
function M.tell()
  for name in vim.fs.dir(folder()) do
    local about, number = name:match("^(.*)%.(%d+)%.new$")
    local file = folder() .. "/" .. name
    local path = about and path_of(about)
    if path and bytes.of_file(path) == bytes.of_file(file) then
      vim.uv.fs_unlink(file)
    elseif path then
      local kept = ("%s/%s-%s"):format(folder(), number, vim.fs.basename(path)) -- a name that can be typed
      vim.uv.fs_rename(file, kept)
      local text = "Neovim was ended before the text that you accepted for %s was written; it is in %s"
      require("claudecode.notice").show("warn", text:format(path, kept))
    end
  end
end

return M
