// openFile, from a real Neovim through a real socket: what is opened, and what is answered.
import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { startNeovim } from '../../support/neovim.ts'
import { makePlaces } from '../../support/places.ts'
import { oddNames, startSession, textOf } from './support.ts'

const files = { 'a.txt': 'one\n', 'b.js': 'let a\nlet b\n' }

test('the examples of the document: in front, and in the background', async () => {
  const { nvim, claude, file } = await startSession({ files, args: ['a.txt'] })
  const filePath = file('b.js')
  const background = await claude.callTool('openFile', { filePath, makeFrontmost: false, extra: {} })
  expect(background.content).toHaveLength(1)
  expect(JSON.parse(textOf(background))).toEqual({ success: true, filePath, languageId: 'javascript', lineCount: 2 })
  expect(await nvim.lua('return vim.fn.expand("%:t")')).toBe('a.txt')
  const front = await claude.callTool('openFile', { filePath })
  expect(front).toEqual({ content: [{ type: 'text', text: `Opened file: ${filePath}` }] })
  expect(await nvim.lua('return { vim.fn.expand("%:t"), vim.bo.filetype, vim.fn.winnr("$") }')).toEqual([
    'b.js',
    'javascript',
    1,
  ])
})

test('in the background nothing moves, and the file is open', async () => {
  const { nvim, json, file } = await startSession({ files, args: ['a.txt'] })
  await nvim.feed(':vsplit<CR>:split<CR>ihello')
  const state = () =>
    nvim.lua(`return { vim.fn.winlayout(), vim.fn.winsaveview(), vim.fn.mode(), vim.fn.winrestcmd(), vim.fn.expand('#'),
      vim.tbl_map(vim.api.nvim_win_get_buf, vim.api.nvim_list_wins()), vim.api.nvim_get_current_win() }`)
  const before = await state()
  const filePath = file('b.js')
  await json('openFile', { filePath, makeFrontmost: false, startText: 'let b', preview: true })
  expect(await state()).toEqual(before)
  expect(await json('checkDocumentDirty', { filePath })).toMatchObject({ success: true, isDirty: false })
  const { tabs } = await json<{ tabs: { label: string }[] }>('getOpenEditors')
  expect(tabs.map(tab => tab.label)).toEqual(['a.txt', 'b.js'])
  expect(await nvim.messages()).toBe('')
})

test("a file that was opened in the background has its filetype's window options when the user goes there", async () => {
  const { nvim, json, file } = await startSession({
    files,
    args: ['a.txt'],
    init: 'vim.cmd("autocmd FileType javascript setlocal nowrap foldmethod=indent")',
  })
  await json('openFile', { filePath: file('b.js'), makeFrontmost: false })
  await nvim.feed(':b b.js<CR>')
  expect(await nvim.lua('return { vim.wo.wrap, vim.wo.foldmethod, vim.bo.filetype }')).toEqual([
    false,
    'indent',
    'javascript',
  ])
})

const wrongArguments: [Record<string, unknown>, RegExp][] = [
  [{}, /filePath/],
  [{ filePath: 7 }, /filePath/],
  [{ filePath: null }, /filePath/],
  [{ filePath: ['/a'] }, /filePath/],
  [{ filePath: { toString: '/a' } }, /filePath/],
  [{ filePath: '' }, /filePath/],
  [{ filePath: '/a\0b' }, /filePath: must not contain NUL/],
  [{ filePath: '/a'.repeat(20_000) }, /filePath/],
  [{ filePath: '/a', preview: 'yes' }, /preview/],
  [{ filePath: '/a', startText: 1 }, /startText/],
  [{ filePath: '/a', endText: [] }, /endText/],
  [{ filePath: '/a', selectToEndOfLine: 1 }, /selectToEndOfLine/],
  [{ filePath: '/a', makeFrontmost: 'false' }, /makeFrontmost/],
  [{ filePath: '/a', startLine: 1.5 }, /startLine/],
  [{ filePath: '/a', endLine: '3' }, /endLine/],
]

