-- Notebooks: which one the user is in, and whether Claude may run code in its kernel. The kernels are the host's.
local M = {}

local most_lines = 5000 -- of a Python file are looked at for cells, so that huge ones cost nothing
local head_lines = 60 -- jupytext's header is shorter
local seen = false -- the user has been in a notebook

---@param buffer integer
---@return boolean
local function has_cells(buffer)
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, most_lines, false)) do
    if line:find("^#%s?%%%%") then
      return true
    end
  end
  return false
end

---@param buffer integer
---@return "ipynb"|"cells"|nil kind nil when it is no notebook
local function kind_of(buffer)
  local buftype = vim.bo[buffer].buftype
  if buftype ~= "" and buftype ~= "acwrite" then -- plugins that show an .ipynb as text write it by themselves
    return nil
  end
  if vim.api.nvim_buf_get_name(buffer):lower():find("%.ipynb$") then
    return "ipynb"
  end
  if vim.bo[buffer].filetype == "python" and vim.api.nvim_buf_get_name(buffer) ~= "" and has_cells(buffer) then
    return "cells"
  end
end

---The notebook that the user is in; in Claude's terminal, a tree or a float it is the one before.
---@return integer? buffer
---@return "ipynb"|"cells"|nil kind
local function active()
  local current = vim.api.nvim_get_current_buf()
  local kind = kind_of(current)
  if kind then
    return current, kind
  end
  local buffer = require("claudecode.editor.documents").active()
  kind = buffer and kind_of(buffer)
  if kind then
    return buffer, kind
  end
end

local function look()
  if not seen and kind_of(vim.api.nvim_get_current_buf()) and require("claudecode.host").phase() == "ready" then
    seen = true
    require("claudecode.host").notify("notebook", {})
    vim.api.nvim_create_augroup("ClaudeCodeJupyter", {}) -- once is all that counts
  end
end

M.rpc = {
  ---Begins to look out for notebooks.
  ---@return {seen: boolean} whether the user has been in one, or is now
  watch = function()
    seen = seen or active() ~= nil
    local group = vim.api.nvim_create_augroup("ClaudeCodeJupyter", {})
    if not seen then
      vim.api.nvim_create_autocmd({ "BufEnter", "BufWritePost", "FileType", "InsertLeave" }, {
        group = group,
        callback = vim.schedule_wrap(look), -- the file's type is known a moment after the file is entered
      })
    end
    return { seen = seen }
  end,

  ---@return {path: string, kind: "ipynb"|"cells", head: string[]}|{} notebook
  active = function()
    local buffer, kind = active()
    if not buffer or require("claudecode.editor.privacy").is_hidden(buffer) then
      return vim.empty_dict()
    end
    return {
      path = vim.api.nvim_buf_get_name(buffer),
      kind = kind,
      head = vim.api.nvim_buf_get_lines(buffer, 0, head_lines, false),
    }
  end,

  ---The environment as plugins for virtual environments have left it, without what is only Neovim's.
  ---@return table<string, string>
  environment = function()
    local env = vim.fn.environ()
    env.VIM, env.VIMRUNTIME, env.MYVIMRC = nil, nil, nil
    return env
  end,

  ---Shows code and asks whether it may run. The host hears `codeAnswer`.
  ---@param args {id: integer, code: string, title: string, note: string}
  ask = function(args)
    require("claudecode.jupyter.question").ask(args)
    return true
  end,

  ---Nobody waits for that answer any more.
  ---@param args {id: integer}
  dismiss = function(args)
    require("claudecode.jupyter.question").dismiss(args.id)
    return true
  end,
}

return M
