-- The folders of the workspace: the working directory first, then those of the language servers.
local M = {}

local home ---@type string? the working directory as the user chose it last: 'autochdir' is not a choice

---@param path string
---@return string without "/" at its end
local function plain(path)
  return #path > 1 and (path:gsub("(.)/+$", "%1")) or path
end

---@return string[] folders absolute, none twice
function M.list()
  local folders, known = {}, {}
  local function add(path)
    path = plain(path)
    if path ~= "" and not known[path] then
      known[path] = true
      folders[#folders + 1] = path
    end
  end
  if home and vim.o.autochdir then
    add(home)
  else
    add(vim.fn.getcwd())
    add(vim.fn.getcwd(-1, -1)) -- also while the user is in a window with `:lcd`
  end
  local lsp = package.loaded["vim.lsp"] -- asking `vim.lsp` would load it, for some milliseconds of every start
  for _, client in ipairs(lsp and lsp.get_clients() or {}) do
    for _, folder in ipairs(client.workspace_folders or {}) do
      if folder.uri:find("^file:") then
        add(vim.uri_to_fname(folder.uri))
      end
    end
  end
  return folders
end

local told ---@type string[]? what the host knows

---Tells the host when the folders are others than it knows.
function M.tell()
  local folders = M.list()
  if not vim.deep_equal(folders, told) and require("claudecode.host").phase() == "ready" then
    told = folders
    require("claudecode.host").notify("folders", { folders = folders })
  end
end

---Keeps the host informed from now on.
---@return string[] folders as they are now
function M.watch()
  local group = vim.api.nvim_create_augroup("ClaudeCodeFolders", {})
  vim.api.nvim_create_autocmd("DirChanged", {
    group = group,
    callback = function(args)
      if args.match ~= "auto" then
        home = vim.fn.getcwd()
      end
      M.tell()
    end,
  })
  vim.api.nvim_create_autocmd({ "LspAttach", "LspDetach" }, {
    group = group,
    callback = vim.schedule_wrap(M.tell), -- a client that detaches is still listed at this moment
  })
  home = home or vim.fn.getcwd()
  told = M.list()
  return told
end

M.rpc = {
  ---@return string[] folders also those that a language server was given by hand, of which no event tells
  list = function()
    M.tell()
    return M.list()
  end,
}

return M
