// The end of Neovim with accepted texts that no file holds: they are unsaved work, and outlive it.
import { readFile, stat, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import {
  changed,
  old,
  type ReviewSession,
  recordNotices,
  startReview,
  startReviewOfTwo,
  twoFiles,
} from '../../support/diff.ts'
import { makePlaces } from '../../support/places.ts'

describe('quitting with an accepted text that no file holds', () => {
  async function startWithOrphan(): Promise<ReviewSession> {
    const review = await startReviewOfTwo()
    await review.accept('a.txt', changed)
    review.claude.terminate()
    await review.waitForNotice('Claude has gone before it wrote a.txt')
    return review
  }
  const isInBuffer = `return { vim.fn.getbufline('a.txt', 1, '$'), vim.bo[vim.fn.bufnr('a.txt')].modified }`

  test.each([':qa<CR>', '<C-w>o:q<CR>', ':bwipeout!<CR>:q<CR>', '<C-w>h:xit<CR>:q<CR>'])(
    '%s is refused as for any unsaved work: the text is in the buffer of the file',
    async keys => {
      const review = await startWithOrphan()
      await review.nvim.feed(keys)
      await review.nvim.waitForScreen(/E162: No write since last change for buffer "a.txt"/)
      await review.nvim.feed('<CR>')
      await review.waitForNotice('the text that you accepted for a.txt is in its buffer, not saved yet')
      expect(await review.nvim.lua(isInBuffer)).toEqual([['one', 'TWO', 'three'], true])
      await review.nvim.waitFor(`vim.fn.winnr('$') == 1`, 'the diff to be closed')
      expect(await readFile(review.path('a.txt'), 'utf8')).toBe(old)
      await review.nvim.feed(':ClaudeCodeCloseAllDiffs<CR>')
      await review.waitForNotice('no diff was closed')
      await review.nvim.input(':wqa<CR>')
      expect(await review.nvim.exited).toEqual({ code: 0, signal: null })
    },
  )

  test(':wqa writes it', async () => {
    const review = await startWithOrphan()
    await review.nvim.input(':wqa<CR>')
    expect(await review.nvim.exited).toEqual({ code: 0, signal: null })
    expect(await readFile(review.path('a.txt'), 'utf8')).toBe(changed)
  })

  test(':qa! leaves it, as the user says', async () => {
    const review = await startWithOrphan()
    await review.nvim.input(':qa!<CR>')
    expect(await review.nvim.exited).toEqual({ code: 0, signal: null })
    expect(await readFile(review.path('a.txt'), 'utf8')).toBe(old)
  })

  test('while Claude is still there, but has not written it', async () => {
    const review = await startReviewOfTwo()
    await review.accept('b.txt', changed)
    await review.nvim.input(':wqa<CR>')
    expect(await review.nvim.exited).toEqual({ code: 0, signal: null })
    expect(await readFile(review.path('b.txt'), 'utf8')).toBe(changed)
  })

  test('is as ever once the file holds it', async () => {
    const review = await startWithOrphan()
    await writeFile(review.path('a.txt'), changed)
    await review.nvim.waitFor(`vim.fn.getbufline('a.txt', 2)[1] == 'TWO'`, 'the written text')
    await review.nvim.input(':qa<CR>')
    expect(await review.nvim.exited).toEqual({ code: 0, signal: null })
  })

  test('nor is a text put over what the user made of the written file', async () => {
    const review = await startWithOrphan()
    await writeFile(review.path('a.txt'), changed)
    await review.nvim.waitFor(`vim.fn.getbufline('a.txt', 2)[1] == 'TWO'`, 'the written text')
    await review.nvim.feed('<C-w>hGomine<Esc>:w<CR>:ClaudeCodeCloseAllDiffs<CR>')
    await review.waitForNotice('1 diff closed')
    expect(await review.nvim.lua(isInBuffer)).toEqual([['one', 'TWO', 'three', 'mine'], false])
  })

  test.each([':qa<CR>', ':wqa<CR>'])('%s is refused when the buffer can not take the text', async keys => {
    const review = await startWithOrphan()
    await review.nvim.feed('<C-w>h:setlocal nomodifiable<CR>')
    await review.nvim.feed(keys)
    if ((await review.nvim.blockedMode()) !== undefined) await review.nvim.feed('<CR>')
    await review.waitForNotice('stays in its diff')
    expect(await review.nvim.lua('return vim.tbl_count(require("claudecode.editor.diff.registry").all())')).toBe(1)
  })
})

describe('an accepted text that no file holds when Neovim is ended from outside', () => {
  const told = /before the text that you accepted for (.*) was written; it is in (.*)$/

  test.each(['SIGTERM', 'SIGHUP'] as const)(
    '%s: is in a file, which is told of once, at the next start',
    async signal => {
      const places = await makePlaces({ '100% & %2F.txt': old })
      const first = await startReview({ places, args: ['100% & %2F.txt'], init: recordNotices })
      await first.accept('100% & %2F.txt', 'one\nTWO')
      first.nvim.kill(signal)
      await first.nvim.exited
      const second = await startReview({ places, init: recordNotices })
      await second.waitForNotice('ended before')
      const [, path, kept = ''] = (await second.told()).map(text => told.exec(text)).find(Boolean) ?? []
      expect(path).toBe(second.path('100% & %2F.txt'))
      expect(await readFile(kept, 'utf8')).toBe('one\nTWO')
      expect((await stat(kept)).mode & 0o077).toBe(0)
      await second.nvim.close()
      const third = await startReview({ places, init: recordNotices })
      expect(await third.told()).toEqual([])
    },
  )

  test('with its terminal: the same', async () => {
    const places = await makePlaces(twoFiles)
    const first = await startReview({ places, args: ['a.txt'] })
    await first.accept('a.txt', changed)
    first.nvim.hangUp()
    await first.nvim.exited
    const second = await startReview({ places, init: recordNotices })
    await second.waitForNotice('ended before')
  })

  test('is forgotten when Claude wrote it after all, or the user left it with :qa!', async () => {
    const places = await makePlaces(twoFiles)
    const first = await startReview({ places, args: ['a.txt'] })
    await first.accept('a.txt', changed)
    first.nvim.kill('SIGTERM')
    await first.nvim.exited
    await writeFile(first.path('a.txt'), changed)
    const second = await startReview({ places, init: recordNotices })
    await second.accept('b.txt', changed)
    expect((await second.told()).join()).not.toMatch(told)
    await second.nvim.input(':qa!<CR>')
    await second.nvim.exited
    const third = await startReview({ places, init: recordNotices })
    expect(await third.told()).toEqual([])
  })
})
