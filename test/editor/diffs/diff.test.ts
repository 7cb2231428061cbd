// A proposal is opened, decided and closed.
import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startReview } from '../../support/diff.ts'

const poem = 'first\nsecond\nthird\n'
const changed = 'first\nSECOND\nthird\n'

test('shows the file on the left and the proposal on the right, with the user in it', async () => {
  const review = await startReview({ files: { 'a.txt': poem }, args: ['a.txt'] })
  const { tabName } = await review.open('a.txt', changed)
  const seen = await review.nvim.lua(`
    local wins = vim.api.nvim_tabpage_list_wins(0)
    local function describe(win)
      local buffer = vim.api.nvim_win_get_buf(win)
      return {
        name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':t'),
        column = vim.api.nvim_win_get_position(win)[2],
        width = vim.api.nvim_win_get_width(win),
        diff = vim.wo[win].diff,
        lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false),
        current = win == vim.api.nvim_get_current_win(),
        buftype = vim.bo[buffer].buftype,
        modified = vim.bo[buffer].modified,
      }
    end
    return vim.tbl_map(describe, wins)
  `)
  expect(seen).toEqual([
    {
      name: 'a.txt',
      column: 0,
      width: 80,
      diff: true,
      lines: poem.trimEnd().split('\n'),
      current: false,
      buftype: '',
      modified: false,
    },
    {
      name: `${tabName} (proposed)`,
      column: 81,
      width: 79,
      diff: true,
      lines: changed.trimEnd().split('\n'),
      current: true,
      buftype: 'acwrite',
      modified: false,
    },
  ])
  expect(await review.nvim.lua('return vim.fn.line(".")')).toBe(2)
})

test('A-05: :w accepts and writes nothing, close_tab closes, and the buffer shows what Claude wrote', async () => {
  const review = await startReview({ files: { 'a.txt': poem }, args: ['a.txt'] })
  const proposed = await review.open('a.txt', changed)
  await review.nvim.feed(':w<CR>')
  expect(await proposed.answer).toEqual(['FILE_SAVED', changed])
  expect(await readFile(review.path('a.txt'), 'utf8')).toBe(poem)
  await writeFile(review.path('a.txt'), changed)
  expect(await review.closeTab(proposed.tabName)).toEqual(['TAB_CLOSED'])
  expect(await review.closeTab(proposed.tabName)).toEqual(['TAB_CLOSED'])
  await review.waitForClosed(proposed)
  await review.nvim.waitFor(`vim.fn.getline(2) == 'SECOND'`, 'the written text')
  expect(await review.nvim.lua('return { vim.bo.modified, vim.fn.winnr("$"), vim.wo.diff }')).toEqual([false, 1, false])
})

test('A-18: :ClaudeCodeDiffDeny rejects and closes at once', async () => {
  const review = await startReview({ files: { 'a.txt': poem }, args: ['a.txt'] })
  const proposed = await review.open('a.txt', changed)
  await review.nvim.feed(':ClaudeCodeDiffDeny<CR>')
  expect(await proposed.answer).toEqual(['DIFF_REJECTED', proposed.tabName])
  await review.waitForClosed(proposed)
  expect(await review.nvim.lua('return vim.fn.winnr("$")')).toBe(1)
})
