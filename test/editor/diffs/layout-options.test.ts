// Where a diff is put, as the options say: one window above the other, a tab page of its own, one window for a new file.
import { describe, expect, test } from 'vitest'
import { recordNotices } from '../../support/diff.ts'
import { changed, modeOf, reject, shapeOf, startClaude, startLayout, tabsOf } from '../../support/diff-shape.ts'
import { layoutOf } from '../../support/layout.ts'

describe('one above the other', () => {
  test('the file is above, the proposal below, and both have the same changes', async () => {
    const review = await startLayout(`diff_opts = { layout = 'horizontal' }`)
    await review.nvim.feed(':botright vsplit b.txt<CR><C-w>h')
    const before = await layoutOf(review.nvim)
    const proposed = await review.open('a.txt', changed)
    expect(await shapeOf(review)).toBe('row(col(a.txt, *proposal), b.txt)')
    expect(await review.changedLines()).toEqual([[2], [2], []])
    await review.nvim.feed(':w<CR>')
    expect(await proposed.answer).toEqual(['FILE_SAVED', changed])
    await review.closeTab(proposed.tabName)
    expect(await layoutOf(review.nvim)).toEqual(before)
  })

  test('beside a terminal that is alone, the two share what is split off', async () => {
    const review = await startLayout(`diff_opts = { vertical_split = false }`)
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n><C-w>o')
    await review.open('a.txt', changed)
    expect(await shapeOf(review)).toBe('row(col(a.txt, *proposal), claude)')
  })
})

test("'scrollopt' is what the user has set, also between two diffs and while one is open", async () => {
  const review = await startLayout()
  const scrollopt = () => review.nvim.lua('return vim.o.scrollopt')
  for (const value of ['ver,jump', 'ver,hor', 'jump']) {
    await review.nvim.feed(`:set scrollopt=${value}<CR>`)
    await reject(review, await review.open('a.txt', changed))
    expect(await scrollopt()).toBe(value)
  }
  const proposed = await review.open('a.txt', changed)
  await review.nvim.feed(':set scrollopt=ver<CR>')
  await reject(review, proposed)
  expect(await scrollopt()).toBe('ver')
})

describe('in a tab page of its own', () => {
  const inNewTab = (more = '') => `diff_opts = { open_in_new_tab = true, ${more} }`

  test('with Claude beside it, as wide as before', async () => {
    const review = await startLayout(inNewTab())
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n>:vertical resize 33<CR>i')
    const before = await layoutOf(review.nvim)
    const proposed = await review.open('a.txt', changed)
    expect([await tabsOf(review), await shapeOf(review)]).toEqual([[2, 2], 'row(a.txt, *proposal, claude)'])
    expect(await review.nvim.lua('return vim.api.nvim_win_get_width(vim.fn.win_getid(3))')).toBe(33)
    await reject(review, proposed)
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    expect(await layoutOf(review.nvim)).toEqual(before)
  })

  test('D-29: with hide_terminal_in_new_tab it has two windows only', async () => {
    const review = await startLayout(inNewTab('hide_terminal_in_new_tab = true'))
    await startClaude(review)
    await review.open('a.txt', changed)
    expect([await tabsOf(review), await shapeOf(review)]).toEqual([[2, 2], 'row(a.txt, *proposal)'])
  })

  test('without Claude beside it, when Claude is hidden', async () => {
    const review = await startLayout(inNewTab())
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n>:ClaudeCode<CR>')
    await review.open('a.txt', changed)
    expect([await tabsOf(review), await shapeOf(review)]).toEqual([[2, 2], 'row(a.txt, *proposal)'])
  })

  test('D-28: by its older name', async () => {
    const review = await startLayout(`diff_opts = { open_in_current_tab = false }`)
    await review.open('a.txt', changed)
    expect(await tabsOf(review)).toEqual([2, 2])
  })

  test('a user who types to Claude beside it goes on typing to Claude when it closes', async () => {
    const review = await startLayout(inNewTab())
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n><C-w>h')
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed('<C-w>l')
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    await review.closeTab(proposed.tabName)
    await review.nvim.feed('hello')
    await review.nvim.waitForScreen(/hello/)
    expect([await tabsOf(review), await shapeOf(review), await modeOf(review)]).toEqual([
      [1, 1],
      'row(a.txt, *claude)',
      't',
    ])
    expect(await review.nvim.lua(`return vim.fn.getbufline('a.txt', 1, '$')`)).toEqual(['one', 'two', 'three'])
  })

  test.each([
    ['a file', 'a.txt'],
    ['a new file', 'fresh.txt'],
  ])(
    'D-06, D-07: ten diffs of %s, one after the other, leave no tab page and no [No Name] behind',
    async (_what, name) => {
      const review = await startLayout(inNewTab())
      const before = await layoutOf(review.nvim)
      for (let count = 0; count < 10; count += 1) {
        const proposed = await review.open(name, changed)
        if (count % 2 === 0) {
          await review.nvim.feed(':w<CR>')
          await proposed.answer
          await review.closeTab(proposed.tabName)
        } else {
          await reject(review, proposed)
        }
      }
      expect(await layoutOf(review.nvim)).toEqual(before)
    },
  )

  test('D-09: a new Markdown file is accepted and closed, and Neovim lives', async () => {
    const decorate = `
      vim.api.nvim_create_autocmd({ 'BufWinEnter', 'WinClosed', 'OptionSet', 'BufWriteCmd' }, { callback = function()
        for _, win in ipairs(vim.api.nvim_list_wins()) do
          local buffer = vim.api.nvim_win_get_buf(win)
          vim.wo[win].conceallevel = 2
          vim.api.nvim_buf_set_extmark(buffer, vim.api.nvim_create_namespace('render'), 0, 0, {
            virt_lines = { { { 'above' } } }, virt_text = { { 'x' } }, virt_text_pos = 'inline' })
        end
      end })`
    const review = await startLayout(inNewTab(), { init: `${recordNotices}\n${decorate}` })
    const proposed = await review.open('fresh.md', '# Head\n\n- one\n- two\n')
    expect(await review.nvim.lua('return vim.bo.filetype')).toBe('markdown')
    await review.nvim.feed(':w<CR>')
    expect((await proposed.answer)[0]).toBe('FILE_SAVED')
    await review.closeTab(proposed.tabName)
    await review.waitForClosed(proposed)
    await review.nvim.lua('vim.cmd.redraw()')
    expect([await tabsOf(review), await shapeOf(review)]).toEqual([[1, 1], '*a.txt'])
  })
})

describe('a new file', () => {
  test.each([
    ['vertical', 'row(a.txt, *proposal)'],
    ['horizontal', 'col(a.txt, *proposal)'],
  ])('D-20: has one pane, and leaves nothing behind when it is rejected (%s)', async (layout, during) => {
    const review = await startLayout(`diff_opts = { layout = '${layout}', on_new_file_reject = 'keep_empty' }`)
    const before = await layoutOf(review.nvim)
    const proposed = await review.open('fresh.txt', changed)
    expect(await shapeOf(review)).toBe(during)
    await reject(review, proposed)
    expect(await layoutOf(review.nvim)).toEqual(before)
  })
})
