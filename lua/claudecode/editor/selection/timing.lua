-- When something is done: at once but not too often, or a while later.
local M = {}

---Something that is done at once, unless it was done a moment ago: then at the end of the pause.
---@param run fun(): integer? does it, and says how long the pause after it is (ms); nil when there was nothing to do
---@return {now_or_soon: fun(), stop: fun(), is_pausing: fun(): boolean}
function M.throttle(run)
  local timer = assert(vim.uv.new_timer())
  local is_pausing, is_wanted = false, false
  local do_it

  local on_pause_over = vim.schedule_wrap(function()
    if is_pausing then -- else it was stopped meanwhile
      is_pausing = false
      if is_wanted then
        do_it()
      end
    end
  end)

  function do_it()
    is_wanted, is_pausing = false, true -- what `run` itself asks for comes after the pause
    local pause = run()
    if pause then
      timer:start(pause, 0, on_pause_over)
    else
      is_pausing = false
    end
  end

  return {
    now_or_soon = function()
      if is_pausing then
        is_wanted = true
      else
        do_it()
      end
    end,
    stop = function()
      timer:stop()
      is_pausing, is_wanted = false, false
    end,
    is_pausing = function()
      return is_pausing
    end,
  }
end

---Something that is done a while after it was first asked for.
---@param run fun()
---@return {start: fun(ms: integer), stop: fun()}
function M.delay(run)
  local timer = assert(vim.uv.new_timer())
  local is_running = false
  local on_over = vim.schedule_wrap(function()
    if is_running then -- else it was stopped meanwhile
      is_running = false
      run()
    end
  end)
  return {
    start = function(ms)
      if not is_running then
        is_running = true
        timer:start(ms, 0, on_over)
      end
    end,
    stop = function()
      is_running = false
      timer:stop()
    end,
  }
end

return M
