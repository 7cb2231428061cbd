// Which proposal the commands mean, when there are several or none.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Proposed, type ReviewSession, startReview } from '../support/diff.ts'

const old = 'one\ntwo\nthree\n'
const text = 'one\nTWO\nthree\n'

let review: ReviewSession
let proposed: Proposed

beforeAll(async () => {
  review = await startReview({ files: { 'a.txt': old, 'b.txt': 'other\n' }, args: ['a.txt'] })
  return () => review.nvim.close()
}, 60_000)

beforeEach(async () => {
  proposed = await review.open('a.txt', text)
  return async () => {
    await review.nvim.feed('<C-\\><C-n>')
    await review.nvim.lua(`
      pcall(vim.api.nvim_del_augroup_by_name, 'test')
      for _, mode in ipairs { 'n', 'i', 'x' } do
        pcall(vim.keymap.del, mode, '<F5>')
      end`)
    await review.closeAllTabs()
    await review.nvim.feed(':silent! only | silent! tabonly | edit! a.txt<CR>')
  }
})

describe('with several proposals', () => {
  test('the one in this tab page is meant, or the user chooses', async () => {
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
  await review.nvim.lua('told = {} vim.notify = function(text) table.insert(told, text) end')
  await review.closeAllTabs()
  await review.nvim.feed(':ClaudeCodeDiffAccept<CR>')
  await review.nvim.waitFor('#told > 0', 'a notice')
  expect(await review.nvim.lua('return told')).toEqual([`claudecode: there is no proposal of Claude's to review`])
})
