// Accepted texts are never lost: :ClaudeCodeCloseAllDiffs, and hosts that die.
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

describe(':ClaudeCodeCloseAllDiffs', () => {
  async function closeAll(review: ReviewSession, notice: RegExp): Promise<void> {
    await review.nvim.feed(':ClaudeCodeCloseAllDiffs<CR>')
    await review.waitForNotice('closed')
    expect((await review.told()).join('\n')).toMatch(notice)
  }

  test('closes pending diffs as rejected, and tells how many', async () => {
    const review = await startReviewOfTwo()
    const proposals = [await review.open('a.txt', changed), await review.open('b.txt', changed)]
    await closeAll(review, /2 diffs closed/)
    for (const { answer, tabName } of proposals) expect(await answer).toEqual(['DIFF_REJECTED', tabName])
  })

  test('A-16: closes an accepted one whose text is in the file, and leaves its buffer alone', async () => {
    const review = await startReviewOfTwo()
    const proposed = await review.accept('a.txt', changed)
    review.claude.terminate()
    await writeFile(review.path('a.txt'), changed.replaceAll('\n', '\r\n'))
    await closeAll(review, /1 diff closed/)
    await review.waitForClosed(proposed)
    expect(await review.nvim.lua(`return vim.bo[vim.fn.bufnr('a.txt')].modified`)).toBe(false)
  })

  test("A-16, U-11: puts an accepted text that is nowhere into the file's buffer, as unsaved changes", async () => {
    const review = await startReviewOfTwo()
    const proposed = await review.accept('a.txt', changed)
    review.claude.terminate()
    await closeAll(review, /the text that you accepted for a\.txt is in its buffer, not saved yet\n.*1 diff closed/)
    await review.waitForClosed(proposed)
    expect(await readFile(review.path('a.txt'), 'utf8')).toBe(old)
    expect(await review.nvim.lua(`return { vim.fn.expand('%:t'), vim.bo.modified, vim.fn.getline(1, '$') }`)).toEqual([
      'a.txt',
      true,
      ['one', 'TWO', 'three'],
    ])
    await review.nvim.feed(':w<CR>')
    expect(await readFile(review.path('a.txt'), 'utf8')).toBe(changed)
  })

  const exact: [name: string, disk: string | Buffer | undefined, accepted: string, saved: string | Buffer][] = [
    ['no final line break', 'a\nb\n', 'a\nB', 'a\nB'],
    ['a CRLF file', 'a\r\nb\r\n', 'a\nB\n', 'a\r\nB\r\n'],
    ['an empty text', 'a\nb\n', '', ''],
    ['a mark that was added', 'a\n', '\uFEFFb\n', '\uFEFFb\n'],
    ['a UTF-16 file', Buffer.from('\uFEFFä\n', 'utf16le'), '\uFEFFö\n', Buffer.from('\uFEFFö\n', 'utf16le')],
    ['a new file', undefined, 'a\nb', 'a\nb'],
    ['NUL', 'a\n', 'a\0\n', 'a\0\n'],
  ]
  test.each(exact)('so that a :w makes the file as Claude would have: %s', async (_name, disk, text, saved) => {
    const review = await startReview({ files: disk === undefined ? {} : { 'c.txt': disk } })
    const proposed = await review.accept('c.txt', text)
    review.claude.terminate()
    await review.nvim.feed(':ClaudeCodeCloseAllDiffs<CR>')
    await review.waitForClosed(proposed)
    await review.nvim.feed(':silent edit c.txt<CR>:w<CR>')
    expect(await readFile(review.path('c.txt'))).toEqual(Buffer.from(saved))
  })

  test("keeps the user's own unsaved changes one undo away", async () => {
    const review = await startReviewOfTwo()
    await review.nvim.feed('Gomine<Esc>')
    const proposed = await review.accept('a.txt', changed)
    review.claude.terminate()
    await closeAll(review, /undo brings your own changes back/)
    await review.waitForClosed(proposed)
    expect(await review.nvim.lua(`return vim.fn.getline(1, '$')`)).toEqual(['one', 'TWO', 'three'])
    await review.nvim.feed('u')
    expect(await review.nvim.lua(`return vim.fn.getline(1, '$')`)).toEqual(['one', 'two', 'three', 'mine'])
  })

  test('keeps the diff when the buffer can not take the text', async () => {
    const review = await startReviewOfTwo()
    const proposed = await review.accept('a.txt', changed)
    review.claude.terminate()
    await review.nvim.feed('<C-w>h:setlocal nomodifiable<CR>')
    await review.nvim.feed(':ClaudeCodeCloseAllDiffs<CR>')
    await review.waitForNotice('stays in its diff')
    expect(await review.isOpen(proposed.tabName)).toBe(true)
  })

  test('with nothing to close says so', async () => {
    const review = await startReviewOfTwo()
    await closeAll(review, /no diff was closed/)
  })
})

describe('a host that dies', () => {
  async function killHost(review: ReviewSession): Promise<void> {
    const [host] = review.nvim.hosts()
    if (host === undefined) throw new Error('there is no host')
    process.kill(host, 'SIGKILL')
    await review.nvim.waitFor(() => !review.nvim.hosts().includes(host), 'the host to be gone')
  }

  test('W-10: takes pending diffs along, and an accepted text is kept', async () => {
    const review = await startReviewOfTwo()
    const accepted = await review.accept('a.txt', changed)
    const pending = await review.open('b.txt', changed)
    await killHost(review)
    const again = await review.nvim.waitFor(() => review.connect().catch(() => undefined), 'the next host')
    await review.waitForClosed(pending)
    expect(await review.isOpen(accepted.tabName)).toBe(true)
    const failure = await review
      .propose('a.txt', 'x\n', { tabName: accepted.tabName, client: again })
      .answer.catch(error => error)
    expect(failure.code).toBe(-32000)
    expect(await review.closeAllTabs(again)).toEqual(['CLOSED_0_DIFF_TABS'])
    await review.nvim.feed(':ClaudeCodeCloseAllDiffs<CR>')
    await review.waitForClosed(accepted)
    expect(await review.nvim.lua(`return vim.fn.getbufline('a.txt', 1, '$')`)).toEqual(['one', 'TWO', 'three'])
  })

  test('while it is dead the user can accept: the text waits', async () => {
    const review = await startReviewOfTwo()
    await review.nvim.lua(`require('claudecode.host').start = function() return false end`) // no next one for now
    const proposed = await review.open('a.txt', changed)
    await killHost(review)
    await review.nvim.waitFor(`require('claudecode.host').phase() == 'stopped'`, 'the end to be noticed')
    await review.nvim.feed('ccmine<Esc>:w<CR>')
    expect(await review.nvim.lua('return vim.b.claudecode_diff.state')).toBe('accepted')
    await review.waitForNotice('not connected')
    expect(await review.isShown(proposed.tabName)).toBe(true)
  })

  test('while it is dead the user can reject', async () => {
    const review = await startReviewOfTwo()
    await review.nvim.lua(`require('claudecode.host').start = function() return false end`)
    const proposed = await review.open('a.txt', changed)
    await killHost(review)
    await review.nvim.waitFor(`require('claudecode.host').phase() == 'stopped'`, 'the end to be noticed')
    await review.nvim.feed(':q<CR>')
    await review.waitForClosed(proposed)
  })
})

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
