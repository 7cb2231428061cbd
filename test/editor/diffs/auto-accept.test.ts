// :ClaudeCodeAutoAccept: proposals go through without a review, for as long as the Claude lives that it was said for.
import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type ReviewSession, recordNotices, startReview } from '../../support/diff.ts'

const old = 'one\ntwo\nthree\n'
const changed = 'one\nTWO\nthree\n'

function start(): Promise<ReviewSession> {
  return startReview({ files: { 'a.txt': old, 'b.txt': old }, args: ['a.txt'], init: recordNotices })
}

async function say(review: ReviewSession, word: string, notice: string): Promise<void> {
  await review.nvim.lua('told = {}')
  await review.nvim.feed(`:ClaudeCodeAutoAccept ${word}<CR>`)
  await review.waitForNotice(notice)
}

function statusline({ nvim }: ReviewSession): Promise<string> {
  return nvim.lua(`return require('claudecode').statusline()`)
}

describe('U-06: on', () => {
  test('openDiff is answered with FILE_SAVED at once, with the given text, and nothing is opened', async () => {
    const review = await start()
    await say(review, 'on', 'auto-accept is on until this Claude ends: what it proposes is accepted without a review')
    const text = 'one\r\nTWO\n\uFEFFno end'
    const proposed = review.propose('a.txt', text)
    expect(await proposed.answer).toEqual(['FILE_SAVED', text])
    await review.waitForNotice('accepted without a review: a.txt')
    expect(await review.nvim.lua(`return { vim.fn.winnr('$'), #vim.api.nvim_list_bufs() }`)).toEqual([1, 1])
    expect(await readFile(review.path('a.txt'), 'utf8')).toBe(old)
    expect(await review.closeTab(proposed.tabName)).toEqual(['TAB_CLOSED'])
    expect(await review.closeAllTabs()).toEqual(['CLOSED_0_DIFF_TABS'])
    await writeFile(review.path('a.txt'), changed)
    await review.nvim.waitFor(`vim.fn.getline(2) == 'TWO'`, 'the written text')
  })

  test('the status line says so, also of the user typing in Insert mode', async () => {
    const review = await start()
    expect(await statusline(review)).not.toMatch('auto-accept')
    await say(review, 'on', 'auto-accept is on')
    expect(await statusline(review)).toMatch(/, auto-accept$/)
    await review.nvim.feed('i')
    expect((await review.propose('b.txt', changed).answer)[0]).toBe('FILE_SAVED')
    await review.nvim.feed('<Esc>')
    await say(review, 'off', 'auto-accept is off')
    expect(await statusline(review)).not.toMatch('auto-accept')
    await review.open('a.txt', changed)
  })

  test('a file with unsaved changes is reviewed all the same', async () => {
    const review = await start()
    await say(review, 'on', 'auto-accept is on')
    await review.nvim.feed('Gomine<Esc>')
    const proposed = await review.open('a.txt', changed)
    expect((await review.propose('b.txt', changed).answer)[0]).toBe('FILE_SAVED')
    await review.nvim.feed(':ClaudeCodeDiffDeny<CR>')
    expect((await proposed.answer)[0]).toBe('DIFF_REJECTED')
  })

  test('what is open already stays for the user to decide', async () => {
    const review = await start()
    const proposed = await review.open('a.txt', changed)
    await say(review, 'on', 'auto-accept is on')
    await review.expectStillPending(proposed)
  })

  test('a text that the user accepted for another client keeps its name', async () => {
    const review = await start()
    const other = await review.connect()
    const { tabName } = await review.accept('a.txt', changed, other)
    await say(review, 'on', 'auto-accept is on')
    await expect(review.propose('a.txt', 'x\n', { tabName }).answer).rejects.toMatchObject({ code: -32000 })
  })
})

describe('U-06: off again', () => {
  test('when that Claude ends; one that comes back, or comes later, is reviewed', async () => {
    const review = await start()
    await say(review, 'on', 'auto-accept is on')
    const later = await review.connect()
    const proposed = await review.open('a.txt', changed, { client: later })
    review.claude.terminate()
    await review.waitForNotice('auto-accept is off: that Claude has ended')
    expect(await statusline(review)).not.toMatch('auto-accept')
    await review.expectStillPending(proposed)
    await review.open('b.txt', changed, { client: await review.connect() })
  })

  test('when the host is killed', async () => {
    const review = await start()
    await say(review, 'on', 'auto-accept is on')
    const [host] = review.nvim.hosts()
    process.kill(host as number, 'SIGKILL')
    await review.claude.closed
    const again = await review.nvim.waitFor(() => review.connect().catch(() => undefined), 'the next host')
    expect(await statusline(review)).not.toMatch('auto-accept')
    await review.open('a.txt', changed, { client: again })
  })

  test('with no Claude there is nobody to allow it to', async () => {
    const review = await start()
    await review.claude.close()
    await review.nvim.waitFor("require('claudecode.status').get().clients == 0", 'the end to be noticed')
    await say(review, 'on', 'auto-accept stays off: no Claude is connected')
  })
})

test('toggle, no word, a wrong word, completion', async () => {
  const review = await start()
  await say(review, '', 'auto-accept is off')
  await say(review, 'toggle', 'auto-accept is on')
  await say(review, '', 'auto-accept is on')
  await say(review, 'toggle', 'auto-accept is off')
  await say(review, 'yes', ':ClaudeCodeAutoAccept takes on, off or toggle, not yes')
  expect(await review.nvim.lua(`return vim.fn.getcompletion('ClaudeCodeAutoAccept o', 'cmdline')`)).toEqual([
    'on',
    'off',
  ])
})
