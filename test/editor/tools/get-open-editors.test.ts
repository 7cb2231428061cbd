// getOpenEditors, from a real Neovim through a real socket.
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { connectThroughLockFile } from '../../support/claude-client.ts'
import { killHost } from '../../support/plugin.ts'
import { oddNames, startSession, textOf } from './support.ts'

interface Tab {
  uri: string
  fileName: string
  label: string
  isActive: boolean
  isDirty: boolean
  viewColumn: number
  groupIndex: number
  isGroupActive: boolean
  languageId: string
  lineCount: number
  selection?: { start: { line: number } }
}

type Tabs = { tabs: Tab[] }

const files = { 'a.txt': 'one\ntwo\n', 'b.txt': 'three\n', 'c.txt': 'four\n' }

test('the example of the document, every field', async () => {
  const { nvim, json, file } = await startSession({ files: { 'filename.js': 'let a\nlet b\n' }, args: ['filename.js'] })
  await nvim.feed('jl')
  expect(await json('getOpenEditors')).toEqual({
    tabs: [
      {
        uri: `file://${file('filename.js')}`,
        isActive: true,
        isPinned: false,
        isPreview: false,
        isDirty: false,
        label: 'filename.js',
        groupIndex: 0,
        viewColumn: 1,
        isGroupActive: true,
        fileName: file('filename.js'),
        languageId: 'javascript',
        lineCount: 2,
        isUntitled: false,
        selection: { start: { line: 1, character: 1 }, end: { line: 1, character: 1 }, isReversed: false },
      },
    ],
  })
})

test('no file is open: an empty list, whatever else is on the screen', async () => {
  const { nvim, json } = await startSession()
  expect(await json('getOpenEditors', { extra: 'ignored', tabs: [1] })).toEqual({ tabs: [] })
  await nvim.feed(':help<CR>')
  await nvim.lua('vim.cmd("terminal") vim.cmd("copen")')
  expect(await json('getOpenEditors')).toEqual({ tabs: [] })
})

test('G-08: only listed, loaded files with a name are open', async () => {
  const { nvim, json } = await startSession({
    files: { ...files, 'unlisted.txt': '', 'unloaded.txt': '', 'nofile.txt': '' },
    args: ['a.txt'],
  })
  await nvim.lua(`
    vim.cmd('edit b.txt')
    vim.cmd('badd unloaded.txt')
    vim.cmd('edit unlisted.txt') vim.bo.buflisted = false
    vim.cmd('edit nofile.txt') vim.bo.buftype = 'nofile'
    vim.cmd('edit .')
    vim.cmd('enew')
    vim.cmd('edit never-written.txt')
    vim.api.nvim_buf_set_name(vim.api.nvim_create_buf(true, false), 'https://example.org/x.txt')
    vim.cmd('edit b.txt')
    vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'new' })`)
  const { tabs } = await json<Tabs>('getOpenEditors')
  expect(tabs.map(tab => [tab.label, tab.isActive, tab.isDirty])).toEqual([
    ['a.txt', false, false],
    ['b.txt', true, true],
    ['never-written.txt', false, false],
  ])
  expect(tabs.filter(tab => 'selection' in tab).map(tab => tab.label)).toEqual(['b.txt'])
  expect(tabs[2]?.languageId).toBe('text')
})

test.each([
  ['a terminal', 'vim.cmd("botright vsplit | terminal")'],
  ['a terminal that is typed in', 'vim.cmd("botright vsplit | terminal") vim.cmd.startinsert()'],
  ['a tree', 'vim.cmd("topleft vnew") vim.bo.buftype = "nofile"'],
  [
    'a tree, and from there a terminal',
    'vim.cmd("topleft vnew") vim.bo.buftype = "nofile" vim.cmd("split | terminal")',
  ],
  [
    'a float',
    'vim.api.nvim_open_win(vim.api.nvim_create_buf(false, true), true, { relative = "editor", row = 1, col = 1, width = 9, height = 3 })',
  ],
  ['a terminal in another tab page', 'vim.cmd("tabnew | terminal")'],
])('G-08: the active file is the one before while the user is in %s', async (_, elsewhere) => {
  const { nvim, json } = await startSession({ files, args: ['a.txt'] })
  // a.txt | b.txt | c.txt, and the user comes from b.txt, which neither the order nor the time tells.
  await nvim.lua(`vim.cmd('vsplit b.txt | vsplit c.txt | wincmd h | wincmd l | wincmd p')
    vim.cmd(vim.fn.bufwinnr('b.txt') .. 'wincmd w')
    ${elsewhere}`)
  const { tabs } = await json<Tabs>('getOpenEditors')
  expect(tabs.filter(tab => tab.isActive).map(tab => tab.label)).toEqual(['b.txt'])
})

