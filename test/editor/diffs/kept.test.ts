// Accepted texts are never lost: :ClaudeCodeCloseAllDiffs, and hosts that die.
import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { changed, old, type ReviewSession, startReview, startReviewOfTwo } from '../../support/diff.ts'

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

  test('of several accepted texts for one file puts the newest into its buffer, and each other is one undo away', async () => {
    const review = await startReviewOfTwo()
    const texts = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']
    for (const text of texts) await review.accept('a.txt', `${text}\n`)
    review.claude.terminate()
    await closeAll(review, /6 diffs closed/)
    const inBuffer = () => review.nvim.lua<string[]>(`return vim.fn.getbufline('a.txt', 1, '$')`)
    await review.nvim.feed(':buffer a.txt<CR>')
    for (const text of texts.reverse()) {
      expect(await inBuffer()).toEqual([text])
      await review.nvim.feed('u')
    }
    expect(await inBuffer()).toEqual(old.trimEnd().split('\n'))
  })

  test('puts it over what the file holds by now, with no question about that', async () => {
    const review = await startReviewOfTwo()
    await review.accept('a.txt', changed)
    review.claude.terminate()
    await writeFile(review.path('a.txt'), 'by another hand\n')
    await closeAll(review, /1 diff closed/)
    await review.nvim.feed(':tabnew b.txt<CR>:buffer a.txt<CR>:checktime<CR>')
    expect(await review.nvim.lua(`return vim.fn.getline(1, '$')`)).toEqual(['one', 'TWO', 'three'])
    await review.nvim.feed('u')
    expect(await review.nvim.lua(`return vim.fn.getline(1, '$')`)).toEqual(['by another hand'])
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

  test('leaves to the next host to see that Claude wrote the text after all', async () => {
    const review = await startReviewOfTwo()
    await review.accept('a.txt', changed)
    await killHost(review)
    await review.nvim.waitFor(() => review.connect().catch(() => undefined), 'the next host')
    await writeFile(review.path('a.txt'), changed)
    await review.nvim.waitFor(`vim.fn.getbufline('a.txt', 2)[1] == 'TWO'`, 'the written text')
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
