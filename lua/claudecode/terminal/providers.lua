-- The places that Claude can run in, behind one interface. `src/terminal/terminal.ts` says which is wanted.
--
-- A provider has `is_available()` and `new(on_end)`, which makes a terminal: one for each session. A terminal has
-- `is_running()`, `process()` (its id, as far as known), `start(launch, view, focus)` and `stop()`. One with windows in this
-- Neovim also has `buffer()`, `where()`, `show(view, focus, here)`, `hide()`, `send(bytes)` and `view()`; one with a pane
-- outside has those of them that its program can do. That of a provider of the user's own has `act(how, launch, view)`.
local M = {}

local panes = { tmux = true, wezterm = true, kitty = true, zellij = true }
local warned = {} ---@type table<string, true> each reason is told once

local function load(name)
  if panes[name] then
    return require("claudecode.terminal.pane").provider(name)
  end
  return require("claudecode.terminal." .. name)
end

local known = { native = true, snacks = true, external = true, none = true, custom = true }

---@param name string
---@return table? provider nil when there is none of that name
function M.find(name)
  return (known[name] or panes[name]) and load(name) or nil
end

---@param name string the option terminal.provider, "custom" for a table
---@return table provider the one wanted, or "native" when that can't be had (the user is told why)
function M.choose(name)
  if name == "auto" then
    return load(load("snacks").is_available() and "snacks" or "native")
  end
  local provider = load(name)
  local available, reason = provider.is_available()
  if available then
    return provider
  end
  if not warned[reason] then
    warned[reason] = true
    require("claudecode.notice").show("warn", ("%s, so Claude runs in a window of Neovim's own"):format(reason))
  end
  return load("native")
end

return M