test('the selection of the active file', async () => {
  const { nvim, json } = await startSession({ files: { 'a.txt': 'ünï\ntwo\n' }, args: ['a.txt'] })
  await nvim.feed('vl')
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 }, isReversed: false }
  expect((await json<Tabs>('getOpenEditors')).tabs[0]?.selection).toEqual(range)
})

test('each answer is of its moment, whatever has changed since the last one', async () => {
  const { nvim, claude, json } = await startSession({ files, args: ['a.txt', 'b.txt'] })
  const look = async () =>
    (await json<Tabs>('getOpenEditors')).tabs.map(
      ({ label, isActive, isDirty, lineCount, viewColumn, isGroupActive, languageId, selection }) =>
        [label, isActive, isDirty, lineCount, viewColumn, isGroupActive, languageId, selection?.start.line] as const,
    )
  await nvim.feed(':next<CR>:first<CR>')
  expect(await look()).toEqual([
    ['a.txt', true, false, 2, 1, true, 'text', 0],
    ['b.txt', false, false, 1, 1, true, 'text', undefined],
  ])
  await nvim.feed('j')
  expect((await look())[0]).toEqual(['a.txt', true, false, 2, 1, true, 'text', 1])
  await nvim.feed(':next<CR>')
  expect((await look()).map(([label, isActive]) => [label, isActive])).toEqual([
    ['a.txt', false],
    ['b.txt', true],
  ])
  await nvim.feed(':tabnew c.txt<CR>')
  expect(await look()).toEqual([
    ['a.txt', false, false, 2, 2, true, 'text', undefined],
    ['b.txt', false, false, 1, 1, false, 'text', undefined],
    ['c.txt', true, false, 1, 2, true, 'text', 0],
  ])
  await nvim.feed('yyp:setlocal filetype=lua<CR>')
  expect((await look())[2]).toEqual(['c.txt', true, true, 2, 2, true, 'lua', 1])
  await nvim.feed(':bdelete! b.txt<CR>')
  expect((await look()).map(([label]) => label)).toEqual(['a.txt', 'c.txt'])
  await nvim.lua('vim.b.claudecode_private = true')
  expect((await look()).map(([label]) => label)).toEqual(['a.txt'])
  await claude.close()
  await killHost(nvim)
  const next = await connectThroughLockFile(nvim.configDir)
  expect(JSON.parse(textOf(await next.callTool('getOpenEditors')))).toMatchObject({ tabs: [{ label: 'a.txt' }] })
  await next.close()
})

test('tab pages are groups', async () => {
  const { nvim, json } = await startSession({ files, args: ['a.txt'] })
  await nvim.feed(':tabedit b.txt<CR>:edit c.txt<CR>')
  const { tabs } = await json<Tabs>('getOpenEditors')
  expect(tabs.map(tab => [tab.label, tab.viewColumn, tab.groupIndex, tab.isGroupActive])).toEqual([
    ['a.txt', 1, 0, false],
    ['b.txt', 2, 1, true],
    ['c.txt', 2, 1, true],
  ])
})

test('every name of a file comes through, as text and as URI', async () => {
  const { nvim, json, file } = await startSession({
    files: Object.fromEntries(oddNames.map(name => [name, `${name}\n`])),
  })
  for (const name of oddNames) {
    await nvim.lua('local b = vim.fn.bufadd(...) vim.fn.bufload(b) vim.bo[b].buflisted = true', file(name))
  }
  const { tabs } = await json<Tabs>('getOpenEditors')
  expect(tabs.map(tab => tab.fileName)).toEqual(oddNames.map(file))
  expect(tabs.map(tab => fileURLToPath(tab.uri))).toEqual(oddNames.map(file))
  expect(tabs.map(tab => tab.label)).toEqual(oddNames.map(name => basename(file(name))))
})

test('a name that is not UTF-8 keeps its bytes in the URI', async () => {
  const { nvim, json, file } = await startSession()
  await nvim.lua('vim.cmd.edit(vim.fn.getcwd() .. "/caf\\233.txt")')
  const { tabs } = await json<Tabs>('getOpenEditors')
  expect(tabs.map(tab => tab.uri)).toEqual([`file://${file('caf%E9.txt')}`])
  expect(tabs[0]?.fileName).toBe(file('caf\ufffd.txt'))
})
