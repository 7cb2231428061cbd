// :checkhealth claudecode says why no diff may be seen.
import { expect, test } from 'vitest'
import { type ReviewSession, startReview } from '../../support/diff.ts'

async function report({ nvim }: ReviewSession): Promise<string> {
  await nvim.request('nvim_command', ['checkhealth claudecode'])
  const lines = await nvim.request<string[]>('nvim_buf_get_lines', [0, 0, -1, false])
  await nvim.feed(':bwipeout!<CR>')
  return lines.join(' ')
}

test('D-27: Claude is connected and has never called openDiff', async () => {
  const review = await startReview({ files: { 'a.txt': 'one\n' }, args: ['a.txt'] })
  await review.nvim.waitFor("require('claudecode.status').get().clients == 1", 'Claude to be connected')
  expect(await report(review)).toMatch(/has not opened a diff yet.*\/config \(the diff tool\).*permission mode/)
  const { tabName } = await review.open('a.txt', 'two\n')
  await review.closeTab(tabName)
  const text = await report(review)
  expect(text).not.toContain('has not opened a diff yet')
  expect(text).toContain('Claude has proposed changes as diffs')
})

test('D-27: diffs are switched off', async () => {
  const review = await startReview({ setup: '{ diff_opts = { enabled = false } }' })
  await review.nvim.waitFor("require('claudecode.status').get().clients == 1", 'Claude to be connected')
  expect(await report(review)).toContain('diff_opts.enabled is false')
})
