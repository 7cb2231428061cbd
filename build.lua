-- lazy.nvim runs this by itself after install and update: the packages and the bundle, without a global npm package.
-- `npm` prints a lot; only its last lines matter, and only when it fails.
local root = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")

local function run(command)
  local done = vim.system(command, { cwd = root, text = true }):wait()
  if done.code ~= 0 then
    local output = vim.trim((done.stdout or "") .. (done.stderr or ""))
    error(("claudecode: `%s` failed in %s\n%s"):format(table.concat(command, " "), root, output:sub(-2000)), 0)
  end
end

if vim.fn.executable("npm") == 0 then
  error("claudecode: npm was not found. Install Node.js 20.19 or newer, then run :Lazy build claudecode-node.nvim", 0)
end
local windows = vim.fn.has("win32") == 1
run({ windows and "npm.cmd" or "npm", "ci", "--omit=dev", "--no-audit", "--no-fund" })
run({ "node", "node_modules/tsx/dist/cli.mjs", "scripts/build.ts" })
