// checkDocumentDirty, from a real Neovim through a real socket.
import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { oddNames, startSession } from './support.ts'

const change = 'vim.api.nvim_buf_set_lines(0, 0, 0, false, { "new" })'

test('the examples of the document, every field', async () => {
  const { nvim, json, file } = await startSession({ files: { 'file.js': 'let a\n' }, args: ['file.js'] })
  const filePath = file('file.js')
  expect(await json('checkDocumentDirty', { filePath })).toEqual({
    success: true,
    filePath,
    isDirty: false,
    isUntitled: false,
  })
  await nvim.lua(change)
  expect(await json('checkDocumentDirty', { filePath, extra: 1 })).toEqual({
    success: true,
    filePath,
    isDirty: true,
    isUntitled: false,
  })
  const other = file('other.js')
  expect(await json('checkDocumentDirty', { filePath: other })).toEqual({
    success: false,
    message: `Document not open: ${other}`,
  })
})

test('a part or a pattern of a name is not the name', async () => {
  const { nvim, json, file } = await startSession({
    files: { 'a.txt': '', 'a.txt.bak': '', 'ax.txt': '', 'ay.txt': '' },
  })
  await nvim.lua(`vim.cmd('edit a.txt.bak') ${change} vim.cmd('edit ax.txt') ${change}`)
  for (const name of ['a.txt', 'a', 'a[x].txt', 'a*.txt', 'a?.txt', '%', '#', '', 'bak']) {
    const filePath = `${file('')}/${name}`
    expect(await json('checkDocumentDirty', { filePath }), name).toEqual({
      success: false,
      message: `Document not open: ${filePath}`,
    })
  }
})

test('a file that is known but not loaded is not open', async () => {
  const { nvim, json, file } = await startSession({ files: { 'a.txt': '', 'b.txt': '' }, args: ['a.txt'] })
  await nvim.lua('vim.cmd("badd b.txt") vim.cmd("edit c.txt | bunload a.txt")')
  for (const name of ['a.txt', 'b.txt']) {
    expect(await json('checkDocumentDirty', { filePath: file(name) })).toMatchObject({ success: false })
  }
})

test('every name of a file, as path and as URI, encoded or not; each is its own', async () => {
  const { nvim, json, file } = await startSession()
  for (const [index, name] of oddNames.entries()) {
    await nvim.lua(
      'local b = vim.fn.bufadd((...)) vim.fn.bufload(b) vim.bo[b].modified = select(2, ...)',
      file(name),
      index % 2 === 0,
    )
  }
  for (const [index, name] of oddNames.entries()) {
    for (const filePath of [file(name), pathToFileURL(file(name)).href, `file://${file(name)}`]) {
      const answer = { success: true, isDirty: index % 2 === 0, isUntitled: false }
      expect(await json('checkDocumentDirty', { filePath }), filePath).toMatchObject(answer)
    }
  }
})

test('the same file by other paths: links, "..", "//", a trailing slash, "~", relative', async () => {
  const { nvim, json, file } = await startSession({ files: { 'deep/a.txt': '', 'b.txt': '' } })
  await symlink(file('deep'), file('link'))
  await symlink(file('deep/a.txt'), file('named.txt'))
  await nvim.lua(`vim.cmd('edit deep/a.txt') ${change}`)
  await nvim.lua(`vim.cmd('edit ~/in-home.txt') ${change}`)
  await nvim.lua(`vim.cmd('edit link/not-yet.txt') ${change}`)
  const others = [
    'link/a.txt',
    'named.txt',
    'deep/../deep/a.txt',
    './/deep//a.txt',
    'deep/a.txt/',
    'link/not-yet.txt',
    'deep/not-yet.txt',
  ].flatMap(name => [`${file('')}/${name}`, name])
  for (const filePath of [...others, '~/in-home.txt', path.join(nvim.home, 'in-home.txt')]) {
    expect(await json('checkDocumentDirty', { filePath }), filePath).toMatchObject({ success: true, isDirty: true })
  }
})

test('a link that is open is found by the file it leads to', async () => {
  const { nvim, json, file } = await startSession({ files: { 'a.txt': '' } })
  await symlink(file('a.txt'), file('link.txt'))
  await nvim.lua(`vim.cmd('edit link.txt') ${change}`)
  expect(await json('checkDocumentDirty', { filePath: file('a.txt') })).toMatchObject({ isDirty: true })
})

test('a proposal, a terminal or a URL is no document', async () => {
  const { nvim, json } = await startSession()
  await nvim.lua('vim.cmd("terminal")')
  const terminal = await nvim.lua<string>('return vim.api.nvim_buf_get_name(0)')
  for (const filePath of [terminal, 'https://example.org/a.txt', 'file://elsewhere/a.txt', 'untitled:1']) {
    expect(await json('checkDocumentDirty', { filePath }), filePath).toEqual({
      success: false,
      message: `Document not open: ${filePath}`,
    })
  }
})
