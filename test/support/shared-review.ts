// One review for the tests of a file, in which each begins with a proposal for a.txt.
import { beforeAll, beforeEach } from 'vitest'
import { type Proposed, type ReviewSession, recordNotices, startReview } from './diff.ts'

export const old = 'one\ntwo\nthree\n'
/** What is proposed for a.txt. */
export const text = 'one\nTWO\nthree\n'

/** What a test works with. */
export interface SharedReview {
  readonly review: ReviewSession
  readonly proposed: Proposed
}

/**
 * Registers the hooks: Neovim shows a.txt and a proposal for it; b.txt is there, too. After each test all windows, the
 * augroup `test` and maps of <F5> are as before. The function that comes back is for use within tests.
 */
export function shareReview(): () => SharedReview {
  let review: ReviewSession
  let proposed: Proposed

  beforeAll(async () => {
    review = await startReview({ files: { 'a.txt': old, 'b.txt': 'other\n' }, args: ['a.txt'], init: recordNotices })
    return () => review.nvim.close()
  }, 60_000)

  beforeEach(async () => {
    await review.nvim.lua('told = {}')
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

  return () => ({ review, proposed })
}
