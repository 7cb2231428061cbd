-- Installs the packages and makes the bundle, without a global npm package. lazy.nvim runs this by itself after install and
-- update; everyone else runs `nvim -l build.lua`.
local root = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")))
local programs = dofile(root .. "/lua/claudecode/run.lua") -- this plugin need not be on 'runtimepath'
local is_windows = vim.fn.has("win32") == 1
local kept_output = 2000 -- bytes; npm prints a lot, and the reason of a failure stands at the end

---lazy.nvim runs this in a coroutine, shows what it yields, and resumes it again and again: Neovim stays alive meanwhile.
---Anywhere else there is nobody who would resume it.
local function can_yield()
  return coroutine.isyieldable ~= nil and coroutine.isyieldable()
end

---Waits for the process. Neovim handles its events meanwhile.
---@param job integer
---@param is_done fun(): boolean
---@param status string
local function wait(job, is_done, status)
  if not can_yield() then
    while not is_done() do
      vim.wait(60000, is_done, 50)
    end
    return
  end
  local tick = assert(vim.uv.new_timer()) -- a resume comes with the next event, so that there must be one
  tick:start(0, 50, function() end)
  local answer = coroutine.yield(status)
  while not is_done() and answer ~= "abort" do
    answer = coroutine.yield()
  end
  tick:close()
  if answer == "abort" then
    vim.fn.jobstop(job)
    error("aborted", 0)
  end
end

---@param status string what the user reads meanwhile
---@param command string[]
---@return string output
local function run(status, command)
  local done
  local job, problem = programs.start(command, { cwd = root }, function(result)
    done = result
  end)
  if job then
    wait(job, function()
      return done ~= nil
    end, status)
  else
    done = { code = -1, stdout = "", stderr = problem }
  end
  if done.code ~= 0 then
    local output = vim.trim(done.stdout .. done.stderr)
    local reason = ("`%s` failed in %s (exit code %d)"):format(table.concat(command, " "), root, done.code)
    error(("claudecode: %s\n%s"):format(reason, output:sub(-kept_output)), 0)
  end
  return done.stdout
end

for _, program in ipairs({ "node", "npm" }) do
  if vim.fn.executable(program) == 0 then
    error(("claudecode: %s was not found: install Node.js 20.19 or newer, and build again"):format(program), 0)
  end
end
local found = vim.trim(run("Looking at Node.js", { "node", "--version" }))
if vim.version.lt(found, { 20, 19, 0 }) then -- npm would only warn
  error(("claudecode: Node.js %s is too old: install 20.19 or newer, and build again"):format(found), 0)
end
local npm = is_windows and "npm.cmd" or "npm"
local has_notebooks = vim.uv.fs_stat(root .. "/node_modules/zeromq") ~= nil -- who has asked for it keeps it
run("Installing the packages", { npm, "ci", "--omit=dev", "--no-audit", "--no-fund" })
if has_notebooks then
  run("Installing what notebooks need", { npm, "run", "notebooks" })
end
run("Making the bundle", { "node", "--import", "tsx", "scripts/build.ts" })
