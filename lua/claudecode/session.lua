-- One Neovim's session: what must outlive a host that crashes (port and token), and what a new host is told first.
local M = {}

local port ---@type integer?
local token ---@type string?
local lock_file ---@type string?
local hooks ---@type {port: integer, secret: string}? what the Claudes that run were told at their start
local wants_server = false

---The folders of the workspace, the working directory first.
---@return string[]
function M.folders()
  return require("claudecode.editor.folders").list()
end

---The server is wanted from now on, also after a crash of the host.
---@param wanted boolean
function M.want_server(wanted)
  wants_server = wanted
end

---@return string? folder Claude's configuration, where $CLAUDE_CONFIG_DIR says; absolute, since the host runs in another folder
function M.config_dir()
  local chosen = vim.env.CLAUDE_CONFIG_DIR
  return chosen and chosen ~= "" and vim.fn.fnamemodify(chosen, ":p") or nil
end

---@return string? path of the lock file, while there is one
function M.lock_file()
  return lock_file
end

---Removes a lock file that a host left behind which did not come back.
function M.forget_lock()
  if lock_file then
    vim.uv.fs_unlink(lock_file)
    lock_file = nil
  end
end

---Begins to remember what the host may ask for later.
local function watch()
  require("claudecode.editor.privacy").watch()
  require("claudecode.editor.documents").watch()
  require("claudecode.editor.stamps").watch()
  require("claudecode.editor.diagnostics").watch()
  require("claudecode.editor.refresh").watch()
end

M.rpc = {
  ---A host has started: this is what it begins with.
  ---@param args {channel: integer}
  begin = function(args)
    require("claudecode.host").attached(args.channel)
    watch()
    return {
      pid = vim.fn.getpid(),
      folders = require("claudecode.editor.folders").watch(),
      options = require("claudecode.config").as_data(),
      config_dir = M.config_dir(),
      serve = wants_server,
      port = port,
      token = token,
      hooks = hooks,
      tracking = require("claudecode.editor.privacy").wanted(),
      outbox = require("claudecode.outbox").waiting(),
      sessions = require("claudecode.terminal.sessions").described(),
    }
  end,

  ---The host is done with starting.
  ready = function()
    require("claudecode.host").ready()
    require("claudecode.commands.consent").ask_again()
    local prompt = package.loaded["claudecode.prompt"]
    if prompt then
      prompt.ask_again()
    end
    require("claudecode.editor.folders").tell()
    require("claudecode.editor.privacy").tell()
    return true
  end,

  ---Where the hooks of Claudes post to, for the next host.
  ---@param args {port: integer, secret: string}
  hooks = function(args)
    hooks = args
    return true
  end,

  ---The server is up, or (no port) down again. The port and the token are kept for the next host.
  ---@param args {port: integer?, token: string?, lock_file: string?}
  serving = function(args)
    wants_server = args.port ~= nil -- also when a command has started it: a new host shall, too
    port = args.port or port
    token = args.token or token
    lock_file = args.lock_file
    require("claudecode.status").set({ port = args.port or false })
    return true
  end,
}

return M
