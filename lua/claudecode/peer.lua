-- Fields of the module `claudecode` that configurations of the Lua plugin's users read.
local M = {}

local fields = {
  initialized = function()
    return true
  end,
  config = function()
    return require("claudecode.config").given()
  end,
  port = function()
    return require("claudecode.status").get().port or nil
  end,
  server = function() -- only asked whether there is one
    local port = require("claudecode.status").get().port
    return port and { port = port } or nil
  end,
}

---What goes on, to be read only.
M.state = setmetatable({}, {
  __index = function(_, name)
    return fields[name] and fields[name]()
  end,
})

---The version, as a table with a method.
M.version = setmetatable({}, {
  __index = function(_, name)
    local version = require("claudecode").get_version()
    return name == "string" and function()
      return version.version
    end or version[name]
  end,
})

return M
