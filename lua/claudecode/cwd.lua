-- The folder that Claude starts in.
local M = {}

local git_wait_ms = 2000 -- a Git that does not answer must not hold up the editor for longer

---The root of the Git repository that a folder is in.
---@param dir string?
---@return string?
function M.git_root(dir)
  if type(dir) ~= "string" or dir == "" then
    return nil
  end
  local argv = { "git", "-C", dir, "rev-parse", "--show-toplevel" }
  local done = require("claudecode.run").wait(argv, nil, git_wait_ms)
  local root = done and done.code == 0 and vim.trim(done.stdout) or ""
  if root ~= "" then
    return root
  end
  return vim.fs.root(dir, ".git")
end

---@param value any
---@return string? path
local function path(value)
  return type(value) == "string" and value ~= "" and vim.fs.normalize(value) or nil
end

---@param options {cwd: string?, git_repo_cwd: boolean?, cwd_provider: function?}
---@param context {file: string?, file_dir: string?, cwd: string}
---@return string? folder nil when the options say nothing
function M.resolve(options, context)
  if vim.is_callable(options.cwd_provider) then
    local done, result = pcall(options.cwd_provider, context)
    if done and path(result) then
      return path(result)
    elseif not done then
      require("claudecode.notice").show("warn", "cwd_provider failed: " .. tostring(result))
    end
  end
  if path(options.cwd) then
    return path(options.cwd)
  end
  return options.git_repo_cwd == true and M.git_root(context.file_dir or context.cwd) or nil
end

---The options as the user wrote them, since a function can't travel to the host: those of the call come first, then those of
---`terminal`, then those at the top.
---@param overrides claudecode.TerminalOverrides
local function written(overrides)
  local config = require("claudecode.config")
  local sources = { overrides, config.get("terminal", "table") or {}, config.given() }
  local options = {}
  for _, name in ipairs({ "cwd", "git_repo_cwd", "cwd_provider" }) do
    for _, source in ipairs(sources) do
      if options[name] == nil then
        options[name] = source[name]
      end
    end
  end
  return options
end

---The folder that Claude would start in at this moment.
---@param overrides claudecode.TerminalOverrides?
---@return string
function M.folder(overrides)
  local cwd = vim.fn.getcwd()
  local file = vim.bo.buftype == "" and vim.api.nvim_buf_get_name(0) or ""
  local context =
    { cwd = cwd, file = file ~= "" and file or nil, file_dir = file ~= "" and vim.fs.dirname(file) or nil }
  return M.resolve(written(overrides or {}), context) or cwd
end

---What the host needs to know to find the user's session, or to start a program as the user would: the session that is
---meant whatever the folder is, the folder, and what proxies say in the environment.
---@param overrides claudecode.TerminalOverrides?
---@return {session: string?, cwd: string, no_proxy: string?, NO_PROXY: string?}
function M.launch_context(overrides)
  local session = require("claudecode.terminal.sessions").here()
  return {
    session = session and session.id,
    cwd = M.folder(overrides),
    no_proxy = vim.env.no_proxy,
    NO_PROXY = vim.env.NO_PROXY,
  }
end

return M
