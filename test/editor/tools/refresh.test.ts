// Files that Claude writes without a diff, while it is connected: their buffers follow.
import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startSession } from './support.ts'

const long = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`).join('')
const files = { 'a.txt': long, 'b.txt': long, 'c.txt': long }
const text = (name: string) => `table.concat(vim.fn.getbufline('${name}', 1, '$'), '\\n')`

test('U-02: in a window and hidden they show what was written, with cursor and undo; unsaved changes stay, with one notice', async () => {
  const { nvim, file } = await startSession({ files, args: ['a.txt'] })
  await nvim.feed(':edit b.txt<CR>:split c.txt<CR>Gomine<Esc><C-w>j:edit a.txt<CR>30Gzz')
  const before = await nvim.lua("return { autoread = vim.go.autoread, first = vim.fn.line('w0') }")
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(file(name), `new\n${long}`)
  for (const name of ['a.txt', 'b.txt'])
    await nvim.waitFor(`${text(name)}:sub(1, 4) == 'new\\n'`, `${name} to be read again`)
  expect(await nvim.lua("return { vim.fn.expand('%:t'), vim.fn.getline('.') }")).toEqual(['a.txt', 'line 30'])
  expect(await nvim.lua("return { autoread = vim.go.autoread, first = vim.fn.line('w0') - 1 }")).toEqual(before)
  await nvim.waitForScreen(/c\.txt has changed on disk, but its buffer has unsaved changes/)
  expect(await nvim.lua(`return ${text('c.txt')}`)).toBe(`${long}mine`)
  await nvim.feed('u')
  expect(await nvim.lua('return vim.fn.getline(1)')).toBe('line 1')
  await nvim.feed(':echo<CR>')
  await writeFile(file('b.txt'), `newer\n${long}`) // what comes after it has been looked at, too
  await nvim.waitFor(`${text('b.txt')}:sub(1, 6) == 'newer\\n'`, 'b.txt to be read again')
  expect((await nvim.messages()).match(/c\.txt has changed on disk/g)).toHaveLength(1)
  expect(await readFile(file('c.txt'), 'utf8')).toBe(`new\n${long}`)
})

test('U-02: with noautoread a file is not read by itself', async () => {
  const { nvim, file } = await startSession({ files, args: ['a.txt'], init: 'vim.go.autoread = false' })
  await nvim.feed(':edit b.txt<CR>:setlocal autoread<CR>')
  for (const name of ['a.txt', 'b.txt']) await writeFile(file(name), 'new\n')
  await nvim.waitFor(`${text('b.txt')} == 'new'`, 'b.txt to be read again')
  expect(await nvim.lua(`return ${text('a.txt')}:sub(1, 6)`)).toBe('line 1')
})
