-- When a diff may open: not while the user is in the middle of something, for it would take the keys that they type.
local M = {}

local group ---@type integer?

---@return boolean
function M.is_right()
  local mode = vim.api.nvim_get_mode().mode
  return (mode == "n" or mode == "nt" or mode == "t") and vim.fn.getcmdwintype() == ""
end

---Calls `run` once, at the next right moment.
---@param run fun()
function M.wait(run)
  if group then
    return
  end
  group = vim.api.nvim_create_augroup("ClaudeCodeMoment", {})
  vim.api.nvim_create_autocmd({ "SafeState", "ModeChanged" }, {
    group = group,
    callback = vim.schedule_wrap(function()
      if group and M.is_right() then
        vim.api.nvim_del_augroup_by_id(group)
        group = nil
        run()
      end
    end),
  })
end

return M