test('wrong arguments are named', async () => {
  const { claude } = await startSession()
  for (const [args, reason] of wrongArguments) {
    await expect(claude.callTool('openFile', args), JSON.stringify(args).slice(0, 80)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(reason),
    })
  }
})

test.each([true, false])('what can not be opened is a sentence (makeFrontmost: %s)', async makeFrontmost => {
  const { nvim, claude, file } = await startSession({ files, args: ['a.txt'] })
  await mkdir(file('folder'))
  await symlink(file('loop'), file('loop'))
  await symlink(file('nowhere'), file('dangling'))
  await nvim.lua('vim.uv.new_pipe():bind(vim.fn.getcwd() .. "/socket")')
  const before = await nvim.lua('return { vim.fn.winlayout(), vim.fn.bufnr(), #vim.api.nvim_list_bufs() }')
  const cases: [string, RegExp][] = [
    ['missing.txt', /^File not found: /],
    ['a.txt/below', /^File not found: /],
    ['dangling', /^File not found: /],
    ['folder', /^This is a folder, not a file: /],
    ['socket', /^This is not a regular file: /],
    ['loop', /^File can't be read \(ELOOP\): /],
    ['x'.repeat(300), /^File can't be read \(ENAMETOOLONG\): /],
  ]
  for (const [name, reason] of cases) {
    const filePath = file(name)
    const answer = await claude.callTool('openFile', { filePath, makeFrontmost })
    expect(answer, name).toEqual({ content: [{ type: 'text', text: expect.stringMatching(reason) }], isError: true })
    expect(textOf(answer).endsWith(filePath)).toBe(true)
  }
  const relative = await claude.callTool('openFile', { filePath: 'no/where.txt', makeFrontmost })
  expect(textOf(relative)).toBe('File not found: no/where.txt')
  expect(await nvim.lua('return { vim.fn.winlayout(), vim.fn.bufnr(), #vim.api.nvim_list_bufs() }')).toEqual(before)
  expect(await nvim.messages()).toBe('')
})

test('a file without permission is a sentence', async () => {
  const { nvim, claude, file } = await startSession({ files, mereUser: true })
  await nvim.lua('vim.uv.fs_chmod(vim.fn.getcwd() .. "/a.txt", 0)')
  const answer = await claude.callTool('openFile', { filePath: file('a.txt') })
  expect(answer).toMatchObject({ isError: true, content: [{ text: `File can't be read (EACCES): ${file('a.txt')}` }] })
})

test('every name of a file, as path and as URI, encoded or not', async () => {
  const { nvim, text, file } = await startSession({
    files: Object.fromEntries(oddNames.map(name => [name, `this is ${name}\n`])),
  })
  for (const name of oddNames) {
    for (const filePath of [file(name), pathToFileURL(file(name)).href, `file://${file(name)}`, `./${name}`]) {
      await nvim.lua('vim.cmd.enew()')
      const absolute = filePath.startsWith('.') ? `${nvim.folder}/${filePath}` : file(name)
      expect(await text('openFile', { filePath }), filePath).toBe(`Opened file: ${absolute}`)
      expect(await nvim.lua('return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")')).toBe(
        `this is ${name}`,
      )
    }
  }
  const open = await nvim.lua<string[]>('return vim.tbl_map(vim.api.nvim_buf_get_name, vim.api.nvim_list_bufs())')
  expect(new Set(open.filter(name => name !== ''))).toEqual(new Set(oddNames.map(file)))
})

test('the file in the home folder', async () => {
  const { nvim, text } = await startSession()
  await nvim.lua('vim.fn.writefile({ "home" }, vim.env.HOME .. "/a.txt")')
  expect(await text('openFile', { filePath: '~/a.txt' })).toBe(`Opened file: ${path.join(nvim.home, 'a.txt')}`)
  expect(await nvim.lua('return vim.fn.getline(1)')).toBe('home')
})

test('a file that is open under its real name is not opened twice', async () => {
  const { nvim, text, file } = await startSession({ files: { 'real/a.txt': 'one\n' }, args: ['real/a.txt'] })
  await symlink(file('real'), file('link'))
  await nvim.lua('vim.api.nvim_buf_set_lines(0, 0, 0, false, { "unsaved" }) vim.cmd.enew()')
  expect(await text('openFile', { filePath: file('link/a.txt') })).toBe(`Opened file: ${file('link/a.txt')}`)
  expect(await nvim.lua('return vim.fn.getline(1)')).toBe('unsaved')
})

test('a document that was never written can be shown', async () => {
  const { nvim, text, file } = await startSession()
  await nvim.lua('vim.cmd.edit("new.txt") vim.api.nvim_buf_set_lines(0, 0, -1, false, { "draft" }) vim.cmd.enew()')
  await text('openFile', { filePath: file('new.txt') })
  expect(await nvim.lua('return vim.fn.getline(1)')).toBe('draft')
})

/** Leaves the swap file of a program with that number. */
function leaveSwapFile(pid: string, change: string): string {
  return `
    vim.cmd('silent edit a.txt')
    ${change}
    vim.cmd('silent preserve')
    local swap = vim.fn.swapname('%')
    local bytes = vim.fn.readblob(swap)
    vim.cmd('bwipeout!')
    local file = assert(io.open(swap, 'wb'))
    file:write(bytes:sub(1, 24), ${pid}, bytes:sub(29))
    file:close()`
}

const dead = '"\\255\\255\\255\\0"' // more than a system gives out
const unsaved = 'vim.api.nvim_buf_set_lines(0, 0, 0, false, { "unsaved" })'
const initWithSwapFiles = 'vim.o.swapfile = true vim.o.directory = "."'

test.each([true, false])(
  'a swap file is no question: the file is read-only (makeFrontmost: %s)',
  async makeFrontmost => {
    const { nvim, claude, file } = await startSession({ files, init: initWithSwapFiles })
    await nvim.lua(leaveSwapFile(dead, unsaved))
    const answer = await claude.callTool('openFile', { filePath: file('a.txt'), makeFrontmost })
    expect(answer.isError).toBeUndefined()
    expect(textOf(answer, 1)).toMatch(/^It was opened read-only: .*swap file/)
    expect(await nvim.blockedMode()).toBeUndefined()
    const [readonly, lines] = await nvim.lua<[boolean, string[]]>(
      'local b = vim.fn.bufnr("a.txt") return { vim.bo[b].readonly, vim.api.nvim_buf_get_lines(b, 0, -1, false) }',
    )
    expect([readonly, lines]).toEqual([true, ['one']])
    expect(await nvim.messages()).toBe('')
  },
)

test('a swap file without a text of its own is nothing', async () => {
  const { nvim, claude, file } = await startSession({ files, init: initWithSwapFiles })
  await nvim.lua(leaveSwapFile(dead, ''))
  const answer = await claude.callTool('openFile', { filePath: file('a.txt') })
  expect(answer.content).toHaveLength(1)
  expect(await nvim.lua('return { vim.bo.readonly, vim.fn.getline(1) }')).toEqual([false, 'one'])
})

test('a file that another Neovim has open is read-only', async () => {
  const places = await makePlaces(files)
  const first = await startNeovim({ places, init: initWithSwapFiles, args: ['a.txt'] })
  const { nvim, claude, file } = await startSession({ places, init: initWithSwapFiles })
  const answer = await claude.callTool('openFile', { filePath: file('a.txt') })
  expect(textOf(answer, 1)).toMatch(/^It was opened read-only/)
  expect(await nvim.lua('return vim.bo.readonly')).toBe(true)
  expect(await first.lua('return vim.bo.readonly')).toBe(false)
})

test('an autocommand that fails does not keep a file closed, and is no question', async () => {
  const { nvim, text, file } = await startSession({
    files,
    init: `vim.api.nvim_create_autocmd({ 'BufReadPost', 'FileType', 'BufEnter' }, { pattern = '*.js,javascript', callback = function()
      error(('broken\\n'):rep(50)) end })`,
  })
  expect(await text('openFile', { filePath: file('b.js') })).toBe(`Opened file: ${file('b.js')}`)
  expect(await nvim.blockedMode()).toBeUndefined()
  expect(await nvim.lua('return { vim.fn.expand("%:t"), vim.fn.line("$") }')).toEqual(['b.js', 2])
})
