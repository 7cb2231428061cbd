// Whose diff it is: a test for each sentence of the protocol document ("How Discovery Works" 4, openDiff, close_tab,
// closeAllDiffTabs).
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { AnswerError } from '../../support/claude-client.ts'
import { changed, startReviewOfTwo } from '../../support/diff.ts'

describe('a connection', () => {
  test('A-15, A-17: that ends takes its pending diffs along, and no others, also not of the same file', async () => {
    const review = await startReviewOfTwo()
    const other = await review.connect()
    const mine = await review.open('b.txt', changed)
    const theirs = await review.open('b.txt', changed, { client: other })
    const alsoTheirs = await review.open('fresh.txt', changed, { client: other })
    other.terminate()
    await review.waitForClosed(theirs)
    await review.waitForClosed(alsoTheirs)
    await review.expectStillPending(mine)
  })

  test('A-15: that ends leaves its accepted diffs open', async () => {
    const review = await startReviewOfTwo()
    const other = await review.connect()
    const { tabName } = await review.accept('a.txt', changed, other)
    other.terminate()
    await pause(150)
    expect(await review.isOpen(tabName)).toBe(true)
  })

  test('A-16: that comes back is a new client, and does not own what it opened before', async () => {
    const review = await startReviewOfTwo()
    const { tabName } = await review.accept('a.txt', changed)
    review.claude.terminate()
    const again = await review.connect()
    expect(await review.closeTab(tabName, again)).toEqual(['TAB_CLOSED'])
    expect(await review.closeAllTabs(again)).toEqual(['CLOSED_0_DIFF_TABS'])
    expect(await review.isOpen(tabName)).toBe(true)
  })

  test('that is let go by :ClaudeCodeStop has its diffs closed', async () => {
    const review = await startReviewOfTwo()
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(':ClaudeCodeStop<CR>')
    await review.waitForClosed(proposed)
  })

  test('that withdraws its call has the diff closed', async () => {
    const review = await startReviewOfTwo()
    const controller = new AbortController()
    const path = review.path('a.txt')
    const call = review.claude.callTool(
      'openDiff',
      { old_file_path: path, new_file_path: path, new_file_contents: changed, tab_name: 'the tab' },
      { signal: controller.signal },
    )
    call.catch(() => undefined)
    await review.nvim.waitFor(() => review.isShown('the tab'), 'the diff')
    controller.abort()
    await review.nvim.waitFor(async () => !(await review.isOpen('the tab')), 'the diff to be closed')
  })
})

describe('openDiff with the name of an open diff', () => {
  test('replaces it', async () => {
    const review = await startReviewOfTwo()
    const first = await review.open('a.txt', 'first\n')
    const second = review.propose('a.txt', 'second\n', { tabName: first.tabName })
    expect(await first.answer).toEqual(['DIFF_REJECTED', first.tabName])
    await review.waitForDiff(second)
    await review.nvim.feed(':w<CR>')
    expect(await second.answer).toEqual(['FILE_SAVED', 'second\n'])
  })

  test("replaces another client's pending one", async () => {
    const review = await startReviewOfTwo()
    const other = await review.connect()
    const first = await review.open('a.txt', 'first\n', { client: other })
    const second = review.propose('a.txt', 'second\n', { tabName: first.tabName })
    expect(await first.answer).toEqual(['DIFF_REJECTED', first.tabName])
    await review.waitForDiff(second)
  })

  test('replaces one that the user accepted for the same client', async () => {
    const review = await startReviewOfTwo()
    const first = await review.accept('a.txt', 'first\n')
    const second = review.propose('a.txt', 'second\n', { tabName: first.tabName })
    await review.nvim.waitFor(`vim.fn.getline(1) == 'second'`, 'the second proposal')
    await review.nvim.feed(':w<CR>')
    expect(await second.answer).toEqual(['FILE_SAVED', 'second\n'])
  })

  test('A-16: fails at once with -32000 when the user accepted that one for another client, and it stays', async () => {
    const review = await startReviewOfTwo()
    const other = await review.connect()
    const first = await review.accept('a.txt', 'first\n', other)
    const failure = await review.propose('a.txt', 'second\n', { tabName: first.tabName }).answer.catch(error => error)
    expect(failure).toBeInstanceOf(AnswerError)
    expect(failure.code).toBe(-32000)
    expect(await review.isShown(first.tabName)).toBe(true)
    expect(await review.closeTab(first.tabName, other)).toEqual(['TAB_CLOSED'])
    await review.waitForClosed(first)
    await review.open('a.txt', 'third\n', { tabName: first.tabName })
  })
})

