-- In the place of neo-tree where it is not there: its command, which shows the folder that the user is in.
local M = {}

function M.execute()
  require("neo-tree.sources.manager")._open()
end

return M
