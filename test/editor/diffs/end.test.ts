// A proposal that the user closes is rejected, once its last view is gone; quitting asks nothing.
import { describe, expect, test } from 'vitest'
import { recordNotices, startReview } from '../../support/diff.ts'

const old = 'one\ntwo\nthree\n'
const changed = 'one\nTWO\nthree\n'
const files = { 'a.txt': old, 'b.txt': 'b\n' }

const closings = [
  ':q<CR>',
  ':q!<CR>',
  ':quit<CR>',
  ':close<CR>',
  ':hide<CR>',
  '<C-w>c',
  '<C-w>q',
  'ZQ',
  ':bdelete<CR>',
  ':bdelete!<CR>',
  ':bwipeout<CR>',
  ':bwipeout!<CR>',
  ':bunload!<CR>',
  'ddix<Esc>:q<CR>',
  'ddix<Esc>:bdelete!<CR>',
  '<C-w>h:only<CR>',
  '<C-w>h<C-w>o',
]

describe('D-33, A-14: closing the proposal rejects it, and says so', () => {
  test.each(closings)('%s', async keys => {
    const review = await startReview({
      files,
      args: ['a.txt'],
      init: recordNotices,
    })
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(keys)
    expect(await proposed.answer).toEqual(['DIFF_REJECTED', proposed.tabName])
    await review.waitForClosed(proposed)
    await review.waitForNotice('rejected')
    const kept = keys === 'ddix<Esc>:q<CR>' ? '; the text with your changes is in register p' : ''
    expect(await review.told()).toEqual([`claudecode: closed: the proposal for a.txt is rejected${kept}`])
    expect(await review.nvim.lua('return { vim.fn.winnr("$"), vim.wo.diff, vim.fn.expand("%:t") }')).toEqual([
      1,
      false,
      'a.txt',
    ])
    expect(await review.nvim.messages()).not.toMatch(/E\d+:/)
  })

  test(':tabclose of its tab page', async () => {
    const review = await startReview({ files, args: ['a.txt'] })
    await review.nvim.feed(':diffsplit b.txt<CR>')
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(':tabclose<CR>')
    expect(await proposed.answer).toEqual(['DIFF_REJECTED', proposed.tabName])
    await review.waitForClosed(proposed)
  })
})

describe('A-14: still pending', () => {
  test.each([
    '<C-w>h:q<CR>',
    ':split<CR>:q<CR>',
    ':tab split<CR>:tabclose<CR>',
    ':tab split<CR>1gt:q<CR>gt',
    '<C-w>h:bdelete<CR>',
    ':edit! b.txt<CR>',
    ':edit!<CR>',
    '<C-w>h:edit b.txt<CR>',
  ])('after %s', async keys => {
    const review = await startReview({ files, args: ['a.txt'] })
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(keys)
    await review.expectStillPending(proposed)
    await review.nvim.feed(':ClaudeCodeDiffAccept<CR>')
    expect(await proposed.answer).toEqual(['FILE_SAVED', changed])
    await review.closeTab(proposed.tabName)
    expect(
      await review.nvim.lua(
        'return vim.tbl_filter(function(win) return vim.wo[win].diff end, vim.api.nvim_list_wins())',
      ),
    ).toEqual([])
  })

  test('while its window shows something else, until that is closed', async () => {
    const review = await startReview({ files, args: ['a.txt'] })
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(':edit b.txt<CR>')
    await review.expectStillPending(proposed)
    await review.nvim.feed(':q<CR>')
    expect(await proposed.answer).toEqual(['DIFF_REJECTED', proposed.tabName])
  })

  test('after the file is shown again, which is not in diff mode then', async () => {
    const review = await startReview({ files, args: ['a.txt'] })
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed('<C-w>h:q<CR>:ClaudeCodeDiffDeny<CR>')
    await proposed.answer
    await review.waitForClosed(proposed)
    await review.nvim.feed(':edit a.txt<CR>')
    expect(await review.nvim.lua('return { vim.wo.diff, vim.wo.scrollbind, vim.wo.foldmethod }')).toEqual([
      false,
      false,
      'manual',
    ])
  })
})

