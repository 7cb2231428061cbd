-- What the terminal multiplexers can do with a pane, each by its own command.
local M = {}

local wait_ms = 2000 -- a multiplexer answers at once, or something is wrong with it

---@return string? output nil when it failed
---@return string? reason
local function run(argv, input)
  local done, reason = require("claudecode.run").wait(argv, { input = input }, wait_ms)
  if done and done.code == 0 then
    return vim.trim(done.stdout)
  end
  return nil, reason or ("%s failed: %s"):format(table.concat({ argv[1], argv[2] }, " "), vim.trim(done.stderr))
end

local function percent(view)
  return tostring(math.max(1, math.floor(view.width * 100)))
end

---@param file string
---@return string? pid nil when the process has not begun
function M.pid_in(file)
  return vim.fn.filereadable(file) == 1 and vim.fn.readfile(file)[1] or nil
end

M.tmux = {
  inside = "TMUX",
  open = function(launch, words, view, focus)
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
    return run(vim.list_extend(argv, words))
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

M.wezterm = {
  inside = "WEZTERM_PANE",
  open = function(launch, words, view)
    local side = view.split_side == "left" and "--left" or "--right"
    local argv = { "wezterm", "cli", "split-pane", side, "--percent", percent(view), "--cwd", launch.cwd, "--" }
    return run(vim.list_extend(argv, words))
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

M.kitty = {
  inside = "KITTY_LISTEN_ON",
  open = function(launch, words, view, focus)
    local argv = { "kitten", "@", "launch", "--type=window", "--location=vsplit", "--cwd", launch.cwd }
    vim.list_extend(argv, { "--bias", percent(view) })
    if not focus then
      argv[#argv + 1] = "--keep-focus"
    end
    return run(vim.list_extend(argv, words))
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
M.zellij = {
  inside = "ZELLIJ",
  open = function(launch, words, view, _, pid_file)
    local direction = view.split_side == "left" and "left" or "right"
    local argv = { "zellij", "run", "--close-on-exit", "--name", "Claude", "--direction", direction }
    vim.list_extend(argv, { "--cwd", launch.cwd, "--" })
    local output, reason = run(vim.list_extend(argv, words))
    if not output then
      return nil, reason
    end
    vim.wait(wait_ms, function()
      return vim.fn.getfsize(pid_file) > 0
    end, 10)
    local pid = M.pid_in(pid_file)
    return pid, not pid and "zellij run started nothing" or nil
  end,
  is_there = function(pid)
    return vim.uv.kill(tonumber(pid), 0) == 0
  end,
  close = function(pid)
    vim.uv.kill(tonumber(pid), "sigterm")
  end,
}

return M
