// What tracking the selection costs the editor: its share of the time while a key is held, and the longest stall when a
// big file is selected as a whole, each beside the same without tracking.
import { setTimeout as pause } from 'node:timers/promises'
import type { TestNeovim } from '../test/support/neovim.ts'
import { startTracking } from '../test/support/selection.ts'
import { atMost, forEachNeovim, inMs, median, printFigures } from './support.ts'

const keyEveryMs = 33 // the usual key repeat
const heldForMs = 3000
const bigFile = 'the quick brown fox jumps over the lazy dog\n'.repeat(300_000)
const stalls = 7

/** Adds up the time that the plugin's listeners and timers take, which is ours alone. */
const addUp = `
  _G.spent = 0
  local function timed(run)
    return function(...)
      local start = vim.uv.hrtime()
      local result = run(...)
      _G.spent = _G.spent + vim.uv.hrtime() - start
      return result
    end
  end
  local create, wrap = vim.api.nvim_create_autocmd, vim.schedule_wrap
  vim.api.nvim_create_autocmd = function(events, options)
    if options.group == 'ClaudeCodeSelection' then
      options.callback = timed(options.callback)
    end
    return create(events, options)
  end
  vim.schedule_wrap = function(run)
    return wrap(timed(run))
  end`

/** Part of the main loop's time that goes into tracking while `j` is held. */
async function shareWhileHeld(nvim: TestNeovim, begin: string): Promise<number> {
  await nvim.feed(`<Esc>gg${begin}`)
  await nvim.lua('_G.spent, _G.began = 0, vim.uv.hrtime()')
  for (let held = 0; held < heldForMs; held += keyEveryMs) {
    await nvim.input('j')
    await pause(keyEveryMs)
  }
  return nvim.lua<number>('return _G.spent / (vim.uv.hrtime() - _G.began)')
}

/** The longest time (ms) in which Neovim's loop did nothing else, from typing `ggVG` to Claude knowing it, or a second. */
async function stall(nvim: TestNeovim, isOver: () => boolean): Promise<number> {
  await nvim.feed('<Esc>gg0')
  await nvim.lua(`
    _G.longest, _G.last = 0, vim.uv.hrtime()
    _G.ticks = _G.ticks or vim.uv.new_timer()
    _G.ticks:start(0, 1, function()
      local at = vim.uv.hrtime()
      _G.longest, _G.last = math.max(_G.longest, at - _G.last), at
    end)`)
  await nvim.input('ggVG')
  const deadline = performance.now() + 1000
  while (performance.now() < deadline && !isOver()) await pause(5)
  return nvim.lua<number>('_G.ticks:stop() return _G.longest / 1e6')
}

await forEachNeovim(async neovim => {
  const options = { files: { 'a.txt': bigFile }, args: ['a.txt'], init: addUp }
  const tracked = await startTracking(options)
  const untracked = await startTracking({ ...options, setup: '{ track_selection = false }' })
  const listener = await tracked.connect()
  try {
    const shares = []
    for (const [what, begin] of [
      ['in Normal mode', ''],
      ['in Visual mode', 'v'],
      ['in Visual block mode', '<C-v>'],
    ] as const) {
      const share = await shareWhileHeld(tracked.nvim, begin)
      shares.push({ what: `holding j ${what}`, value: `${(share * 100).toFixed(2)} % of the time` })
    }
    const [withIt, withoutIt]: [number[], number[]] = [[], []]
    for (let i = 0; i < stalls; i++) {
      const from = listener.told.length
      const knows = () => listener.told.slice(from).some(({ selection }) => selection.end.line === 299_999)
      withIt.push(await stall(tracked.nvim, knows))
      withoutIt.push(await stall(untracked.nvim, () => false))
    }
    printFigures(`Selection, Neovim ${neovim.version}: what tracking costs the editor`, [
      ...shares,
      { what: 'longest stall of ggVG, 300,000 lines, no tracking', value: inMs(median(withoutIt)) },
      {
        what: 'the same with tracking',
        value: inMs(median(withIt)),
        ratio: `${(median(withIt) / median(withoutIt)).toFixed(2)} ×`,
        goal: atMost(median(withIt), 100, 'ms'),
      },
    ])
  } finally {
    await listener.claude.close()
    await Promise.all([tracked.nvim.close(), untracked.nvim.close()])
  }
})