describe('an accepted proposal', () => {
  test('A-18: stays beside its file, which is no more in diff mode; the next proposal has room', async () => {
    const review = await startReview({ files, args: ['b.txt'] })
    const first = await review.open('a.txt', changed)
    await review.nvim.feed(':w<CR>')
    await first.answer
    await review.nvim.waitFor(
      `vim.fn.bufname(vim.fn.winbufnr(1)) == 'b.txt'`,
      'the window of the user to be given back',
    )
    expect(
      await review.nvim.lua('return { vim.wo.diff, vim.wo[vim.fn.win_getid(1)].diff, vim.fn.winnr("$") }'),
    ).toEqual([false, false, 2])
    const second = await review.open('b.txt', 'B\n')
    expect(await review.nvim.lua('return vim.fn.tabpagenr("$")')).toBe(1)
    await review.nvim.feed(':ClaudeCodeDiffDeny<CR>')
    await second.answer
    await review.closeTab(first.tabName)
    await review.waitForClosed(first)
    expect(await review.nvim.lua('return { vim.fn.winnr("$"), vim.fn.bufname() }')).toEqual([1, 'b.txt'])
  })

  test('D-33: is not rejected by closing it, and its text is not lost', async () => {
    const review = await startReview({ files, args: ['a.txt'] })
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(':w<CR>')
    await proposed.answer
    await review.nvim.feed(':bwipeout!<CR>')
    await review.nvim.waitFor('vim.fn.winnr("$") == 1 and not vim.wo.diff', 'the window to be as before')
    await review.nvim.feed(':ClaudeCodeCloseAllDiffs<CR>')
    await review.nvim.waitFor(`vim.fn.getline(2) == 'TWO'`, 'the text in the buffer')
    expect(await review.nvim.lua('return vim.bo.modified')).toBe(true)
  })
})

test('a proposal that goes when a change of its file is about to be looked at ends without an error', async () => {
  const review = await startReview({ files, args: ['a.txt'] })
  const proposed = await review.open('a.txt', changed)
  await review.nvim.lua(`
    vim.api.nvim_buf_set_lines(vim.fn.bufnr('a.txt'), 0, 1, false, { 'ONE' })
    vim.wait(300, function() end, 10, true) -- the time is over, but what waits for Neovim's next turn has not run
    vim.cmd('bwipeout!')`)
  expect(await proposed.answer).toEqual(['DIFF_REJECTED', proposed.tabName])
  await review.waitForClosed(proposed)
  expect(await review.nvim.messages()).not.toMatch(/stack traceback/)
})

describe('A-04: quitting', () => {
  test.each([
    ':qa<CR>',
    ':qall!<CR>',
    ':wqa<CR>',
    ':q<CR>:q<CR>',
    'ddix<Esc>:qa<CR>',
    ':set noendofline bomb<CR>:qa<CR>',
    '<C-w>h:qa<CR>',
  ])('%s asks nothing, and answers first', async keys => {
    const review = await startReview({ files, args: ['a.txt'] })
    const first = await review.open('a.txt', changed)
    const second = await review.open('b.txt', 'B\n')
    await review.nvim.feed('1gt<C-w>l')
    await review.nvim.input(keys.startsWith(':q<CR>') ? ':tabonly | q | q<CR>' : keys)
    expect(await first.answer).toEqual(['DIFF_REJECTED', first.tabName])
    expect(await second.answer).toEqual(['DIFF_REJECTED', second.tabName])
    expect(await review.nvim.exited).toEqual({ code: 0, signal: null })
  })

  test('with unsaved changes of the user is refused as always, and the diff is still pending', async () => {
    const review = await startReview({ files, args: ['b.txt'] })
    await review.nvim.feed('ix<Esc>')
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(':qa<CR>')
    await review.nvim.waitForScreen(/E37|E162/)
    await review.nvim.feed('<CR>')
    await review.expectStillPending(proposed)
  })
})
