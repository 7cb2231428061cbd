-- For `opts` in a line of lazy.nvim, which looks for a module that is called as the plugin (or is its only one).
return require("claudecode")
