// saveDocument, from a real Neovim through a real socket.
import { chmod, mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { oddNames, type Session, startSession } from './support.ts'

const change = 'vim.api.nvim_buf_set_lines(0, 0, 0, false, { "new" })'

/** Calls the tool for a file that can't be saved: an answer, no question, and nothing on disk or in the buffer changes. */
async function refuses({ nvim, json, file }: Session, name: string): Promise<string> {
  const onDisk = await readFile(file(name), 'utf8').catch(() => undefined)
  const modified = await nvim.lua<string[]>(
    'return vim.tbl_filter(function(b) return vim.bo[b].modified end, vim.api.nvim_list_bufs())',
  )
  const answer = await json<{ message: string }>('saveDocument', { filePath: file(name) })
  expect(answer).toEqual({
    success: false,
    message: expect.stringMatching(/^Document not saved: \S/),
    filePath: file(name),
  })
  expect(await nvim.blockedMode()).toBeUndefined()
  expect(await readFile(file(name), 'utf8').catch(() => undefined)).toBe(onDisk)
  expect(
    await nvim.lua('return vim.tbl_filter(function(b) return vim.bo[b].modified end, vim.api.nvim_list_bufs())'),
  ).toEqual(modified)
  expect(answer.message).not.toMatch(/stack|\.lua|\[C\]|E\d+:/)
  return answer.message.replace('Document not saved: ', '')
}

/** Lets a file look as if it was written at another time. */
async function touch(name: string): Promise<void> {
  const { mtimeMs } = await stat(name)
  await utimes(name, mtimeMs / 1000 + 5, mtimeMs / 1000 + 5)
}

test('the examples of the document, every field', async () => {
  const { nvim, json, file } = await startSession({ files: { 'file.js': 'old\n' }, args: ['file.js'] })
  await nvim.lua(change)
  const filePath = file('file.js')
  expect(await json('saveDocument', { filePath, extra: true })).toEqual({
    success: true,
    filePath,
    saved: true,
    message: 'Document saved successfully',
  })
  expect(await readFile(filePath, 'utf8')).toBe('new\nold\n')
  expect(await nvim.lua('return vim.bo.modified')).toBe(false)
  expect(await json('saveDocument', { filePath: file('other.js') })).toEqual({
    success: false,
    message: `Document not open: ${file('other.js')}`,
  })
})

test('exactly that buffer, also a hidden one, and nobody notices', async () => {
  const { nvim, json, file } = await startSession({ files: { 'a.txt': '', 'ab.txt': '', 'a.txt.bak': '' } })
  await nvim.lua(
    `for _, name in ipairs { 'a.txt', 'ab.txt', 'a.txt.bak' } do vim.cmd.edit(name) ${change} end vim.cmd('vsplit')`,
  )
  const layout = () =>
    nvim.lua('return { vim.fn.winlayout(), vim.fn.winnr(), vim.fn.bufnr(), vim.fn.expand("#"), vim.fn.mode() }')
  const before = await layout()
  expect(await json('saveDocument', { filePath: file('a.txt') })).toMatchObject({ success: true, saved: true })
  expect(await layout()).toEqual(before)
  expect(await readFile(file('a.txt'), 'utf8')).toBe('new\n\n')
  expect(await readFile(file('ab.txt'), 'utf8')).toBe('')
  expect(await readFile(file('a.txt.bak'), 'utf8')).toBe('')
  expect(await nvim.messages()).toBe('')
})

test('a text without changes is not written again', async () => {
  const { json, file } = await startSession({ files: { 'a.txt': 'old\n' }, args: ['a.txt'] })
  const before = (await stat(file('a.txt'))).mtimeMs
  expect(await json('saveDocument', { filePath: file('a.txt') })).toMatchObject({ success: true, saved: true })
  expect((await stat(file('a.txt'))).mtimeMs).toBe(before)
})

test('a new file, and one that was deleted, are written', async () => {
  const { nvim, json, file } = await startSession({ files: { 'gone.txt': 'old\n' }, args: ['gone.txt'] })
  await nvim.lua(`${change} vim.cmd('edit never.txt') ${change}`)
  await rm(file('gone.txt'))
  expect(await json('saveDocument', { filePath: file('gone.txt') })).toMatchObject({ success: true })
  expect(await json('saveDocument', { filePath: file('never.txt') })).toMatchObject({ success: true })
  expect(await readFile(file('gone.txt'), 'utf8')).toBe('new\nold\n')
  expect(await readFile(file('never.txt'), 'utf8')).toBe('new\n\n')
})

test('what the user does at every `:write` happens', async () => {
  const { nvim, json, file } = await startSession({ files: { 'a.txt': '' }, args: ['a.txt'] })
  await nvim.lua(`${change} vim.cmd('autocmd BufWritePre * call append("$", "formatted")') vim.cmd('enew')`)
  expect(await json('saveDocument', { filePath: file('a.txt') })).toMatchObject({ success: true })
  expect(await readFile(file('a.txt'), 'utf8')).toBe('new\n\nformatted\n')
})

test.each([
  ['read-only', 'vim.bo.readonly = true', /the buffer is read-only/],
  ['nomodifiable', 'vim.bo.modifiable = false', /the buffer is not modifiable/],
  [
    'a Lua handler of BufWritePre fails',
    'vim.api.nvim_create_autocmd("BufWritePre", { callback = function() error("no formatter") end })',
    /^BufWritePre autocommand: no formatter$/,
  ],
  [
    'BufWritePre throws',
    'vim.cmd("autocmd BufWritePre * throw \'not today\'")',
    /^BufWritePre autocommand: not today$/,
  ],
  [
    'the command of BufWritePre is none',
    'vim.cmd("autocmd BufWritePre * NoSuchCommand")',
    /^BufWritePre autocommand: Not an editor command: NoSuchCommand$/,
  ],
  ['nobody writes its kind', 'vim.bo.buftype = "acwrite"', /No matching autocommands/],
  ['its name is now that of another file', 'vim.cmd("silent file other.txt")', /^another file of this name exists$/],
])('not saved: %s', async (_, obstacle, reason) => {
  const session = await startSession({ files: { 'a.txt': 'old\n', 'other.txt': 'other\n' }, args: ['a.txt'] })
  await session.nvim.lua(`vim.o.confirm = true ${change} ${obstacle}`) // with 'confirm' the user would be asked
  const name = await session.nvim.lua<string>('return vim.fn.expand("%:t")')
  expect(await refuses(session, name)).toMatch(reason)
})

test('not saved: the file is write-protected', async () => {
  const session = await startSession({ files: { 'a.txt': 'old\n' }, args: ['a.txt'], mereUser: true })
  await session.nvim.lua(change)
  await chmod(session.file('a.txt'), 0o444)
  expect(await refuses(session, 'a.txt')).toBe('the file is write-protected')
})

test('not saved: the folder is gone', async () => {
  const session = await startSession({ files: { 'deep/a.txt': 'old\n' }, args: ['deep/a.txt'] })
  await session.nvim.lua(change)
  await rm(session.file('deep'), { recursive: true })
  expect(await refuses(session, 'deep/a.txt')).toBe("Can't open file for writing: no such file or directory")
})

test('not saved: a folder has taken the name', async () => {
  const session = await startSession({ files: { 'a.txt': 'old\n' }, args: ['a.txt'] })
  await session.nvim.lua(change)
  await rm(session.file('a.txt'))
  await mkdir(session.file('a.txt'))
  expect(await refuses(session, 'a.txt')).toMatch(/not a regular file/)
})

test.each([false, true])('not saved: the file has changed on disk (confirm: %s)', async confirm => {
  const session = await startSession({ files: { 'a.txt': 'old\n' }, args: ['a.txt'] })
  await session.nvim.lua(`vim.o.confirm = ${confirm} ${change}`)
  await writeFile(session.file('a.txt'), "another's\n")
  await touch(session.file('a.txt'))
  expect(await refuses(session, 'a.txt')).toMatch(/has changed on disk since Neovim read it/)
  // and again, and also when Neovim has warned the user meanwhile
  await session.nvim.lua(`
    vim.api.nvim_create_autocmd('FileChangedShell', { callback = function() vim.v.fcs_choice = '' end })
    vim.cmd('checktime')`)
  expect(await refuses(session, 'a.txt')).toMatch(/has changed on disk/)
  // until the user has decided
  await session.nvim.lua('vim.cmd("silent write!")')
  await session.nvim.lua(change)
  expect(await session.json('saveDocument', { filePath: session.file('a.txt') })).toMatchObject({ success: true })
  expect(await readFile(session.file('a.txt'), 'utf8')).toBe('new\nnew\nold\n')
})

test('a formatter that writes without autocommands is nobody else', async () => {
  const session = await startSession({ files: { 'a.txt': 'old\n' }, args: ['a.txt'] })
  await session.nvim.lua(`${change} vim.cmd('silent noautocmd write') ${change}`)
  expect(await session.json('saveDocument', { filePath: session.file('a.txt') })).toMatchObject({ success: true })
  expect(await readFile(session.file('a.txt'), 'utf8')).toBe('new\nnew\nold\n')
  // After it, another is another.
  await session.nvim.lua(`${change} vim.cmd('silent noautocmd write') ${change}`)
  await touch(session.file('a.txt'))
  expect(await refuses(session, 'a.txt')).toMatch(/has changed on disk/)
})

test('a file that Neovim has read again may be saved again', async () => {
  const session = await startSession({ files: { 'a.txt': 'old\n' }, args: ['a.txt'] })
  await writeFile(session.file('a.txt'), "another's\n")
  await touch(session.file('a.txt'))
  await session.nvim.lua(`vim.cmd('silent edit') ${change}`)
  expect(await session.json('saveDocument', { filePath: session.file('a.txt') })).toMatchObject({ success: true })
  expect(await readFile(session.file('a.txt'), 'utf8')).toBe("new\nanother's\n")
})

test('not saved: changed on disk before the plugin was there', async () => {
  const session = await startSession({
    files: { 'a.txt': 'old\n' },
    args: ['a.txt'],
    init: `
      vim.api.nvim_create_autocmd('VimEnter', { callback = function()
        vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'new' })
        local name = vim.api.nvim_buf_get_name(0)
        vim.fn.writefile({ "another's" }, name)
        vim.uv.fs_utime(name, 1, 1)
      end })`,
  })
  expect(await refuses(session, 'a.txt')).toMatch(/has changed on disk/)
})

test('not open: a file that was unloaded', async () => {
  const { nvim, json, file } = await startSession({ files: { 'a.txt': 'old\n' }, args: ['a.txt'] })
  await nvim.lua('vim.cmd("edit b.txt | bunload a.txt")')
  const filePath = file('a.txt')
  expect(await json('saveDocument', { filePath })).toEqual({
    success: false,
    message: `Document not open: ${filePath}`,
  })
})

test('while the user types in it, nothing but the file changes', async () => {
  const { nvim, json, file } = await startSession({ files: { 'a.txt': 'old\n' }, args: ['a.txt'] })
  await nvim.feed('Anew')
  expect(await json('saveDocument', { filePath: file('a.txt') })).toMatchObject({ success: true })
  await nvim.feed('er')
  expect(await nvim.lua('return { vim.fn.mode(), vim.fn.getline(1) }')).toEqual(['i', 'oldnewer'])
  expect(await readFile(file('a.txt'), 'utf8')).toBe('oldnew\n')
})

test('every name of a file', async () => {
  const { nvim, json, file } = await startSession()
  for (const name of oddNames) {
    await nvim.lua(
      'local b = vim.fn.bufadd((...)) vim.fn.bufload(b) vim.api.nvim_buf_set_lines(b, 0, -1, false, { "text" })',
      file(name),
    )
  }
  for (const [index, name] of oddNames.entries()) {
    const filePath = index % 2 === 0 ? file(name) : pathToFileURL(file(name)).href
    const answer = { success: true, filePath: file(name), saved: true, message: 'Document saved successfully' }
    expect(await json('saveDocument', { filePath })).toEqual(answer)
    expect(await readFile(file(name), 'utf8')).toBe('text\n')
  }
})
