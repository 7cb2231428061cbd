// What the plugin costs when Neovim starts: its stubs, and setup(). Asserts that no process is started before VimEnter.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makePlaces, type Places, repository } from '../test/support/places.ts'
import { atMost, type Figure, forEachNeovim, inMs, measureInTurns, median, printFigures } from './support.ts'

const rounds = 40
const stubsLimitMs = 0.2
const setupLimitMs = 1

const onPath = `vim.opt.runtimepath:prepend(${JSON.stringify(repository)})\n`

/** Measures setup(), and looks for processes at the end of VimEnter. The answer goes to a file. */
const measureSetup = `${onPath}
  local start = vim.uv.hrtime()
  require('claudecode').setup({})
  local cost = (vim.uv.hrtime() - start) / 1e6
  vim.api.nvim_create_autocmd('VimEnter', { callback = function()
    local answer = { cost = cost, children = vim.api.nvim_get_proc_children(vim.fn.getpid()) }
    vim.fn.writefile({ vim.json.encode(answer) }, vim.env.BENCH_ANSWER)
    vim.cmd.quitall()
  end })`

async function runNeovim(places: Places, program: string, init: string, args: string[], env = {}): Promise<void> {
  const config = path.join(places.home, '.config', 'nvim')
  await mkdir(config, { recursive: true })
  await writeFile(path.join(config, 'init.lua'), init)
  execFileSync(program, ['--headless', ...args], { cwd: places.folder, env: { ...places.environment, ...env } })
}

await forEachNeovim(async neovim => {
  const places = await makePlaces()
  const startLog = path.join(places.base, 'startuptime')
  const answerFile = path.join(places.base, 'answer')

  async function startWith(init: string): Promise<string> {
    await writeFile(startLog, '')
    await runNeovim(places, neovim.path, init, ['--startuptime', startLog, '+qa'])
    return readFile(startLog, 'utf8')
  }
  /** A line is "clock  self+sourced  self: what", in ms. */
  async function sourceStubs(): Promise<number> {
    const cost = /^\S+ +(\S+) +\S+: sourcing \S+\/plugin\/claudecode\.lua/m.exec(await startWith(onPath))?.[1]
    assert(cost, 'plugin/claudecode.lua was not sourced')
    return Number(cost)
  }
  async function startWhole(init: string): Promise<number> {
    const clock = [...(await startWith(init)).matchAll(/^(\S+) .*--- NVIM STARTED ---/gm)].at(-1)?.[1]
    assert(clock, 'Neovim did not start')
    return Number(clock)
  }
  async function setUp(): Promise<number> {
    await runNeovim(places, neovim.path, measureSetup, [], { BENCH_ANSWER: answerFile })
    const answer = JSON.parse(await readFile(answerFile, 'utf8')) as { cost: number; children: number[] }
    assert.deepEqual(answer.children, [], 'a process was started before VimEnter')
    return answer.cost
  }

  const times = await measureInTurns(
    {
      stubs: sourceStubs,
      setup: setUp,
      bare: () => startWhole(''),
      whole: () => startWhole(`${onPath}require('claudecode').setup({})`),
    },
    rounds,
  )
  await places.remove()
  const stubs = median(times.stubs)
  const setup = median(times.setup)
  const figures: Figure[] = [
    { what: 'plugin/claudecode.lua', value: inMs(stubs), goal: atMost(stubs, stubsLimitMs, 'ms') },
    { what: 'setup({})', value: inMs(setup), goal: atMost(setup, setupLimitMs, 'ms') },
    {
      what: 'all of Neovim’s start',
      value: inMs(median(times.whole)),
      ratio: `${(median(times.whole) / median(times.bare)).toFixed(2)} × without the plugin`,
    },
  ]
  printFigures(`Start-up, Neovim ${neovim.version} (no process before VimEnter)`, figures)
})
