-- The part of :checkhealth claudecode about where Claude runs: the option terminal.provider.
local M = {}

local cures = {
  snacks = { "Install folke/snacks.nvim, and call its setup()" },
  external = { 'Set terminal.provider_opts.external_terminal_cmd, such as to "alacritty -e %s"' },
  custom = { "Give the table all functions that a provider has: see `:help claudecode-option-terminal.provider`" },
}

---@return string name of the provider that is wanted
local function wanted()
  local terminal = require("claudecode.config").get("terminal", "table") or {}
  local provider = terminal.provider
  if type(provider) == "table" then
    return "custom"
  end
  return type(provider) == "string" and provider or "auto"
end

---Reports.
function M.check()
  local providers = require("claudecode.terminal.providers")
  local name = wanted()
  if name == "none" then
    vim.health.info('terminal.provider is "none": start `claude --ide` yourself, or type /ide in one that runs')
    return
  elseif name == "auto" then
    local found = providers.find("snacks").is_available() and "snacks.nvim" or "Neovim's own"
    vim.health.ok(("Claude runs in a window of %s"):format(found))
    return
  end
  local provider = providers.find(name)
  if not provider then
    return -- which costs a warning when Neovim starts
  end
  local available, reason = provider.is_available()
  if available then
    vim.health.ok(("Claude runs where terminal.provider says: %s"):format(name))
  else
    vim.health.warn(
      ("%s, so Claude runs in a window of Neovim's own"):format(reason),
      cures[name] or { ("Start Neovim inside of %s"):format(name), 'Or set terminal.provider to "auto"' }
    )
  end
end

return M
