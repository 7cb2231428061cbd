// What a proposal looks like, and what can't be shown.
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AnswerError } from '../../support/claude-client.ts'
import { type ReviewSession, startReview } from '../../support/diff.ts'
import { layoutOf } from '../../support/layout.ts'

const old = 'one\ntwo\nthree\n'
const changed = 'one\nTWO\nthree\n'

describe('only real changes are shown', () => {
  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
  const cases: [name: string, disk: string | Buffer, proposal: string, lines: number[]][] = [
    ['LF', old, changed, [2]],
    ['A-10: a CRLF file, a proposal with LF', old.replaceAll('\n', '\r\n'), changed, [2]],
    ['A-10: a CRLF file, a proposal with CRLF', old.replaceAll('\n', '\r\n'), changed.replaceAll('\n', '\r\n'), [2]],
    ['A-11: a file with a mark, and a proposal', `\uFEFF${old}`, `\uFEFF${changed}`, [2]],
    ['A-11: a file with a mark, not the proposal', `\uFEFF${old}`, changed, [2]],
    ['A-11: a UTF-16 file', utf16(old), `\uFEFF${changed}`, [2]],
    ['a latin1 file', Buffer.from('one\ntw\xf6\nthree\n', 'latin1'), 'one\ntwö\nTHREE\n', [3]],
    ['no final line break', 'one\ntwo', 'one\nTWO', [2]],
    ['NUL', 'a\0b\ntwo\n', 'a\0b\nTWO\n', [2]],
  ]
  test.each(cases)('%s', async (_name, disk, proposal, lines) => {
    const review = await startReview({ files: { 'a.txt': disk }, args: ['a.txt'] })
    const proposed = await review.open('a.txt', proposal)
    expect(await review.changedLines()).toEqual([lines, lines])
    await review.nvim.feed(':w<CR>')
    expect(await proposed.answer).toEqual(['FILE_SAVED', proposal])
  })
})

describe('A-08: a final line break', () => {
  const cases: [name: string, disk: string, proposal: string, says: RegExp | undefined][] = [
    ['that is taken away is told of', 'a\nb\n', 'a\nb', /b +the final line break is removed/],
    ['that is added is told of', 'a\nb', 'a\nb\n', /b +a final line break is added/],
    ['that both have is not', 'a\nb\n', 'a\nB\n', undefined],
    ['that neither has is not', 'a\nb', 'a\nB', undefined],
    ['of an empty file is not', '', 'a\n', undefined],
    ['of an empty proposal is not', 'a', '', undefined],
  ]
  test.each(cases)('%s', async (_name, disk, proposal, says) => {
    const review = await startReview({ files: { 'a.txt': disk }, args: ['a.txt'] })
    await review.open('a.txt', proposal)
    await review.nvim.feed(':echo 1<CR>')
    if (says) await review.nvim.waitForScreen(says)
    else expect(review.nvim.screen().join('\n')).not.toContain('final line break')
  })

  test('that the user puts back, and one behind lines that they add, is told of as it is then', async () => {
    const review = await startReview({ files: { 'a.txt': 'a\nb\n' }, args: ['a.txt'] })
    await review.open('a.txt', 'a\nb')
    await review.nvim.feed('Gomine<Esc>')
    await review.nvim.waitForScreen(/mine +the final line break is removed/)
    await review.nvim.feed(':set endofline<CR>')
    await review.nvim.waitFor(() => !review.nvim.screen().join('').includes('final line break'), 'nothing to be said')
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
    local other = vim.fn.jobstart({ vim.v.progpath, '--embed', '--headless', 'a.txt' }, { rpc = true })
    stop_other = function()
      vim.rpcnotify(other, 'nvim_command', 'qall!')
      return vim.fn.jobwait({ other }, 5000)[1] == 0
    end
    vim.rpcrequest(other, 'nvim_command', 'normal! ix')
    vim.rpcrequest(other, 'nvim_command', 'preserve')`)
  const proposed = await review.open('a.txt', changed)
  await review.nvim.feed(':w<CR>')
  expect((await proposed.answer)[0]).toBe('FILE_SAVED')
  expect(await review.nvim.lua('return stop_other()')).toBe(true)
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

test('D-13: the proposal has the file type and its colours, but no event starts a language server on it', async () => {
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
  expect(await review.nvim.lua('return { vim.b.claudecode_diff_target_win, vim.b.claudecode_diff_new_win }')).toEqual(
    await review.nvim.lua('return vim.api.nvim_tabpage_list_wins(0)'),
  )
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

test('D-25: another viewer shows a proposal from the event on, in a tab page of its own, and a :w there accepts', async () => {
  const review = await startReview({
    files: { 'a.txt': old },
    args: ['a.txt'],
    init: `
      local tabs = {}
      vim.api.nvim_create_autocmd('User', {
        pattern = 'ClaudeCodeDiffOpened',
        callback = function(event)
          local buffer = vim.api.nvim_win_get_buf(event.data.diff_window)
          vim.cmd('tab sbuffer ' .. buffer)
          tabs[event.data.tab_name] = vim.api.nvim_get_current_tabpage()
        end,
      })
      vim.api.nvim_create_autocmd('User', {
        pattern = 'ClaudeCodeDiffClosed',
        callback = function(event)
          local tab = tabs[event.data.tab_name]
          if tab and vim.api.nvim_tabpage_is_valid(tab) then
            vim.cmd.tabclose(vim.api.nvim_tabpage_get_number(tab))
          end
        end,
      })`,
  })
  const proposed = await review.open('a.txt', changed)
  await review.nvim.waitFor('vim.fn.tabpagenr() == 2', 'the viewer')
  await review.nvim.feed(':w<CR>')
  expect(await proposed.answer).toEqual(['FILE_SAVED', changed])
  await review.closeTab(proposed.tabName)
  await review.waitForClosed(proposed)
  expect(await review.nvim.lua('return { vim.fn.tabpagenr("$"), vim.fn.winnr("$") }')).toEqual([1, 1])
})
