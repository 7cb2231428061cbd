-- The second half of :checkhealth claudecode: the host, its server, the lock file, who is connected.
local M = {}

local start_patience_ms = 10000 -- a host that is not ready by then never will be; a slow machine needs 2 s through tsx

local function check_host()
  local host = require("claudecode.host")
  local phase = host.phase()
  local is_serving = require("claudecode.status").get().port -- which it does a moment before it is ready
  if phase == "stopped" then
    vim.health.warn("The server is not running", {
      "Run :ClaudeCodeStart",
      "If that does not help, :ClaudeCodeLog says why",
    })
  elseif phase == "starting" and host.age_ms() > start_patience_ms then
    vim.health.error(("The host was started %d s ago, and is not ready"):format(host.age_ms() / 1000), {
      "Read :ClaudeCodeLog",
      "Check the option node_cmd: what it names must run Node.js and pass on stdin, stdout and the arguments",
    })
  elseif phase == "starting" and not is_serving then
    vim.health.info("The host is starting. Run :checkhealth claudecode again in a moment")
  elseif not is_serving then
    vim.health.warn("The host runs, but its server does not", {
      "Run :ClaudeCodeStart",
      "If that does not help, :ClaudeCodeLog says why: the ports of port_range, or the folder of the lock files",
    })
  else
    return true
  end
end

local function check_lock_file()
  local lock = require("claudecode.session").lock_file()
  if lock and vim.uv.fs_stat(lock) then
    vim.health.ok("Lock file " .. lock)
  else
    vim.health.error(("The lock file %s is missing, so that Claude can't find Neovim"):format(lock or "(unknown)"), {
      "Run :ClaudeCodeStop, then :ClaudeCodeStart",
    })
  end
end

---Claude is connected, and why the user may see no diff all the same.
local function check_diffs(has_had)
  local options = require("claudecode.config").get("diff_opts", "table") or {}
  if options.enabled == false then
    vim.health.info("diff_opts.enabled is false: Claude shows what it proposes in its terminal")
  elseif has_had then
    vim.health.ok("Claude has proposed changes as diffs")
  else
    vim.health.info(
      "Connected, but Claude has not opened a diff yet. If it edits files without one, check /config (the diff tool) and "
        .. "the permission mode (Shift-Tab) in Claude: in the modes that accept edits by themselves it opens none"
    )
  end
end

---Reports.
function M.check()
  vim.health.start("claudecode: server")
  if not check_host() then
    return
  end
  local status = require("claudecode.status").get()
  vim.health.ok(("The server listens on 127.0.0.1:%d"):format(status.port))
  check_lock_file()
  vim.health.info("Workspace folders: " .. table.concat(require("claudecode.session").folders(), ", "))
  if status.clients > 0 then
    vim.health.ok(("%d connected"):format(status.clients))
    check_diffs(status.had_diffs)
  else
    vim.health.info("No Claude is connected. Start one with :ClaudeCode, or type /ide in one that runs elsewhere")
  end
end

return M
