// What Claude waits for, and what the user feels of it: getOpenEditors, and getDiagnostics with 10,000 diagnostics.
import { fileURLToPath } from 'node:url'
import { type ClaudeClient, connectThroughLockFile, readLockFiles } from '../test/support/claude-client.ts'
import { startNeovim, type TestNeovim } from '../test/support/neovim.ts'
import { atMost, forEachNeovim, inMs, measureInTurns, median, printFigures } from './support.ts'

const openFiles = 20
const diagnostics = 10_000
const rounds = 200
const warmingRounds = 1000 // until V8 has compiled what runs in the host and in this client: until then a ping takes thrice as long
const slowRounds = 30
const openEditorsLimitMs = 1
const diagnosticsLimitMs = 50
const stallLimitMs = 20

/** Diagnostics as a language server's client has them, of the severities in turn. */
const reportDiagnostics = `
  local count, severities = ...
  local namespace = vim.api.nvim_create_namespace('bench')
  local lines, all = {}, {}
  for i = 1, count do
    lines[i] = 'local x = ' .. i
    local severity = severities[(i - 1) % #severities + 1]
    local range = { start = { line = i - 1, character = 6 }, ['end'] = { line = i - 1, character = 7 } }
    all[i] = { lnum = i - 1, col = 6, end_lnum = i - 1, end_col = 7, severity = severity, source = 'lua_ls',
      message = 'Unused local number ' .. i .. ', as language servers put it in a sentence', code = 'unused-local',
      user_data = { lsp = { code = 'unused-local', severity = severity, range = range, tags = { 1 } } } }
  end
  vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
  vim.bo.modified = false
  vim.diagnostic.config({ virtual_text = false, signs = false, underline = false })
  vim.diagnostic.set(namespace, 0, all)`

/** The main loop, looked at every millisecond: the longest time between two looks is what a key would have waited. */
const watchLoop = `
  local last = vim.uv.hrtime()
  longest = 0
  watcher = watcher or vim.uv.new_timer()
  watcher:start(0, 1, function()
    local now = vim.uv.hrtime()
    longest = math.max(longest, (now - last) / 1e6)
    last = now
  end)`
const longestStall = 'watcher:stop() return longest'

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function stallOf(nvim: TestNeovim, work: () => Promise<unknown>): Promise<number> {
  await nvim.lua(watchLoop)
  await work()
  return nvim.lua<number>(longestStall)
}

async function connect(nvim: TestNeovim): Promise<ClaudeClient> {
  await nvim.waitFor(async () => (await readLockFiles(nvim.configDir)).size === 1, 'the lock file')
  return connectThroughLockFile(nvim.configDir)
}

/** Measures and prints, for each Neovim. */
export async function run(): Promise<void> {
  await forEachNeovim(async neovim => {
    const names = Array.from({ length: openFiles }, (_, index) => `file-${index}.lua`)
    const files = Object.fromEntries(names.map(name => [name, `return '${name}'\n`]))
    const nvim = await startNeovim({ init: "require('claudecode').setup {}", files, args: names })
    try {
      await nvim.lua('vim.cmd("silent argdo edit")')
      const claude = await connect(nvim)
      const list = () => claude.callTool('getOpenEditors')
      const questions = {
        list: () => timeOf(list),
        folders: () => timeOf(() => claude.callTool('getWorkspaceFolders')),
        ping: () => timeOf(() => claude.request('ping')),
      }
      const early = await measureInTurns(questions, rounds)
      await measureInTurns(questions, warmingRounds)
      const quick = await measureInTurns(questions, rounds)

      const ask = () => claude.callTool('getDiagnostics')
      const measureDiagnostics = async (severities: number[]) => {
        await nvim.lua(reportDiagnostics, diagnostics, severities)
        await ask()
        return measureInTurns(
          {
            time: () => timeOf(ask),
            stall: () => stallOf(nvim, ask),
            idle: () => stallOf(nvim, () => new Promise(resolve => setTimeout(resolve, 20))),
            get: () => stallOf(nvim, () => nvim.lua('vim.diagnostic.get()')),
          },
          slowRounds,
        )
      }
      const mixed = await measureDiagnostics([1, 2, 3, 4])
      const errors = await measureDiagnostics([1])
      await claude.close()
      const figure = (what: string, values: number[], limit?: number) => ({
        what,
        value: inMs(median(values)),
        ...(limit !== undefined && { goal: atMost(median(values), limit, 'ms') }),
      })
      printFigures(`Tools, Neovim ${neovim.version}: from Claude's question to its answer`, [
        // The goal is for the first ones: few sessions ask so often that Node has compiled it all.
        figure(`getOpenEditors, ${openFiles} files`, early.list, openEditorsLimitMs),
        figure('getWorkspaceFolders', early.folders),
        figure('ping, which does not ask Neovim', early.ping),
        figure(`getOpenEditors, after ${warmingRounds} rounds more`, quick.list),
        figure('ping, after them', quick.ping),
        figure(`getDiagnostics, ${diagnostics} of four severities`, mixed.time, diagnosticsLimitMs),
        figure('  its longest stall of the editor', mixed.stall, stallLimitMs),
        figure('  the same without a question', mixed.idle),
        figure('  the same for vim.diagnostic.get()', mixed.get),
        figure(`getDiagnostics, ${diagnostics} errors`, errors.time, diagnosticsLimitMs),
        figure('  its longest stall of the editor', errors.stall, stallLimitMs),
        figure('  the same for vim.diagnostic.get()', errors.get),
      ])
    } finally {
      await nvim.close()
    }
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run()
