// Neovim's own keys for diffs: in the layouts of two windows they work as in any diff, and the mix is what is sent.
import { expect, test } from 'vitest'
import { recordNotices } from '../../support/diff.ts'
import { startLayout } from '../../support/diff-shape.ts'

const before = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const proposal = ['ONE', 'two', 'three', 'four', 'FIVE', 'six', 'seven', 'eight', 'NINE', 'ten']
const toText = (lines: string[]) => `${lines.join('\n')}\n`

test.each(['vertical', 'horizontal'])('U-08: ]c, [c, do, dp, u and :diffget in the layout "%s"', async layout => {
  const review = await startLayout(`diff_opts = { layout = '${layout}' }`, {
    files: { 'a.txt': toText(before) },
    init: recordNotices,
  })
  const { nvim } = review
  const proposed = await review.open('a.txt', toText(proposal))
  const line = () => nvim.lua<number>('return vim.fn.line(".")')
  expect(await line()).toBe(1)
  await nvim.feed(']c')
  expect(await line()).toBe(5)
  await nvim.feed(']c')
  expect(await line()).toBe(9)
  await nvim.feed('[c')
  expect(await line()).toBe(5)

  // The old line is put back into the proposal, then taken out of it again, and put back after all.
  await nvim.feed('do')
  expect(await nvim.lua('return vim.fn.getline(5)')).toBe('five')
  await nvim.feed('u')
  expect(await nvim.lua('return vim.fn.getline(5)')).toBe('FIVE')
  await nvim.feed(':diffget<CR>')
  // dp puts a hunk into the file's buffer: it differs no more, and the file has unsaved changes of the user's.
  await nvim.feed('ggdp')
  expect(await nvim.lua(`return vim.fn.getbufline('a.txt', 1)`)).toEqual(['ONE'])
  expect(await review.changedLines()).toEqual([[9], [9, 10]])
  await nvim.feed(':w<CR>')
  expect(await proposed.answer).toEqual(['FILE_SAVED', toText(proposal.with(4, 'five'))])
  expect(await nvim.lua(`return vim.bo[vim.fn.bufnr('a.txt')].modified`)).toBe(true)
})
