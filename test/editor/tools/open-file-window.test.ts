// openFile: in which window a file is shown, and what happens to the others.
import { expect, test } from 'vitest'
import { type Session, startSession } from './support.ts'

const files = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' }

/** What each window of the tab page shows, from left to right and top to bottom; the current one in brackets. */
function windows({ nvim }: Session): Promise<string[]> {
  return nvim.lua(`return vim.tbl_map(function(win)
    local buf = vim.api.nvim_win_get_buf(win)
    local name = vim.fs.basename(vim.api.nvim_buf_get_name(buf))
    if vim.bo[buf].buftype ~= '' then name = vim.bo[buf].buftype end
    if vim.wo[win].diff then name = name .. ' diff' end
    return win == vim.api.nvim_get_current_win() and '[' .. name .. ']' or name
  end, vim.api.nvim_tabpage_list_wins(0))`)
}

const tree = 'vim.cmd("topleft 20vnew") vim.bo.buftype = "nofile" vim.wo.winfixwidth = true'
const terminal = 'vim.cmd("botright 40vnew | terminal") vim.wo.winfixwidth = true'
const float = `vim.api.nvim_open_win(vim.fn.bufadd('c.txt'), true, { relative = 'editor', row = 1, col = 1, width = 20, height = 3 })`

test.each([
  ['the current window', '', ['[b.txt]']],
  ['the window before the terminal', terminal, ['[b.txt]', 'terminal']],
  ['the window before the tree', tree, ['nofile', '[b.txt]']],
  ['the window before the help', 'vim.cmd("help")', ['help', '[b.txt]']],
  ['the window before the quickfix list', 'vim.cmd("copen")', ['[b.txt]', 'quickfix']],
  ['the window under a float', float, ['[b.txt]', 'c.txt']],
  ['the window beside one with winfixbuf', 'vim.cmd("vsplit c.txt") vim.wo.winfixbuf = true', ['c.txt', '[b.txt]']],
  [
    'the window beside the diff',
    'vim.cmd("split | diffsplit c.txt") vim.cmd("windo diffthis") vim.cmd("botright new | diffoff | wincmd t")',
    ['c.txt diff', 'a.txt diff', 'a.txt diff', '[b.txt]'],
  ],
  ['the window beside the preview', 'vim.cmd("pedit c.txt | wincmd P")', ['c.txt', '[b.txt]']],
  ['the window that shows it', 'vim.cmd("vsplit b.txt | vsplit c.txt")', ['c.txt', '[b.txt]', 'a.txt']],
  [
    'a window that shows it, though it has winfixbuf',
    'vim.cmd("vsplit b.txt") vim.wo.winfixbuf = true vim.cmd("wincmd p")',
    ['[b.txt]', 'a.txt'],
  ],
])('shown in %s', async (_, layout, expected) => {
  const session = await startSession({ files, args: ['a.txt'] })
  await session.nvim.lua(layout)
  await session.text('openFile', { filePath: session.file('b.txt') })
  expect(await windows(session)).toEqual(expected)
})

test.each([
  ['a terminal', 'vim.cmd("terminal")', ['[b.txt]', 'terminal']],
  [
    'a terminal with winfixbuf',
    'vim.cmd("terminal") vim.wo.winfixbuf = true vim.wo.winfixwidth = true',
    ['[b.txt]', 'terminal'],
  ],
  ['a terminal and a tree', `vim.cmd("terminal") ${tree}`, ['nofile', '[b.txt]', 'terminal']],
  ['a diff', 'vim.cmd("vertical diffsplit c.txt")', ['[b.txt]', 'c.txt diff', 'a.txt diff']],
  ['an unnamed file and a tree that takes the whole screen', 'vim.bo.buftype = "nofile"', ['[b.txt]', 'nofile']],
])('there is only %s: a new window', async (_, layout, expected) => {
  const session = await startSession({ files, args: ['a.txt'] })
  const { nvim } = session
  await nvim.lua(layout)
  await session.text('openFile', { filePath: session.file('b.txt') })
  expect(await windows(session)).toEqual(expected)
  expect(
    await nvim.lua(
      'return { vim.wo.diff, vim.wo.scrollbind, vim.wo.winfixbuf, vim.wo.winfixwidth, vim.wo.foldmethod, vim.bo.buflisted }',
    ),
  ).toEqual([false, false, false, false, 'manual', true])
  // Nothing is left of how the window came to be.
  expect(
    await nvim.lua(
      'return #vim.tbl_filter(function(b) return vim.api.nvim_buf_get_name(b) == "" end, vim.api.nvim_list_bufs())',
    ),
  ).toBe(layout.includes('vnew') ? 1 : 0)
})

