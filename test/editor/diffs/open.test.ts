// Where and when a proposal is shown.
import { stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type ReviewSession, startReview } from '../../support/diff.ts'
import { layoutOf } from '../../support/layout.ts'

const old = 'one\ntwo\nthree\n'
const changed = 'one\nTWO\nthree\n'

/** The windows of the current tab page, from left to right: last part of the buffer's name, and whether in diff mode. */
function windowsOf({ nvim }: ReviewSession): Promise<[string, boolean][]> {
  return nvim.lua(`
    return vim.tbl_map(function(win)
      local name = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win))
      return { vim.fn.fnamemodify(name, ':t'), vim.wo[win].diff }
    end, vim.api.nvim_tabpage_list_wins(0))`)
}

describe('where', () => {
  test('beside the window that shows the file, wherever the user is', async () => {
    const review = await startReview({ files: { 'a.txt': old, 'b.txt': 'b\n' }, args: ['a.txt'] })
    await review.nvim.feed(':botright vsplit b.txt<CR>')
    const { tabName } = await review.open('a.txt', changed)
    expect(await windowsOf(review)).toEqual([
      ['a.txt', true],
      [`${tabName} (proposed)`, true],
      ['b.txt', false],
    ])
  })

  test('in the place of another file, when the file is shown nowhere', async () => {
    const review = await startReview({ files: { 'a.txt': old, 'b.txt': 'b\n' }, args: ['b.txt'] })
    const { tabName } = await review.open('a.txt', changed)
    expect(await windowsOf(review)).toEqual([
      ['a.txt', true],
      [`${tabName} (proposed)`, true],
    ])
    expect(await review.nvim.lua(`return vim.bo[vim.fn.bufnr('a.txt')].buflisted`)).toBe(false)
  })

  const closedToDiffs: [name: string, keys: string][] = [
    ['a tree', ':topleft 25vnew | setlocal buftype=nofile filetype=unknown winfixwidth<CR>:only<CR>'],
    ['a side bar with a file', ':edit b.txt | setlocal winfixwidth<CR>'],
    ['a terminal', ':terminal cat<CR>:only<CR>'],
    ['quickfix', ':copen | only<CR>'],
    ['help', ':help | only<CR>'],
    ['a window with winfixbuf', ':edit b.txt | setlocal winfixbuf<CR>'],
    ['a preview', ':pedit b.txt | wincmd P | only<CR>'],
  ]
  test.each(closedToDiffs)('not in %s', async (_name, keys) => {
    const review = await startReview({ files: { 'a.txt': old, 'b.txt': 'b\n' } })
    await review.nvim.feed(keys)
    const win = await review.nvim.lua<number>('return vim.api.nvim_get_current_win()')
    const buffer = await review.nvim.lua<number>('return vim.api.nvim_get_current_buf()')
    await review.open('a.txt', changed)
    expect(await review.nvim.lua('return vim.api.nvim_win_get_buf(...)', win)).toBe(buffer)
    expect(await review.nvim.lua('return vim.wo[...].diff', win)).toBe(false)
    expect(await review.nvim.lua(`return vim.fn.winnr('$')`)).toBe(3)
  })

  test('in a tab page of its own, where the user has a diff', async () => {
    const review = await startReview({ files: { 'a.txt': old, 'b.txt': 'b\n' }, args: ['a.txt'] })
    await review.nvim.feed(':diffsplit b.txt<CR>')
    const before = await layoutOf(review.nvim)
    await review.open('a.txt', changed)
    expect(await review.nvim.lua('return vim.fn.tabpagenr()')).toBe(2)
    const during = (await layoutOf(review.nvim)) as { tabs: unknown[] }
    expect(during.tabs[0]).toEqual((before as { tabs: unknown[] }).tabs[0])
  })

  test('in a tab page of its own, where there is no room', async () => {
    const review = await startReview({ files: { 'a.txt': old }, args: ['a.txt'], columns: 30 })
    await review.nvim.feed(':set winminwidth=12<CR>:vsplit<CR>')
    const proposed = await review.open('a.txt', changed)
    expect(await review.nvim.lua('return vim.fn.tabpagenr()')).toBe(2)
    await review.nvim.feed(':w<CR>')
    expect((await proposed.answer)[0]).toBe('FILE_SAVED')
  })

  test('ten diffs at once, each in a place of its own and answered once', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `${index}.txt`)
    const review = await startReview({ files: Object.fromEntries(names.map(name => [name, old])), args: ['0.txt'] })
    const before = await layoutOf(review.nvim)
    const all = names.map(name => review.propose(name, changed))
    for (const proposed of all) await review.waitForDiff(proposed)
    expect(await review.nvim.lua(`return vim.fn.tabpagenr('$')`)).toBe(10)
    for (const _ of all) await review.nvim.feed(':ClaudeCodeDiffDeny<CR>')
    expect(await Promise.all(all.map(({ answer }) => answer))).toEqual(
      all.map(({ tabName }) => ['DIFF_REJECTED', tabName]),
    )
    expect(await layoutOf(review.nvim)).toEqual(before)
  })

  test('two proposals for one file', async () => {
    const review = await startReview({ files: { 'a.txt': old }, args: ['a.txt'] })
    const first = await review.open('a.txt', 'first\n')
    const second = await review.open('a.txt', 'second\n')
    await review.nvim.feed(':w<CR>')
    expect(await second.answer).toEqual(['FILE_SAVED', 'second\n'])
    await review.closeTab(second.tabName)
    await review.nvim.feed(':w<CR>')
    expect(await first.answer).toEqual(['FILE_SAVED', 'first\n'])
  })
})

