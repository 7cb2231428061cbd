-- Which window of a tab page may show a diff beside it: general rules instead of a list of plugins.
local M = {}

---@param win integer
---@return boolean normal not a float
function M.is_normal(win)
  return vim.api.nvim_win_get_config(win).relative == ""
end

---@param tab integer? tab page, the current one by default
---@return integer[] windows without floats, in the order of |winnr()|
function M.list(tab)
  return vim.tbl_filter(M.is_normal, vim.api.nvim_tabpage_list_wins(tab or 0))
end

---Whether the user works on text there. Not so: trees, terminals, lists and help (their buffers have a 'buftype'),
---side bars ('winfixwidth'), windows that are tied to their buffer, and windows that belong to a diff.
---@param win integer
---@return boolean
function M.is_for_code(win)
  local wo = vim.wo[win]
  return M.is_normal(win)
    and vim.bo[vim.api.nvim_win_get_buf(win)].buftype == ""
    and not (wo.winfixbuf or wo.winfixwidth or wo.previewwindow or wo.diff)
end

---@param tab integer? tab page, the current one by default
---@return boolean
function M.has_diff(tab)
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(tab or 0)) do
    if vim.wo[win].diff then
      return true
    end
  end
  return false
end

---The window beside which a diff belongs: one that shows `buffer`, else the one where the user is or was last.
---@param buffer integer? buffer of the file
---@return integer? window of the current tab page
function M.for_code(buffer)
  local candidates = { vim.api.nvim_get_current_win() }
  local before = vim.fn.win_getid(vim.fn.winnr("#"))
  if before ~= 0 then
    candidates[2] = before
  end
  vim.list_extend(candidates, M.list())
  local fallback
  for _, win in ipairs(candidates) do
    if M.is_for_code(win) then
      if vim.api.nvim_win_get_buf(win) == buffer then
        return win
      end
      fallback = fallback or win
    end
  end
  return fallback
end

---The widest window of the current tab page, side bars last: where a new window takes the least away.
---@return integer
function M.widest()
  local best, best_width
  for _, win in ipairs(M.list()) do
    local width = vim.api.nvim_win_get_width(win) + (vim.wo[win].winfixwidth and 0 or vim.o.columns)
    if not best or width > best_width then
      best, best_width = win, width
    end
  end
  return best
end

return M
