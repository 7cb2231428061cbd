// A proposal for a long file, from Claude's message to the screen, beside Neovim's own :diffsplit of the same two files.
import { setTimeout as pause } from 'node:timers/promises'
import { connectThroughLockFile } from '../test/support/claude-client.ts'
import { startNeovim, type TestNeovim } from '../test/support/neovim.ts'
import { waitForServer } from '../test/support/plugin.ts'
import { atMost, forEachNeovim, inMs, measureInTurns, median, printFigures } from './support.ts'

const sizes = [50_000, 300_000] // lines
const layouts = ['vertical', 'horizontal', 'unified'] as const
const changes = 100
const rounds = 7
const limit = 2

function textOf(lines: number, isProposal: boolean): string {
  const line = (number: number) => `the quick brown fox jumps over the lazy dog ${number}`
  const isChanged = (index: number) => isProposal && index % (lines / changes) === 0
  return Array.from({ length: lines }, (_, index) => `${line(isChanged(index) ? -index : index)}\n`).join('')
}

/**
 * The main loop, looked at every millisecond: the longest time between two looks is what a key would have waited. The
 * looks are scheduled, since timers run also in the middle of a command, at which no key is heard.
 */
const watchLoop = `
  _G.longest, _G.last = 0, vim.uv.hrtime()
  _G.look = function()
    local at = vim.uv.hrtime()
    _G.longest, _G.last = math.max(_G.longest, (at - _G.last) / 1e6), at
  end
  _G.watcher = _G.watcher or vim.uv.new_timer()
  _G.watcher:start(0, 1, vim.schedule_wrap(_G.look))`

/** When the diff is on the screen. */
const recordOpened = `
  vim.api.nvim_create_autocmd('User', { pattern = 'ClaudeCodeDiffOpened', callback = function()
    vim.cmd.redraw()
    _G.opened_at = vim.uv.hrtime() / 1e6
  end })`

const diffsplit = `
  ${watchLoop}
  local start = vim.uv.hrtime()
  vim.cmd('vertical diffsplit b.txt | redraw')
  _G.time = (vim.uv.hrtime() - start) / 1e6`

const momentMs = 100 // in which what is left to do may stall the loop, too
const endOfStall = '_G.watcher:stop() return _G.longest'

async function forgetDiff(nvim: TestNeovim): Promise<void> {
  await nvim.lua("vim.cmd('diffoff! | silent! only') vim.cmd('silent! bwipeout! b.txt')")
}

async function measure(nvim: TestNeovim, lines: number) {
  const claude = await connectThroughLockFile(nvim.configDir)
  const proposal = textOf(lines, true)
  const stalls: Record<string, number[]> = {}
  const keepStall = async (what: string) => {
    const values = stalls[what] ?? []
    stalls[what] = values
    await pause(momentMs)
    values.push(await nvim.lua<number>(endOfStall))
  }

  async function splitByNeovim(): Promise<number> {
    await nvim.lua(diffsplit)
    await keepStall('diffsplit')
    await forgetDiff(nvim)
    return nvim.lua<number>('return _G.time')
  }
  async function openByClaude(layout: string): Promise<number> {
    await nvim.lua("require('claudecode').setup({ diff_opts = { layout = ... } })", layout)
    await nvim.lua(`_G.opened_at = nil ${watchLoop}`)
    const path = `${nvim.folder}/a.txt`
    const args = { old_file_path: path, new_file_path: path, new_file_contents: proposal, tab_name: 'the diff' }
    const answer = claude.callTool('openDiff', args, { timeout: 60_000 })
    const start = Number(process.hrtime.bigint()) / 1e6 // the message is written by now, which takes Claude a while, too
    const openedAt = await nvim.waitFor<number>('_G.opened_at', 'the diff', 60_000)
    await keepStall(layout)
    await claude.callTool('closeAllDiffTabs')
    await answer
    return openedAt - start
  }
  const measurements = { diffsplit: splitByNeovim } as Record<string, () => Promise<number>>
  for (const layout of layouts) measurements[layout] = () => openByClaude(layout)
  const times = await measureInTurns(measurements, rounds)
  await claude.close()
  return { times, stalls }
}

await forEachNeovim(async neovim => {
  for (const lines of sizes) {
    const nvim = await startNeovim({
      init: `require('claudecode').setup({})\n${recordOpened}`,
      files: { 'a.txt': textOf(lines, false), 'b.txt': textOf(lines, true) },
      args: ['a.txt'],
    })
    try {
      await waitForServer(nvim)
      const { times, stalls } = await measure(nvim, lines)
      const [time, stall] = [times, stalls].map(of => (what: string) => median(of[what] ?? []))
      const figures = layouts.flatMap(layout =>
        [
          { what: `openDiff, ${layout}`, of: time },
          { what: '  its longest stall of the editor', of: stall },
        ].map(({ what, of }) => {
          const [value, own] = [of?.(layout) ?? 0, of?.('diffsplit') ?? 0]
          return {
            what,
            value: inMs(value),
            ratio: `${(value / own).toFixed(2)} ×`,
            goal: atMost(value / own, limit, '×'),
          }
        }),
      )
      printFigures(`Diff, Neovim ${neovim.version}: ${lines} lines, ${changes} of them changed`, [
        { what: ':diffsplit of the two files', value: inMs(time?.('diffsplit') ?? 0) },
        { what: '  its longest stall of the editor', value: inMs(stall?.('diffsplit') ?? 0) },
        ...figures,
      ])
    } finally {
      await nvim.close()
    }
  }
})
