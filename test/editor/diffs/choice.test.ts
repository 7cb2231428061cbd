// Which proposal the commands mean, when there are several or none.
import { beforeEach, describe, expect, test } from 'vitest'
import type { Proposed, ReviewSession } from '../../support/diff.ts'
import { shareReview } from '../../support/shared-review.ts'

const current = shareReview()
let review: ReviewSession
let proposed: Proposed

beforeEach(() => {
  ;({ review, proposed } = current())
})

describe('with several proposals', () => {
  test('D-18: the one in this tab page is meant, or the user chooses', async () => {
    const second = await review.open('b.txt', 'OTHER\n')
    expect(await review.nvim.lua('return vim.fn.tabpagenr()')).toBe(2)
    await review.nvim.feed('<C-w>h:ClaudeCodeDiffAccept<CR>')
    expect(await second.answer).toEqual(['FILE_SAVED', 'OTHER\n'])
    await review.closeTab(second.tabName)

    await review.nvim.lua(`
      vim.ui.select = function(items, options, choose)
        asked = vim.tbl_map(options.format_item, items)
        choose(items[1])
      end`)
    await review.nvim.feed(':tabnew<CR>:ClaudeCodeDiffDeny<CR>')
    expect(await review.nvim.lua('return asked')).toEqual(['a.txt'])
    expect(await proposed.answer).toEqual(['DIFF_REJECTED', proposed.tabName])
  })
})

test('with none, the command says so', async () => {
  await review.closeAllTabs()
  await review.nvim.feed(':ClaudeCodeDiffAccept<CR>')
  await review.waitForNotice('claudecode:')
  expect(await review.told()).toEqual([`claudecode: there is no proposal of Claude's to review`])
})
