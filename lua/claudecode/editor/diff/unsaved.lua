-- A proposal for a file whose buffer has unsaved changes: option diff_opts.on_unsaved.
local documents = require("claudecode.editor.documents")

local M = {}

local quiet_ms = 500 -- longer than between two keys of someone who types
local keys = vim.api.nvim_create_namespace("claudecode_unsaved")

local choices = { { "diff", "Show the diff" }, { "save", "Save, then show it" }, { "refuse", "Don't show it" } }
local answers = {} ---@type table<string, "diff"|"save"|"refuse"|"asking"> by the id of the diff

local function tell(level, text)
  require("claudecode.notice").show(level, text)
end

---Calls `run` when no key was typed for a moment: a question must not take one for its answer.
local function when_quiet(run)
  local typed_at = vim.uv.now()
  vim.on_key(function()
    typed_at = vim.uv.now()
  end, keys)
  local function look()
    local left = quiet_ms - (vim.uv.now() - typed_at)
    if left > 0 or not require("claudecode.editor.diff.moment").is_right() then
      return vim.defer_fn(look, math.max(left, 50))
    end
    vim.on_key(nil, keys)
    run()
  end
  vim.defer_fn(look, quiet_ms)
end

---@param args {id: string}
---@param name string
local function ask(args, name)
  answers[args.id] = "asking"
  when_quiet(function()
    local labels = vim.tbl_map(function(choice)
      return choice[2]
    end, choices)
    local prompt = ("Claude proposes a change of %s, which has unsaved changes."):format(name)
    vim.ui.select(labels, { prompt = prompt }, function(_, index)
      answers[args.id] = index and choices[index][1] or "diff"
      require("claudecode.host").notify("diffMoment", {})
    end)
  end)
end

local function save(path, name)
  local reason = require("claudecode.editor.saving").rpc.save({ paths = { path } }).reason
  if reason then
    tell("warn", ("%s could not be saved before the diff: %s"):format(name, reason))
  end
end

---Whether the diff can be opened now.
---@param args {id: string, old_file_path: string, display: claudecode.diff.Display}
---@return boolean? now false: later, of which the host is told as of any moment
---@return string? refusal
function M.settle(args)
  local path, name = args.old_file_path, vim.fs.basename(args.old_file_path)
  local buffer = documents.find_loaded({ path })
  if not (buffer and vim.bo[buffer].modified) then
    return true
  end
  local what = args.display.on_unsaved
  if what == "ask" then
    what = answers[args.id]
    if not what then
      ask(args, name)
      return false
    elseif what == "asking" then
      return false
    end
    answers[args.id] = nil
  end
  if what == "refuse" then
    tell("info", ("%s has unsaved changes: what Claude proposes for it is not shown"):format(name))
    return nil, "the file has changes in Neovim that are not saved, and the user wants no diff until they are"
  elseif what == "save" then
    save(path, name)
  end
  return true
end

return M
