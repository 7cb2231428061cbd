-- :checkhealth claudecode: what is there, what is missing, and the cure for each fault.
local M = {}

local oldest_node = { 20, 19 }
local version_wait_ms = 5000 -- a program that does not tell its version in this time is reported as faulty

---@return string? output first line of what the program prints, nil when it fails
local function first_line(command)
  local started, process = pcall(vim.system, command, { text = true })
  if not started then
    return nil
  end
  local done = process:wait(version_wait_ms)
  if done.code ~= 0 then
    return nil
  end
  return vim.split(done.stdout or "", "\n")[1]
end

---@return string version of the Node program, in words
function M.node_version()
  local node = require("claudecode.host").node()
  return ("Node.js %s"):format(node and first_line({ node, "--version" }) or "(not found)")
end

local function check_neovim()
  if vim.fn.has("nvim-0.10") == 1 then
    vim.health.ok("Neovim " .. tostring(vim.version()))
  else
    vim.health.error("Neovim is too old", { "Install Neovim 0.10 or newer" })
  end
end

local function check_node()
  local node = require("claudecode.host").node()
  if not node then
    vim.health.error("Node.js was not found", {
      "Install Node.js 20.19 or newer",
      "Or set the option node_cmd to the path of the program",
    })
    return
  end
  local version = first_line({ node, "--version" })
  local major, minor = (version or ""):match("^v(%d+)%.(%d+)")
  if not major then
    vim.health.error(("%s does not tell its version"):format(node), { "Check that it is Node.js 20.19 or newer" })
  elseif vim.version.lt({ tonumber(major), tonumber(minor), 0 }, { oldest_node[1], oldest_node[2], 0 }) then
    vim.health.error(("Node.js %s (%s) is too old"):format(version, node), { "Install Node.js 20.19 or newer" })
  else
    vim.health.ok(("Node.js %s (%s)"):format(version, node))
  end
end

local function check_installation()
  local root = require("claudecode.host").root()
  if vim.uv.fs_stat(root .. "/dist/host.cjs") then
    vim.health.ok("The bundle dist/host.cjs is there")
  elseif vim.uv.fs_stat(root .. "/node_modules/tsx") then
    vim.health.warn("There is no bundle, so the host starts slowly, from src/", {
      "Run `npm run build` in " .. root,
    })
  else
    vim.health.error("Neither the bundle nor its packages are installed", {
      "Run `npm ci --omit=dev && npm run build` in " .. root,
      "With lazy.nvim: `:Lazy build claudecode-node.nvim`",
    })
  end
end

local function check_claude()
  local config = require("claudecode.config")
  local terminal = config.get("terminal", "table") or {}
  local command = config.get("terminal_cmd", "string") or "claude"
  local program = vim.fn.expand(vim.split(vim.trim(command ~= "" and command or "claude"), "%s+")[1])
  if vim.fn.executable(program) == 1 then
    local version = first_line({ program, "--version" })
    if version then
      vim.health.ok(("Claude Code: %s (%s)"):format(version, vim.fn.exepath(program)))
    else
      vim.health.warn(("`%s --version` failed"):format(program), { "Run it in a terminal to see why" })
    end
  elseif terminal.provider == "none" then
    vim.health.info(("Claude Code (%s) was not found, and terminal.provider is none"):format(program))
  else
    vim.health.error(("Claude Code (%s) was not found"):format(program), {
      "Install it: npm install -g @anthropic-ai/claude-code",
      "Or set the option terminal_cmd to the command that starts it",
    })
  end
end

local function check_server()
  local phase = require("claudecode.host").phase()
  local status = require("claudecode.status").get()
  if not status.port then
    vim.health.warn(("The server is not running (the host is %s)"):format(phase), {
      "Run :ClaudeCodeStart",
      "If that fails, :ClaudeCodeLog says why",
    })
    return
  end
  vim.health.ok(("The server listens on 127.0.0.1:%d"):format(status.port))
  local lock = require("claudecode.session").lock_file()
  if lock and vim.uv.fs_stat(lock) then
    vim.health.ok("Lock file " .. lock)
  else
    vim.health.error("The lock file is missing, so Claude can't find Neovim", {
      "Run :ClaudeCodeStop, then :ClaudeCodeStart",
    })
  end
  vim.health.info("Workspace folders: " .. table.concat(require("claudecode.session").folders(), ", "))
  if status.clients > 0 then
    vim.health.ok(("%d connected"):format(status.clients))
  else
    vim.health.info("No Claude is connected. Start one with :ClaudeCode, or type /ide in one that runs elsewhere")
  end
end

---Called by :checkhealth claudecode.
function M.check()
  vim.health.start("claudecode: programs")
  check_neovim()
  check_node()
  check_installation()
  check_claude()
  vim.health.start("claudecode: server")
  check_server()
end

return M