describe('a new file', () => {
  test('has no left side, and leaves the windows of the user alone', async () => {
    const review = await startReview({ files: { 'a.txt': old }, args: ['a.txt'] })
    const before = await layoutOf(review.nvim)
    const proposed = await review.open('new/folder/fresh.txt', changed, { tabName: 'the tab' })
    expect(await windowsOf(review)).toEqual([
      ['a.txt', false],
      ['the tab (NEW FILE - proposed)', false],
    ])
    await review.nvim.feed(':w<CR>')
    expect(await proposed.answer).toEqual(['FILE_SAVED', changed])
    await expect(stat(review.path('new'))).rejects.toThrow('ENOENT')
    await review.closeTab(proposed.tabName)
    expect(await layoutOf(review.nvim)).toEqual(before)
  })

  test('opens beside a terminal, or in a tab page of its own beside a diff of the user', async () => {
    const review = await startReview({ files: { 'a.txt': old, 'b.txt': 'b\n' } })
    await review.nvim.feed(':terminal cat<CR>:only<CR>')
    const first = await review.open('fresh.txt', changed)
    expect(await review.nvim.lua(`return vim.fn.winnr('$')`)).toBe(2)
    await review.nvim.feed(':q<CR>')
    await first.answer
    await review.nvim.feed(':tabnew a.txt | diffsplit b.txt<CR>')
    await review.open('fresh.txt', changed)
    expect(await review.nvim.lua('return { vim.fn.tabpagenr(), vim.fn.winnr("$") }')).toEqual([3, 1])
  })

  test('that has been begun in a buffer is compared with it', async () => {
    const review = await startReview()
    await review.nvim.feed(':edit fresh.txt<CR>ione<Esc>')
    await review.open('fresh.txt', 'one\ntwo\n')
    expect(await review.changedLines()).toEqual([[], [2]])
  })
})

