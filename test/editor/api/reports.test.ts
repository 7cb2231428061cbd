// What users of such plugins reported of configuration and events, where the tests by subject have no case of their own.
import { expect, test } from 'vitest'
import { startReview } from '../../support/diff.ts'
import { startNeovim } from '../../support/neovim.ts'
import { waitForServer } from '../../support/plugin.ts'

const mapped = `local maps = {}
  for _, mode in ipairs({ 'n', 'x', 's', 'i', 'c', 't', 'o' }) do
    for _, map in ipairs(vim.api.nvim_get_keymap(mode)) do
      maps[#maps + 1] = mode .. map.lhs
    end
  end
  table.sort(maps)
  return maps`

test('U-07: no key is mapped but in our own windows', async () => {
  const bare = await startNeovim({ plugin: false })
  const review = await startReview({ files: { 'a.txt': 'one\n' }, args: ['a.txt'] })
  await review.open('a.txt', 'two\n')
  const withoutPlugs = (maps: string[]) => maps.filter(map => !/<Plug>\(claude/i.test(map))
  expect(withoutPlugs(await review.nvim.lua<string[]>(mapped))).toEqual(await bare.lua(mapped))
  await review.nvim.feed('<C-w>h')
  expect(await review.nvim.lua("return vim.api.nvim_buf_get_keymap(0, 'n')")).toEqual([])
})

test('U-08: [c, do and dp take back single changes of a proposal, and the mix is what Claude gets', async () => {
  const old = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n'
  const review = await startReview({ files: { 'a.txt': old }, args: ['a.txt'] })
  const proposed = await review.open('a.txt', old.replace('two', 'TWO').replace('eight', 'EIGHT'))
  await review.nvim.feed('gg]cdo')
  await review.nvim.feed('G[cccAcht<Esc>:w<CR>')
  expect(await proposed.answer).toEqual(['FILE_SAVED', old.replace('eight', 'Acht')])
})

test('U-03: the text for a status line takes less than a millisecond', async () => {
  const nvim = await startNeovim({ init: "require('claudecode').setup({})" })
  await waitForServer(nvim)
  const times = await nvim.lua<number[]>(`
    local times = {}
    for round = 1, 101 do
      local start = vim.uv.hrtime()
      require('claudecode').statusline()
      times[round] = (vim.uv.hrtime() - start) / 1e6
    end
    table.sort(times)
    return times`)
  expect(times[50]).toBeLessThan(1)
})
