-- luacheck: the Lua that Neovim runs is LuaJIT, with `vim` as its only extra global.
std = "luajit"
read_globals = { "vim" }
-- `vim.bo.x = …` and the like set fields of a read-only global.
globals = { "vim.bo", "vim.wo", "vim.b", "vim.w", "vim.g", "vim.go", "vim.o", "vim.opt", "vim.v", "vim.env", "vim.paste" }
max_line_length = false
