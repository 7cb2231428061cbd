-- The lists of nvim-cmp and blink.cmp in a prompt: they are as ever, but while an @word is typed there is one list only, ours.
local M = {}

local with_cmp = {} ---@type table<integer, true> buffers that nvim-cmp knows about

---@param buffer integer
---@param is_ours fun(): boolean whether an @word ends at the cursor
local function tell_cmp(buffer, is_ours)
  local cmp = package.loaded.cmp
  if with_cmp[buffer] or not cmp or buffer ~= vim.api.nvim_get_current_buf() then
    return
  end
  with_cmp[buffer] = true
  local before = cmp.get_config().enabled -- the user's
  cmp.setup.buffer({
    enabled = function()
      if is_ours() then
        return false
      elseif type(before) == "function" then
        return before()
      end
      return before ~= false
    end,
  })
end

---@param buffer integer
---@param completion boolean? what blink.cmp asks
local function tell_blink(buffer, completion)
  local blink = package.loaded["blink.cmp"]
  if blink and completion == false and vim.b[buffer].completion ~= false then
    blink.hide() -- it would leave its list of the word before there
  end
  vim.b[buffer].completion = completion
end

---@param buffer integer
---@param group integer
---@param is_ours fun(): boolean
function M.keep_out(buffer, group, is_ours)
  local before = vim.b[buffer].completion
  vim.api.nvim_create_autocmd("TextChangedI", {
    group = group,
    buffer = buffer,
    callback = function()
      tell_cmp(buffer, is_ours)
      if is_ours() then
        tell_blink(buffer, false)
      else
        tell_blink(buffer, before)
      end
    end,
  })
  vim.api.nvim_create_autocmd("BufWipeout", {
    group = group,
    buffer = buffer,
    callback = function()
      with_cmp[buffer] = nil
    end,
  })
end

return M
