// Where and when a proposal is shown, and what it looks like.
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { AnswerError } from '../support/claude-client.ts'
import { type ReviewSession, startReview } from '../support/diff.ts'
import { layoutOf } from '../support/layout.ts'

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

/** The lines of the current tab page's windows that are coloured as different. */
function changedLines({ nvim }: ReviewSession): Promise<number[][]> {
  return nvim.lua(`
    return vim.tbl_map(function(win)
      return vim.api.nvim_win_call(win, function()
        local lines = {}
        for line = 1, vim.fn.line('$') do
          if vim.fn.diff_hlID(line, 1) ~= 0 then
            lines[#lines + 1] = line
          end
        end
        return lines
      end)
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
    expect(await changedLines(review)).toEqual([[], [2]])
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

describe('only real changes are shown', () => {
  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
  const cases: [name: string, disk: string | Buffer, proposal: string, lines: number[]][] = [
    ['LF', old, changed, [2]],
    ['a CRLF file, a proposal with LF', old.replaceAll('\n', '\r\n'), changed, [2]],
    ['a CRLF file, a proposal with CRLF', old.replaceAll('\n', '\r\n'), changed.replaceAll('\n', '\r\n'), [2]],
    ['a file with a mark, and a proposal', `\uFEFF${old}`, `\uFEFF${changed}`, [2]],
    ['a file with a mark, not the proposal', `\uFEFF${old}`, changed, [2]],
    ['a UTF-16 file', utf16(old), `\uFEFF${changed}`, [2]],
    ['a latin1 file', Buffer.from('one\ntw\xf6\nthree\n', 'latin1'), 'one\ntwö\nTHREE\n', [3]],
    ['no final line break', 'one\ntwo', 'one\nTWO', [2]],
    ['NUL', 'a\0b\ntwo\n', 'a\0b\nTWO\n', [2]],
  ]
  test.each(cases)('%s', async (_name, disk, proposal, lines) => {
    const review = await startReview({ files: { 'a.txt': disk }, args: ['a.txt'] })
    const proposed = await review.open('a.txt', proposal)
    expect(await changedLines(review)).toEqual([lines, lines])
    await review.nvim.feed(':w<CR>')
    expect(await proposed.answer).toEqual(['FILE_SAVED', proposal])
  })
})

describe('a file that can not be compared', () => {
  const name = 'a.txt'

  async function expectRefusal(review: ReviewSession, file: string, message: RegExp): Promise<void> {
    const before = await layoutOf(review.nvim)
    const failure = await review.propose(file, changed, { tabName: 'the tab' }).answer.catch(error => error)
    expect(failure).toBeInstanceOf(AnswerError)
    expect(failure.code).toBe(-32000)
    expect(failure.message).toMatch(message)
    expect(await layoutOf(review.nvim)).toEqual(before)
  }

  test('a folder is refused', async () => {
    const review = await startReview({ files: { 'folder/a.txt': old } })
    await expectRefusal(review, 'folder', /it is a folder/)
  })

  test('a buffer that has the name of the proposal is an error, and nothing is left behind', async () => {
    const review = await startReview({ files: { [name]: old }, args: [name] })
    await review.nvim.feed(':badd the\\ tab\\ (proposed)<CR>')
    await expectRefusal(review, name, /there is a buffer of that name already/)
    const proposed = await review.open(name, changed)
    await review.nvim.feed(':w<CR>')
    expect((await proposed.answer)[0]).toBe('FILE_SAVED')
  })
})

test('another Neovim that has the file open leads to no question', async () => {
  const review = await startReview({ files: { 'a.txt': old, 'b.txt': 'b\n' }, args: ['b.txt'] })
  await review.nvim.lua(`
    other = vim.fn.jobstart({ vim.v.progpath, '--embed', '--headless', 'a.txt' }, { rpc = true })
    vim.rpcrequest(other, 'nvim_command', 'normal! ix')
    vim.rpcrequest(other, 'nvim_command', 'preserve')`)
  const proposed = await review.open('a.txt', changed)
  await review.nvim.feed(':w<CR>')
  expect((await proposed.answer)[0]).toBe('FILE_SAVED')
  await review.nvim.lua('vim.fn.jobstop(other)')
})

test('the files that the text goes through are private, and go with the diff', async () => {
  const review = await startReview({ files: { 'a.txt': old }, args: ['a.txt'] })
  const proposed = await review.open('a.txt', changed)
  const { proposal } = await review.nvim.lua<{ proposal: string }>('return vim.b.claudecode_diff')
  expect((await stat(dirname(proposal))).mode & 0o777).toBe(0o700)
  expect((await stat(proposal)).mode & 0o777).toBe(0o600)
  await review.closeTab(proposed.tabName)
  await review.nvim.waitFor(
    () =>
      stat(dirname(proposal)).then(
        () => false,
        () => true,
      ),
    'the folder to be removed',
  )
})

test('the proposal has the file type and its colours, but no event starts a language server on it', async () => {
  const review = await startReview({
    files: { 'a.ts': 'const a = 1\n' },
    args: ['a.ts'],
    init: `
      seen = {}
      vim.api.nvim_create_autocmd({ 'FileType', 'BufReadPost', 'BufRead', 'BufNewFile', 'LspAttach' }, {
        callback = function(event) table.insert(seen, event.event .. ' ' .. vim.api.nvim_buf_get_name(event.buf)) end,
      })`,
  })
  await review.nvim.lua('seen = {}')
  const first = await review.open('a.ts', 'const a = 2\n')
  const look = `return { vim.bo.filetype, vim.bo.syntax, vim.bo.swapfile, vim.bo.undofile, #vim.lsp.get_clients({ bufnr = 0 }),
    vim.fn.synIDattr(vim.fn.synID(1, 1, 1), 'name') ~= '' }`
  expect(await review.nvim.lua(look)).toEqual(['typescript', 'typescript', false, false, 0, true])
  await review.closeTab(first.tabName)
  await review.open('fresh.ts', 'const b = 2\n')
  expect(await review.nvim.lua(look)).toEqual(['typescript', 'typescript', false, false, 0, true])
  expect(await review.nvim.lua('return seen')).toEqual([])
})

test('the buffer variables and the events that users know', async () => {
  const review = await startReview({
    files: { 'a.txt': old },
    args: ['a.txt'],
    init: `
      seen = {}
      vim.api.nvim_create_autocmd('User', {
        pattern = { 'ClaudeCodeDiffOpened', 'ClaudeCodeDiffClosed' },
        callback = function(event)
          table.insert(seen, { event.match, event.data })
          error('a handler that fails')
        end,
      })
      vim.notify = function(text) told = text end`,
  })
  const proposed = await review.open('a.txt', changed)
  expect(await review.nvim.lua('return vim.b.claudecode_diff_tab_name')).toBe(proposed.tabName)
  await review.closeTab(proposed.tabName)
  expect(await review.nvim.lua('return told')).toMatch(
    /^claudecode: a handler of ClaudeCodeDiff\w+ failed: .*a handler that fails/,
  )
  const path = review.path('a.txt')
  expect(await review.nvim.lua('return seen')).toMatchObject([
    ['ClaudeCodeDiffOpened', { tab_name: proposed.tabName, file_path: path, new_file_path: path, is_new_file: false }],
    ['ClaudeCodeDiffClosed', { tab_name: proposed.tabName, file_path: path }],
  ])
})
