-- The providers "tmux", "wezterm", "kitty" and "zellij": Claude in a pane beside Neovim. Only panes that were made here
-- are ever touched, by the id that the program gave them.
local M = {}

local wait_ms = 2000 -- a multiplexer answers at once, or something is wrong with it

---@return string? output nil when it failed
---@return string? reason
local function run(argv, input)
  local started, process = pcall(vim.system, argv, { text = true, stdin = input })
  if not started then
    return nil, ("%s is not an executable"):format(argv[1])
  end
  local done = process:wait(wait_ms)
  if done.code ~= 0 then
    return nil, ("%s failed: %s"):format(table.concat({ argv[1], argv[2] }, " "), vim.trim(done.stderr or ""))
  end
  return vim.trim(done.stdout or "")
end

local function percent(view)
  return tostring(math.max(1, math.floor(view.width * 100)))
end

-- what a pane has of its own, or what says that the program runs inside of Neovim
local not_handed_on = {
  "^TERM",
  "^TMUX",
  "^WEZTERM_",
  "^KITTY_",
  "^ZELLIJ",
  "^NVIM",
  "^VIM",
  "^COLUMNS$",
  "^LINES$",
  "^PWD$",
  "^OLDPWD$",
  "^SHLVL$",
  "^_$",
}

local function is_handed_on(name)
  for _, pattern in ipairs(not_handed_on) do
    if name:match(pattern) then
      return false
    end
  end
  return name:match("^[%a_][%w_]*$") ~= nil
end

local start_script = 'file=$0; . "$file"; echo $$ > "$file.pid"; rm -f "$file"; exec "$@"'