describe('close_tab', () => {
  test('closes only the diff of exactly that name, and no other buffer', async () => {
    const review = await startReviewOfTwo()
    const proposed = await review.open('a.txt', changed, { tabName: 'x[a].txt' })
    const buffers = await review.nvim.lua('return vim.api.nvim_list_bufs()')
    for (const name of [
      'x',
      'xa.txt',
      'x[a]',
      'x[a].txt ',
      'X[A].TXT',
      'a.txt',
      'x[a].txt (proposed)',
      '.*',
      '',
      '%',
    ]) {
      expect(await review.closeTab(name)).toEqual(['TAB_CLOSED'])
    }
    await review.expectStillPending(proposed)
    expect(await review.nvim.lua('return vim.api.nvim_list_bufs()')).toEqual(buffers)
    expect(await review.closeTab('x[a].txt')).toEqual(['TAB_CLOSED'])
    expect(await proposed.answer).toEqual(['DIFF_REJECTED', 'x[a].txt'])
    await review.waitForClosed(proposed)
  })

  test("closes another client's pending diff", async () => {
    const review = await startReviewOfTwo()
    const other = await review.connect()
    const proposed = await review.open('a.txt', changed, { client: other })
    await review.closeTab(proposed.tabName)
    expect(await proposed.answer).toEqual(['DIFF_REJECTED', proposed.tabName])
  })

  test('A-16: leaves a diff that the user accepted for another client', async () => {
    const review = await startReviewOfTwo()
    const other = await review.connect()
    const proposed = await review.accept('a.txt', changed, other)
    expect(await review.closeTab(proposed.tabName)).toEqual(['TAB_CLOSED'])
    expect(await review.isShown(proposed.tabName)).toBe(true)
    expect(await review.closeTab(proposed.tabName, other)).toEqual(['TAB_CLOSED'])
    await review.waitForClosed(proposed)
  })
})

describe('closeAllDiffTabs', () => {
  test('A-16: closes and counts all but those that the user accepted for another client', async () => {
    const review = await startReviewOfTwo()
    const other = await review.connect()
    const kept = await review.accept('a.txt', changed, other)
    const own = await review.accept('b.txt', changed)
    const pending = await review.open('fresh.txt', changed)
    const theirs = await review.open('other.txt', changed, { client: other })
    expect(await review.closeAllTabs()).toEqual(['CLOSED_3_DIFF_TABS'])
    expect(await pending.answer).toEqual(['DIFF_REJECTED', pending.tabName])
    expect(await theirs.answer).toEqual(['DIFF_REJECTED', theirs.tabName])
    await review.waitForClosed(own)
    expect(await review.isShown(kept.tabName)).toBe(true)
    expect(await review.closeAllTabs()).toEqual(['CLOSED_0_DIFF_TABS'])
    expect(await review.closeAllTabs(other)).toEqual(['CLOSED_1_DIFF_TABS'])
  })

  test('D-01: never touches diffs of the user', async () => {
    const review = await startReviewOfTwo()
    await review.nvim.feed(':vertical diffsplit b.txt<CR>:split x.diff<CR>:setlocal buftype=<CR>iunsaved<Esc>')
    const windows = await review.nvim.lua('return vim.api.nvim_list_wins()')
    expect(await review.closeAllTabs()).toEqual(['CLOSED_0_DIFF_TABS'])
    expect(await review.nvim.lua('return vim.api.nvim_list_wins()')).toEqual(windows)
    expect(await review.nvim.lua('return vim.fn.getline(1)')).toBe('unsaved')
  })

  test('right after openDiff: every call is answered once, and nothing is left', async () => {
    const review = await startReviewOfTwo()
    for (const delay of [0, 0, 0, 1, 2, 5, 10, 20, 40]) {
      const proposals = ['a.txt', 'b.txt', 'fresh.txt'].map(name => review.propose(name, changed))
      if (delay > 0) await pause(delay)
      expect(await review.closeAllTabs()).toEqual(['CLOSED_3_DIFF_TABS'])
      for (const { answer, tabName } of proposals) expect(await answer).toEqual(['DIFF_REJECTED', tabName])
      for (const proposed of proposals) await review.waitForClosed(proposed)
      expect(await review.nvim.lua('return { vim.fn.tabpagenr("$"), vim.fn.winnr("$"), vim.wo.diff }')).toEqual([
        1,
        1,
        false,
      ])
    }
  })
})

test('the status tells how many diffs wait', async () => {
  const review = await startReviewOfTwo()
  const waiting = (count: number) =>
    review.nvim.waitFor(`require('claudecode.status').get().pending_diffs == ${count}`, `${count} to review`)
  const first = await review.open('a.txt', changed)
  await waiting(1)
  await review.open('b.txt', changed)
  await waiting(2)
  await review.nvim.feed(':w<CR>')
  await waiting(1)
  await review.closeTab(first.tabName)
  await waiting(0)
})
