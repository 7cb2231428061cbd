// diff_opts.enabled = false: Claude is not told that Neovim can show diffs, and asks in its terminal.
import { expect, test } from 'vitest'
import type { ListedTool } from '../../support/claude-client.ts'
import { type ReviewSession, startReview } from '../../support/diff.ts'

const files = { 'a.txt': 'one\n' }
const diffTools = ['openDiff', 'close_tab', 'closeAllDiffTabs']
const changed = 'notifications/tools/list_changed'

async function listedDiffTools({ claude }: ReviewSession): Promise<string[]> {
  const { tools } = await claude.request<{ tools: ListedTool[] }>('tools/list')
  return tools.map(({ name }) => name).filter(name => diffTools.includes(name))
}

async function setEnabled({ nvim }: ReviewSession, enabled: boolean): Promise<void> {
  await nvim.lua(`require('claudecode').setup({ diff_opts = { enabled = ... } })`, enabled)
}

test('D-21: openDiff, close_tab and closeAllDiffTabs are not in tools/list, and openDiff is refused', async () => {
  const review = await startReview({ files, args: ['a.txt'], setup: '{ diff_opts = { enabled = false } }' })
  expect(await listedDiffTools(review)).toEqual([])
  expect(review.claude.tools).toHaveLength(8)
  await expect(review.propose('a.txt', 'two\n').answer).rejects.toThrow('Unknown tool: openDiff')
  expect(await review.nvim.lua(`return vim.fn.winnr('$')`)).toBe(1)
})

test('D-26: it can be switched while Claude is connected, which is told to list the tools again', async () => {
  const review = await startReview({ files, args: ['a.txt'] })
  expect(await listedDiffTools(review)).toEqual(diffTools)
  await setEnabled(review, false)
  await review.claude.waitForNotification(changed)
  expect(await listedDiffTools(review)).toEqual([])
  await setEnabled(review, false)
  const from = review.claude.notifications.length
  await setEnabled(review, true)
  await review.claude.waitForNotification(changed, () => true, { from })
  expect(await listedDiffTools(review)).toEqual(diffTools)
  expect(review.claude.notifications.filter(({ method }) => method === changed)).toHaveLength(2)
})

test('what is open when they are switched off can be decided and closed as before', async () => {
  const review = await startReview({ files: { ...files, 'b.txt': 'b\n' }, args: ['a.txt'] })
  const accepted = await review.open('a.txt', 'two\n')
  const pending = await review.open('b.txt', 'B\n')
  await setEnabled(review, false)
  await review.claude.waitForNotification(changed)
  expect(await review.closeTab(pending.tabName)).toEqual(['TAB_CLOSED'])
  expect(await pending.answer).toEqual(['DIFF_REJECTED', pending.tabName])
  await review.nvim.feed(':ClaudeCodeDiffAccept<CR>')
  expect(await accepted.answer).toEqual(['FILE_SAVED', 'two\n'])
  expect(await review.closeAllTabs()).toEqual(['CLOSED_1_DIFF_TABS'])
})
