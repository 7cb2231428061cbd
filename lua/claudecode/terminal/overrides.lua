-- What a call like `require("claudecode.terminal").open({ split_side = "left" })` wants otherwise than the options say.
local M = {}

---@class claudecode.TerminalOverrides
---@field split_side? "left"|"right"
---@field split_width_percentage? number
---@field position? "split"|"float"|"tab"
---@field auto_insert? boolean
---@field cwd? string
---@field git_repo_cwd? boolean
---@field cwd_provider? fun(context: {file: string?, file_dir: string?, cwd: string}): string?

---@param overrides claudecode.TerminalOverrides?
---@return table view what of them is about the window, for the host to check
function M.view(overrides)
  local view = vim.empty_dict()
  for _, name in ipairs({ "split_side", "split_width_percentage", "position", "auto_insert" }) do
    view[name] = (overrides or {})[name]
  end
  return view
end

local patience_ms = 10000 -- a host that has not come by then will not come

---What Claude's window will be like, as far as that can be told before the host has checked the options.
---@return claudecode.terminal.View? view nil when that needs the host
local function early_view(overrides)
  local written = require("claudecode.config").get("terminal", "table") or {}
  local function pick(name, fallback)
    local value = (overrides or {})[name]
    if value == nil then
      value = written[name]
    end
    return value == nil and fallback or value
  end
  local provider = written.provider or "auto"
  local is_native = provider == "native"
    or (provider == "auto" and not require("claudecode.terminal.snacks").is_available())
  local side, width = pick("split_side", "right"), pick("split_width_percentage", 0.3)
  local is_plain = (side == "left" or side == "right") and type(width) == "number" and width > 0 and width < 1
  if is_native and is_plain and pick("position", "split") == "split" then
    return { position = "split", split_side = side, width = width }
  end
end

---Shows Claude's window while the host is still on its way.
---@param overrides claudecode.TerminalOverrides?
function M.show_early(overrides)
  local view = early_view(overrides)
  local early = require("claudecode.terminal.early")
  if view then
    early.prepare(view)
    vim.defer_fn(early.abandon, patience_ms)
  end
end

return M
