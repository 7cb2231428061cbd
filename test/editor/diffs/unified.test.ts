// A diff in one window: what is drawn of it, and how it ends.
import { describe, expect, test } from 'vitest'
import { type ReviewSession, recordNotices, startReview } from '../../support/diff.ts'
import type { NeovimOptions } from '../../support/neovim.ts'

async function open(old: string, text: string, options: NeovimOptions & { keys?: string } = {}) {
  const { keys, ...rest } = options
  const review = await startReview({
    files: { 'a.txt': old },
    args: ['a.txt'],
    columns: 60,
    rows: 16,
    setup: `{ diff_opts = { layout = 'unified' } }`,
    init: recordNotices,
    ...rest,
  })
  if (keys) await review.nvim.feed(keys)
  const proposed = await review.open('a.txt', text)
  return { review, proposed }
}

/** Waits until the screen begins with these lines. */
async function expectRows({ nvim }: ReviewSession, rows: string[]): Promise<void> {
  await nvim
    .waitFor(() => nvim.screen().slice(0, rows.length).join('\n') === rows.join('\n'), 'the rows', 3000)
    .catch(() => undefined) // compared below
  expect(nvim.screen().slice(0, rows.length)).toEqual(rows)
}

/** The texts on the screen that have the colours of a highlight group. */
async function colouredAs({ nvim }: ReviewSession, group: string): Promise<string[]> {
  const background = await nvim.lua('return vim.api.nvim_get_hl(0, { name = ..., link = false }).bg', group)
  const rows = nvim
    .screenCells()
    .map(row => row.map(cell => (cell.background === background ? cell.text : '\0')).join(''))
  return rows.flatMap(row => row.split('\0')).filter(text => text.trim() !== '')
}

const old = 'gone 1\ngone 2\nsame\nlet a = 你好 + x\nsame 2\nlast gone\n'
const text = 'same\nlet a = 你们好 + y\nnew\nsame 2\n'
const drawn = [
  '- gone 1',
  '- gone 2',
  '  same',
  '- let a = 你好 + x',
  '+ let a = 你们好 + y',
  '+ new',
  '  same 2',
  '- last gone',
]

test('has the buffer variables that users know', async () => {
  const { review, proposed } = await open(old, text)
  const variables = await review.nvim.lua<unknown>(`
    return { vim.b.claudecode_diff_tab_name, vim.b.claudecode_inline_diff, vim.b.claudecode_diff_new_win, vim.bo.buftype }`)
  expect(variables).toEqual([proposed.tabName, true, await review.nvim.request('nvim_get_current_win'), 'acwrite'])
})