---The program with Neovim's environment, and Claude's on top: a multiplexer would give it its own server's. It travels in a
---private file, since everybody can read the words of a program call.
---@return string[] argv
---@return string file
local function with_env(launch)
  local lines = {}
  for name, value in vim.spairs(vim.tbl_extend("force", vim.fn.environ(), launch.env)) do
    if launch.env[name] or is_handed_on(name) then
      lines[#lines + 1] = ("export %s='%s'"):format(name, (value:gsub("'", "'\\''")))
    end
  end
  local file = vim.fn.tempname() -- in a folder that is the user's alone
  local opened = assert(io.open(file, "w"))
  opened:write(table.concat(lines, "\n"), "\n")
  opened:close()
  return vim.list_extend({ "sh", "-c", start_script, file }, launch.argv), file
end

local kinds = {} ---@type table<string, table>

kinds.tmux = {
  inside = "TMUX",
  open = function(launch, view, focus)
    local argv =
      { "tmux", "split-window", "-h", "-P", "-F", "#{pane_id}", "-l", percent(view) .. "%", "-c", launch.cwd }
    if vim.env.TMUX_PANE then
      vim.list_extend(argv, { "-t", vim.env.TMUX_PANE })
    end
    if view.split_side == "left" then
      argv[#argv + 1] = "-b"
    end
    if not focus then
      argv[#argv + 1] = "-d"
    end
    argv[#argv + 1] = "--"
    return run(vim.list_extend(argv, (with_env(launch))))
  end,
  is_there = function(pane)
    return run({ "tmux", "display-message", "-p", "-t", pane, "#{pane_id}" }) == pane
  end,
  focus = function(pane)
    run({ "tmux", "select-window", "-t", pane })
    run({ "tmux", "select-pane", "-t", pane })
  end,
  close = function(pane)
    run({ "tmux", "kill-pane", "-t", pane })
  end,
  is_here = function(pane)
    local window = "#{window_id}"
    return run({ "tmux", "display-message", "-p", "-t", pane, window })
      == run({ "tmux", "display-message", "-p", "-t", vim.env.TMUX_PANE or "", window })
  end,
  hide = function(pane)
    run({ "tmux", "break-pane", "-d", "-s", pane })
  end,
  bring = function(pane, view)
    local argv =
      { "tmux", "join-pane", "-h", "-d", "-l", percent(view) .. "%", "-s", pane, "-t", vim.env.TMUX_PANE or "" }
    if view.split_side == "left" then
      table.insert(argv, 3, "-b")
    end
    run(argv)
  end,
  send = function(pane, bytes)
    local buffer = "claudecode-" .. vim.fn.getpid()
    return run({ "tmux", "load-buffer", "-b", buffer, "-" }, bytes) ~= nil
      and run({ "tmux", "paste-buffer", "-d", "-r", "-b", buffer, "-t", pane }) ~= nil
  end,
}

kinds.wezterm = {
  inside = "WEZTERM_PANE",
  open = function(launch, view)
    local side = view.split_side == "left" and "--left" or "--right"
    local argv = { "wezterm", "cli", "split-pane", side, "--percent", percent(view), "--cwd", launch.cwd, "--" }
    return run(vim.list_extend(argv, (with_env(launch))))
  end,
  is_there = function(pane)
    local listed = run({ "wezterm", "cli", "list", "--format", "json" })
    local done, panes = pcall(vim.json.decode, listed or "")
    for _, item in ipairs(done and panes or {}) do
      if tostring(item.pane_id) == pane then
        return true
      end
    end
    return false
  end,
  focus = function(pane)
    run({ "wezterm", "cli", "activate-pane", "--pane-id", pane })
  end,
  unfocus = function()
    run({ "wezterm", "cli", "activate-pane", "--pane-id", vim.env.WEZTERM_PANE })
  end,
  close = function(pane)
    run({ "wezterm", "cli", "kill-pane", "--pane-id", pane })
  end,
  send = function(pane, bytes)
    return run({ "wezterm", "cli", "send-text", "--no-paste", "--pane-id", pane }, bytes) ~= nil
  end,
}

kinds.kitty = {
  inside = "KITTY_LISTEN_ON",
  open = function(launch, view, focus)
    local argv = { "kitten", "@", "launch", "--type=window", "--location=vsplit", "--cwd", launch.cwd }
    vim.list_extend(argv, { "--bias", percent(view) })
    if not focus then
      argv[#argv + 1] = "--keep-focus"
    end
    return run(vim.list_extend(argv, (with_env(launch))))
  end,
  is_there = function(pane)
    return run({ "kitten", "@", "ls", "--match", "id:" .. pane }) ~= nil
  end,
  focus = function(pane)
    run({ "kitten", "@", "focus-window", "--match", "id:" .. pane })
  end,
  close = function(pane)
    run({ "kitten", "@", "close-window", "--match", "id:" .. pane })
  end,
  send = function(pane, bytes)
    return run({ "kitten", "@", "send-text", "--match", "id:" .. pane, "--stdin" }, bytes) ~= nil
  end,
}

-- zellij can only act on the pane that has the focus, so Claude's pane is known by its process, which says its id.
kinds.zellij = {
  inside = "ZELLIJ",
  open = function(launch, view)
    local direction = view.split_side == "left" and "left" or "right"
    local argv = { "zellij", "run", "--close-on-exit", "--name", "Claude", "--direction", direction }
    vim.list_extend(argv, { "--cwd", launch.cwd, "--" })
    local words, file = with_env(launch)
    local output, reason = run(vim.list_extend(argv, words))
    if not output then
      return nil, reason
    end
    local pid_file = file .. ".pid"
    vim.wait(wait_ms, function()
      return vim.fn.getfsize(pid_file) > 0
    end, 10)
    local pid = vim.fn.filereadable(pid_file) == 1 and vim.fn.readfile(pid_file)[1] or nil
    return pid, not pid and "zellij run started nothing" or nil
  end,
  is_there = function(pid)
    return vim.uv.kill(tonumber(pid), 0) == 0
  end,
  close = function(pid)
    vim.uv.kill(tonumber(pid), "sigterm")
  end,
}

local made = {} ---@type table<string, table> providers by name

---@param name "tmux"|"wezterm"|"kitty"|"zellij"
---@return table provider
function M.provider(name)
  if made[name] then
    return made[name]
  end
  local kind = kinds[name]
  local provider = {}
  local pane ---@type string?
  made[name] = provider

  function provider.is_available()
    return vim.env[kind.inside] ~= nil, ("Neovim does not run in %s ($%s is not set)"):format(name, kind.inside)
  end

  function provider.is_running()
    if pane and not kind.is_there(pane) then
      pane = nil
    end
    return pane ~= nil
  end

  function provider.start(launch, view, focus)
    local opened, reason = kind.open(launch, view, focus)
    if not opened then
      return nil, reason
    end
    pane = opened
    if not focus and kind.unfocus then
      kind.unfocus()
    end
    return true
  end

  function provider.stop()
    if provider.is_running() then
      kind.close(pane)
    end
    pane = nil
  end

  function provider.where()
    if kind.is_here then
      return kind.is_here(pane) and "here" or "hidden"
    end
    return "hidden" -- it can't be hidden, so a toggle goes there
  end

  function provider.show(view, focus)
    if kind.bring and not kind.is_here(pane) then
      kind.bring(pane, view)
    end
    if focus and kind.focus then
      kind.focus(pane)
    end
  end

  function provider.hide()
    if kind.hide then
      kind.hide(pane)
    end
  end

  if kind.send then
    function provider.send(bytes)
      return provider.is_running() and kind.send(pane, bytes)
    end
  end

  return provider
end

return M
