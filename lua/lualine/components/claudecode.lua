-- The component "claudecode" of lualine.nvim, which finds it by the name of this file.
return function()
  return (require("claudecode").statusline():gsub("%%", "%%%%"))
end
