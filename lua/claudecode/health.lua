-- :checkhealth claudecode: what is there, what is missing, and the cure for each fault.
local M = {}

local oldest_node = { 20, 19, 0 }
local node_cure = "Install Node.js 20.19 or newer"

local function check_neovim()
  if vim.fn.has("nvim-0.10") == 1 then
    vim.health.ok("Neovim " .. tostring(vim.version()))
  else
    vim.health.error(("Neovim %s is too old"):format(tostring(vim.version())), { "Install Neovim 0.10 or newer" })
  end
  -- The plugin that this one takes the place of has the same module name.
  local modules = vim.api.nvim_get_runtime_file("lua/claudecode/init.lua", true)
  if #modules > 1 then
    vim.health.warn("Two plugins have the Lua module claudecode: " .. table.concat(modules, ", "), { "Remove one" })
  end
end

---@return string program the Node program that runs the host: Neovim's provider knows no node_cmd
local function node_program()
  return require("claudecode.host").is_in_provider() and "node" or require("claudecode.config").node_cmd()
end

local function check_node(version)
  local program = node_program()
  local path = vim.fn.exepath(program)
  local major, minor = (version or ""):match("^v(%d+)%.(%d+)")
  if path == "" then
    vim.health.error(("Node.js (%s) was not found"):format(program), {
      node_cure,
      "Or set the option node_cmd to the path of the program",
    })
  elseif not major then
    vim.health.error(("`%s --version` does not tell a version"):format(path), {
      "Check that it is Node.js 20.19 or newer, or set the option node_cmd to one that is",
    })
  elseif vim.version.lt({ tonumber(major), tonumber(minor), 0 }, oldest_node) then
    vim.health.error(("Node.js %s (%s) is too old"):format(version, path), { node_cure })
  else
    vim.health.ok(("Node.js %s (%s)"):format(version, path))
  end
end

---@return integer seconds since 1970 of the last change of a file below `folder`
local function newest_change(folder)
  local newest = 0
  for name, kind in vim.fs.dir(folder, { depth = 10 }) do
    local stat = kind == "file" and vim.uv.fs_stat(folder .. "/" .. name)
    newest = math.max(newest, stat and stat.mtime.sec or 0)
  end
  return newest
end

local function check_installation()
  local root = require("claudecode.host").root()
  local cure = ("Run `nvim -l %s/build.lua` in a shell, or with lazy.nvim `:Lazy build %s`"):format(
    root,
    vim.fs.basename(root)
  )
  local bundle = vim.uv.fs_stat(root .. "/dist/host.cjs")
  if bundle and bundle.mtime.sec < newest_change(root .. "/src") then
    vim.health.warn(
      "The bundle dist/host.cjs is older than src/, so what runs is not what you installed last",
      { cure }
    )
  elseif bundle then
    vim.health.ok("The bundle dist/host.cjs is there")
  elseif vim.uv.fs_stat(root .. "/node_modules/tsx") then
    vim.health.warn("There is no bundle, so the host starts slowly, from src/", { cure })
  else
    vim.health.error("The plugin is not built: there is neither the bundle nor the packages to make it", { cure })
  end
end

local function check_provider()
  if not require("claudecode.host").is_in_provider() then
    return
  end
  local program = vim.g.node_host_prog
  if not require("claudecode.host.provider").is_registered() then
    vim.health.error('host = "provider", but this plugin is not in the manifest of remote plugins', {
      "Run :UpdateRemotePlugins, then start Neovim again",
    })
  elseif require("claudecode.host").phase() == "ready" then
    vim.health.ok("The host runs in Neovim's Node provider")
  elseif type(program) == "string" and vim.fn.filereadable(vim.fs.normalize(program)) == 0 then
    vim.health.error(("g:node_host_prog names %s, which is not there"):format(program), {
      "Run `npm install -g neovim`, and let g:node_host_prog be the path of its bin/cli.js",
      'Or remove the option host = "provider"',
    })
  else
    vim.health.info("Registered as a remote plugin; `:checkhealth vim.provider` looks at Neovim's Node provider itself")
  end
end

---The first word of the option terminal_cmd, which may be quoted.
---@return string
local function claude_program()
  local command = vim.trim(require("claudecode.config").get("terminal_cmd", "string") or "")
  local quoted = command:match("^'(.-)'") or command:match('^"(.-)"')
  local program = quoted or command:match("^%S+") or "claude"
  return vim.fs.normalize(program)
end

local function check_claude(version)
  local program = claude_program()
  local terminal = require("claudecode.config").get("terminal", "table") or {}
  if vim.fn.executable(program) == 1 and version then
    vim.health.ok(("Claude Code: %s (%s)"):format(version, vim.fn.exepath(program)))
  elseif vim.fn.executable(program) == 1 then
    vim.health.warn(("`%s --version` does not tell a version"):format(program), {
      "Run it in a terminal to see why",
      "Check the option terminal_cmd",
    })
  elseif terminal.provider == "none" then
    vim.health.info(("Claude Code (%s) was not found, and terminal.provider is none"):format(program))
  else
    vim.health.error(("Claude Code (%s) was not found"):format(program), {
      "Install it: npm install -g @anthropic-ai/claude-code",
      "Or set the option terminal_cmd to the command that starts it",
    })
  end
end

---Called by :checkhealth claudecode. Waits for nothing but the programs' versions.
function M.check()
  local versions = require("claudecode.health.versions").ask({
    node = { node_program(), "--version" },
    claude = { claude_program(), "--version" },
  })
  vim.health.start("claudecode: programs")
  check_neovim()
  check_node(versions.node)
  check_installation()
  check_provider()
  check_claude(versions.claude)
  require("claudecode.health.terminal").check()
  require("claudecode.health.server").check()
end

return M