describe('when', () => {
  const busy: [doing: string, keys: string, end: string][] = [
    ['Insert mode', 'ihel', '<Esc>'],
    ['Replace mode', 'Rhel', '<Esc>'],
    ['a command line', ':echo 1', '<CR>'],
    ['a search', '/two', '<CR>'],
    ['Visual mode', 'vl', '<Esc>'],
    ['Select mode', 'gh', '<Esc>'],
    ['a pending operator', 'd', '<Esc>'],
    ['the command-line window', 'q:', ':q<CR>'],
    ['Insert mode for one command', 'i<C-o>', '<Esc><Esc>'],
  ]
  test.each(busy)('after %s, of which it takes no key', async (_doing, keys, end) => {
    const review = await startReview({ files: { 'a.txt': old }, args: ['a.txt'] })
    await review.nvim.feed(keys)
    const before = await layoutOf(review.nvim)
    const proposed = review.propose('a.txt', changed)
    await pause(150)
    expect(await review.isShown(proposed.tabName)).toBe(false)
    expect(await layoutOf(review.nvim)).toEqual(before)
    await review.nvim.feed(end)
    await review.waitForDiff(proposed)
    await review.nvim.feed(':w<CR>')
    expect((await proposed.answer)[0]).toBe('FILE_SAVED')
  })

  test('and a user who is typing is told that one waits, once', async () => {
    const review = await startReview({ files: { 'a.txt': old }, args: ['a.txt'] })
    await review.nvim.feed('ihe')
    const proposed = review.propose('a.txt', changed)
    const notice = 'Claude proposes a change of a.txt, which opens when you are back in Normal mode'
    await review.nvim.waitFor(async () => (await review.nvim.messages()).includes(notice), 'the notice')
    await review.nvim.feed('llo<Esc>')
    await review.waitForDiff(proposed)
    expect((await review.nvim.messages()).match(/proposes a change/g)).toHaveLength(1)
    expect(await review.nvim.lua('return vim.fn.getbufline("a.txt", 1)')).toEqual(['helloone'])
  })

  test('at once while Neovim waits for a key, as soon as it is there', async () => {
    const review = await startReview({ files: { 'a.txt': old }, args: ['a.txt'] })
    await review.nvim.feed('f')
    const proposed = review.propose('a.txt', changed)
    await pause(150)
    expect(await review.nvim.blockedMode()).toBeDefined()
    await review.nvim.feed('e')
    await review.waitForDiff(proposed)
  })

  test('a proposal that is closed before its moment is answered, and never shown', async () => {
    const review = await startReview({ files: { 'a.txt': old }, args: ['a.txt'] })
    await review.nvim.feed('i')
    const proposed = review.propose('a.txt', changed)
    await pause(100)
    expect(await review.closeAllTabs()).toEqual(['CLOSED_1_DIFF_TABS'])
    expect(await proposed.answer).toEqual(['DIFF_REJECTED', proposed.tabName])
    await review.nvim.feed('<Esc>')
    await pause(100)
    expect(await review.isOpen(proposed.tabName)).toBe(false)
  })

  test("out of Claude's terminal the user goes into the proposal, and back", async () => {
    const review = await startReview({ files: { 'a.txt': old }, args: ['a.txt'], setup: `{ terminal_cmd = 'cat' }` })
    await review.nvim.feed(':ClaudeCode<CR>')
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, "Claude's terminal")
    const terminal = await review.nvim.lua('return vim.api.nvim_get_current_win()')
    await review.open('a.txt', changed)
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 'n'`, 'Normal mode')
    await review.nvim.feed('ccmine<Esc>:q<CR>')
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    expect(await review.nvim.lua('return vim.api.nvim_get_current_win()')).toBe(terminal)
  })

  test('a user who types in another terminal goes on typing there', async () => {
    const review = await startReview({ files: { 'a.txt': old }, args: ['a.txt'] })
    await review.nvim.feed(':botright split | terminal cat<CR>i')
    await review.open('a.txt', changed)
    await review.nvim.feed('dd:q')
    await review.nvim.waitForScreen(/dd:q/)
    expect(await review.nvim.lua('return { vim.api.nvim_get_mode().mode, vim.bo.buftype }')).toEqual(['t', 'terminal'])
  })

  test('a user who has gone elsewhere stays there when the diff closes', async () => {
    const review = await startReview({ files: { 'a.txt': old, 'b.txt': 'b\n' }, args: ['a.txt'] })
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(':botright split b.txt<CR>A more')
    const win = await review.nvim.lua('return vim.api.nvim_get_current_win()')
    await review.closeTab(proposed.tabName)
    expect(await review.nvim.lua('return { vim.api.nvim_get_current_win(), vim.api.nvim_get_mode().mode }')).toEqual([
      win,
      'i',
    ])
  })
})