describe('D-25: what is drawn in place', () => {
  test('lines that are gone, above the first line and behind the last one, too', async () => {
    const { review } = await open(old, text)
    await expectRows(review, drawn)
    await review.nvim.feed('Ggg')
    await expectRows(review, drawn)
  })

  test('the words that differ in a changed line', async () => {
    const { review } = await open(old, text, { init: `${recordNotices} vim.cmd.highlight('DiffText guibg=#123456')` })
    await expectRows(review, drawn)
    expect(await colouredAs(review, 'ClaudeCodeInlineDiffText')).toEqual(['x', '们', 'y'])
  })

  test('a new file', async () => {
    const { review, proposed } = await open(old, text)
    await review.nvim.feed(':w<CR>')
    await review.closeTab(proposed.tabName)
    await review.open('b.txt', 'one\ntwo\n')
    await expectRows(review, ['+ one', '+ two', '~'])
  })

  test('a file that becomes empty', async () => {
    const { review, proposed } = await open('one\ntwo\n', '')
    await expectRows(review, ['', '- one', '- two', '~'])
    await review.nvim.feed(':w<CR>')
    expect(await proposed.answer).toEqual(['FILE_SAVED', ''])
  })

  test('a file that was empty', async () => {
    const { review } = await open('', 'one\n')
    await expectRows(review, ['+ one', '~'])
  })

  test('a final line break that goes', async () => {
    const { review } = await open('one\ntwo\n', 'one\ntwo')
    await expectRows(review, ['  one', '- two', '+ two the final line break is removed', '~'])
  })

  test('all of it follows what is edited', async () => {
    const { review } = await open(old, text)
    await review.nvim.feed('2GccLET<Esc>Goend<Esc>')
    await expectRows(review, [...drawn.slice(0, 4), '+ LET', '+ new', '  same 2', '- last gone', '+ end'])
    await review.nvim.feed('uu')
    await expectRows(review, drawn)
    await review.nvim.feed('gg:ClaudeCodeHunkReject<CR>')
    await expectRows(review, ['  gone 1', '  gone 2', ...drawn.slice(2)])
    await review.nvim.feed('4G:ClaudeCodeHunkAccept<CR>')
    await expectRows(review, ['  gone 1', '  gone 2', '  same', '  let a = 你们好 + y ✓ accepted', '  new', '  same 2'])
  })

  test('tabs, long lines that wrap, and the same scrolled to the side', async () => {
    const long = `\tx${'0123456789'.repeat(8)}`
    const { review } = await open(`${long}\nsame\n`, 'short\nsame\n', { keys: ':set tabstop=4<CR>' })
    const whole = `    x${'0123456789'.repeat(8)}`
    await expectRows(review, [`- ${whole.slice(0, 58)}`, `  ${whole.slice(58)}`, '+ short', '  same'])
    await review.nvim.feed(':set nowrap<CR>')
    await expectRows(review, [`- ${whole.slice(0, 58)}`, '+ short', '  same'])
    await review.nvim.feed(`:set sidescrolloff=0<CR>A${'.'.repeat(80)}<Esc>0fh20zl`)
    await expectRows(review, [`- ${whole.slice(20, 78)}`])
    await review.nvim.feed(':vsplit<CR>')
    await review.nvim.waitFor(() => review.nvim.screen()[1]?.startsWith('+'), 'the first lines')
  })

  test('beside numbers and folds', async () => {
    const { review } = await open(old, text, { keys: ':set number foldcolumn=1<CR>' })
    await expectRows(review, [' -     gone 1', ' -     gone 2', '     1 same'])
  })

  test('ten thousand hunks', async () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index}`)
    const changed = lines.map((line, index) => (index % 3 === 1 ? `${line} changed` : line))
    const { review } = await open(`${lines.join('\n')}\n`, `${changed.join('\n')}\n`)
    expect(await review.nvim.lua('return vim.b.claudecode_hunks')).toMatchObject({ left: 10_000, all: 10_000 })
    await review.nvim.feed('G')
    await review.nvim.waitForScreen(/- line 29998\n\+ line 29998 changed\n {2}line 29999/)
    await review.nvim.feed(
      ':ClaudeCodeHunkPrev<CR>:ClaudeCodeHunkReject<CR>:ClaudeCodeHunkPrev<CR>:ClaudeCodeHunkReject<CR>',
    )
    await review.waitForNotice('9998 of 10000 hunks left')
  }, 60_000)
})

describe('D-24: how it ends', () => {
  const isBack = ({ nvim }: ReviewSession) =>
    nvim.waitFor(`vim.fn.expand('%:t') == 'a.txt' and vim.fn.tabpagenr('$') == 1`, 'the file to be back')

  test.each([':q<CR>', 'ZQ', ':bdelete<CR>', ':bwipeout!<CR>', ':quit!<CR>', ':edit a.txt<CR>:bwipeout! proposed<CR>'])(
    '%s rejects, and the file is back in the only window',
    async keys => {
      const { review, proposed } = await open(old, text)
      await review.nvim.feed(keys)
      expect((await proposed.answer)[0]).toBe('DIFF_REJECTED')
      await isBack(review)
    },
  )

  test(':tabclose rejects', async () => {
    const { review, proposed } = await open(old, text, {
      setup: `{ diff_opts = { layout = 'unified', open_in_new_tab = true } }`,
    } as NeovimOptions)
    await review.nvim.feed(':tabclose<CR>')
    expect((await proposed.answer)[0]).toBe('DIFF_REJECTED')
    await isBack(review)
  })

  test.each([':w<CR>', ':wq<CR>', 'ZZ'])('%s accepts, with the trailing line break as it is', async keys => {
    const { review, proposed } = await open(old, 'one\ntwo')
    await review.nvim.feed(keys)
    expect(await proposed.answer).toEqual(['FILE_SAVED', 'one\ntwo'])
    await review.closeTab(proposed.tabName)
    await isBack(review)
  })

  test('after :w the proposal is a plain text until Claude has written the file', async () => {
    const { review, proposed } = await open(old, text)
    await expectRows(review, drawn)
    await review.nvim.feed(':w<CR>')
    await proposed.answer
    await expectRows(review, ['  same', '  let a = 你们好 + y', '  new', '  same 2', '~'])
  })

  test(':qa is not held up', async () => {
    const { review, proposed } = await open(old, text)
    proposed.answer.catch(() => undefined)
    await review.nvim.input(':qa<CR>')
    expect((await review.nvim.exited).code).toBe(0)
  })
})
