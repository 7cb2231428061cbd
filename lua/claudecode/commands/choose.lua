-- A list that the user chooses from, for a host that has found what is in it.

---Returns at once; the list appears a moment later, outside of the host's call.
---@generic T
---@param items T[]
---@param prompt string
---@param describe fun(item: T): string a line
---@param chosen fun(item: T) called unless the user leaves the list
---@return true
return function(items, prompt, describe, chosen)
  vim.schedule(function()
    vim.ui.select(items, { prompt = prompt, format_item = describe }, function(item)
      if item then
        chosen(item)
      end
    end)
  end)
  return true
end