test('E37: an unsaved file that may not be hidden stays, and the other one gets a window', async () => {
  for (const option of ['vim.o.confirm = true', 'vim.o.autowriteall = true', '']) {
    const session = await startSession({ files, args: ['a.txt'] })
    await session.nvim.lua(`vim.o.hidden = false vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'unsaved' }) ${option}`)
    expect(await session.text('openFile', { filePath: session.file('b.txt') })).toMatch(/^Opened file/)
    expect(await session.nvim.blockedMode()).toBeUndefined()
    expect(await windows(session)).toEqual(['[b.txt]', 'a.txt'])
    expect(await session.nvim.lua('return vim.bo[vim.fn.bufnr("a.txt")].modified')).toBe(true)
  }
})

test('an unsaved file that may be hidden is hidden', async () => {
  const session = await startSession({ files, args: ['a.txt'] })
  await session.nvim.lua("vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'unsaved' })")
  await session.text('openFile', { filePath: session.file('b.txt') })
  expect(await windows(session)).toEqual(['[b.txt]'])
  expect(await session.nvim.lua('return vim.bo[vim.fn.bufnr("a.txt")].modified')).toBe(true)
})

test('no room for a window: a sentence, and nothing has changed', async () => {
  const session = await startSession({ files, args: ['a.txt'] })
  await session.nvim.lua('vim.cmd("terminal") vim.o.winwidth = 80 vim.o.winminwidth = 80 vim.o.columns = 90')
  const answer = await session.call('openFile', { filePath: session.file('b.txt') })
  expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/no room/) }] })
  expect(await windows(session)).toEqual(['[terminal]'])
})

test('a preview goes to the preview window, and the next one takes it over', async () => {
  const session = await startSession({ files, args: ['a.txt'] })
  const { nvim, file } = session
  await session.text('openFile', { filePath: file('b.txt'), preview: true, startText: 'w' })
  expect(await windows(session)).toEqual(['[b.txt]', 'a.txt'])
  expect(
    await nvim.lua(
      'return { vim.wo.previewwindow, vim.fn.winheight(0) == vim.o.previewheight, vim.fn.mode(), vim.fn.col(".") }',
    ),
  ).toEqual([true, true, 'v', 2])
  await session.text('openFile', { filePath: file('c.txt'), preview: true })
  expect(await windows(session)).toEqual(['[c.txt]', 'a.txt'])
  expect(await nvim.lua('return vim.wo.previewwindow')).toBe(true)
  // What is not a preview does not go there.
  await session.text('openFile', { filePath: file('b.txt') })
  expect(await windows(session)).toEqual(['c.txt', '[b.txt]'])
  expect(await nvim.lua('return { vim.wo.previewwindow, vim.wo.winfixheight }')).toEqual([false, false])
})

test('from a terminal that is typed in, and from Insert mode: Normal mode in the file', async () => {
  for (const keys of [':botright vsplit | terminal<CR>i', 'ihello', 'Rhello', 'vl', 'gh']) {
    const session = await startSession({ files, args: ['a.txt'] })
    await session.nvim.feed(keys)
    await session.text('openFile', { filePath: session.file('b.txt') })
    await session.nvim.waitFor('vim.api.nvim_get_mode().mode == "n"', 'Normal mode')
    expect(await session.nvim.lua('return vim.fn.expand("%:t")')).toBe('b.txt')
    await session.nvim.feed('x')
    expect(await session.nvim.lua('return vim.fn.getline(1)')).toBe('wo')
  }
})

test.each([
  ['a command line', ':d'],
  ['a search', '/on'],
  ['the command-line window', 'q:'],
  ['an operator', 'd'],
  ['input()', ':call input("Name: ")<CR>'],
])('while the user is in %s, nothing moves and the answer says so', async (_, keys) => {
  const session = await startSession({ files, args: ['a.txt'] })
  await session.nvim.feed(keys)
  const before = await windows(session)
  const answer = await session.call('openFile', { filePath: session.file('b.txt') })
  expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/typing a command/) }] })
  expect(await windows(session)).toEqual(before)
  // In the background it works all the same.
  expect(await session.json('openFile', { filePath: session.file('b.txt'), makeFrontmost: false })).toMatchObject({
    success: true,
  })
  expect(await windows(session)).toEqual(before)
})
