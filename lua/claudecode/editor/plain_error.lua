-- Neovim's errors as one short sentence for a client: no stack, no place in the user's code, no path to it.

-- What comes before the sentence, in any order and more than once.
local prefixes = {
  '^%a+ Autocommands for ".-": ', -- inside an autocommand
  "^Vim%b(): ?", -- :help v:exception
  "^Vim:",
  "^E%d+: ",
  "^Error executing lua callback: ", -- 0.10
  "^Error executing lua:? ",
  "^Lua%s?%a*: ", -- 0.12
  '^%[string ".-"%]:%d+: ',
  "^%a?:?[^:]*:%d+: ", -- a Lua file and its line
}

---@param err any what pcall() gave, or v:errmsg
---@return string
local function plain_error(err)
  local text = tostring(err):match("^[^\n]*") or ""
  local event
  local before
  repeat
    before = text
    event = event or text:match('^(%a+) Autocommands for "')
    for _, prefix in ipairs(prefixes) do
      text = text:gsub(prefix, "")
    end
  until text == before
  text = text:gsub("%s+%(add ! to override%)", ""):gsub("[%w_~.-]*/[^%s\"']*/", "")
  if text == "" then
    text = "no reason given"
  end
  return event and ("%s autocommand: %s"):format(event, text) or text
end

return plain_error
