// getDiagnostics after a change: of the text as it is now (G-03).
import { rm, stat, utimes, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { type Session, startSession } from './support.ts'

type Answer = { uri: string; diagnostics: { message: string }[] }[]

/**
 * A source of diagnostics like a language server: some time after it hears of a text it reports each line with "bad" in
 * it. `pauses` are the pauses before its reports; all but the last report nothing.
 */
function server(...pauses: number[]): string {
  return `
    local ns = vim.api.nvim_create_namespace('server')
    local function report(b, nothing)
      local found = {}
      for i, line in ipairs(vim.api.nvim_buf_get_lines(b, 0, -1, false)) do
        if line:find('bad') and not nothing then found[#found + 1] = { lnum = i - 1, col = 0, message = line } end
      end
      vim.diagnostic.set(ns, b, found)
    end
    vim.api.nvim_create_autocmd({ 'BufReadPost', 'TextChanged', 'TextChangedI' }, { callback = function(args)
      local pauses = { ${pauses} }
      local function wait(index)
        vim.defer_fn(function()
          report(args.buf, index < #pauses)
          if index < #pauses then wait(index + 1) end
        end, pauses[index])
      end
      if #pauses > 0 then wait(1) end
    end })`
}

/** Starts with a.txt in a window and b.txt behind it; both have "bad old". */
async function startWith(init: string): Promise<Session> {
  const session = await startSession({
    files: { 'a.txt': 'bad old\n', 'b.txt': 'bad old\n' },
    args: ['b.txt', 'a.txt'],
    init,
  })
  await session.nvim.feed(':buffer a.txt<CR>')
  return session
}

const reports = (name: string) => `#vim.diagnostic.get(vim.fn.bufnr('${name}')) > 0`

/** Writes a file as another program does. */
async function write({ file }: Session, name: string, text: string): Promise<void> {
  await writeFile(file(name), text)
  const { mtimeMs } = await stat(file(name))
  await utimes(file(name), mtimeMs / 1000 + 2, mtimeMs / 1000 + 2) // the clock of a file system may be slow
}

async function messages(session: Session, name?: string): Promise<string[]> {
  const args = name === undefined ? {} : { uri: `file://${session.file(name)}` }
  return (await session.json<Answer>('getDiagnostics', args)).flatMap(file => file.diagnostics.map(one => one.message))
}

/** How long something takes, in ms. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

test('G-03: a file that was written by another program is read again, and its new diagnostics are awaited', async () => {
  for (const setting of ['', 'vim.o.autoread = false', 'vim.o.confirm = true']) {
    const session = await startWith(`${setting}\n${server(300)}`)
    const { nvim } = session
    await nvim.waitFor(reports('a.txt'), 'the first diagnostics')
    await write(session, 'a.txt', 'fine\nbad new\n')
    expect(await messages(session, 'a.txt')).toEqual(['bad new'])
    expect(await nvim.blockedMode()).toBeUndefined()
    expect(await nvim.lua('return { vim.fn.getline(1, "$"), vim.bo.modified, vim.o.autoread }')).toEqual([
      ['fine', 'bad new'],
      false,
      setting !== 'vim.o.autoread = false',
    ])
    expect(await nvim.messages()).toBe('')
  }
})

test('the same for all files at once, in windows or not', async () => {
  const session = await startWith(server(200))
  await session.nvim.waitFor(reports('a.txt'), 'the first diagnostics')
  await session.nvim.feed(':buffer b.txt<CR>:buffer a.txt<CR>')
  await session.nvim.waitFor(reports('b.txt'), 'the first diagnostics')
  await write(session, 'a.txt', 'bad new a\n')
  await write(session, 'b.txt', 'bad new b\n')
  expect((await messages(session)).sort()).toEqual(['bad new a', 'bad new b'])
})

test('a file that was mended has no diagnostics left', async () => {
  const session = await startWith(server(200))
  await session.nvim.waitFor(reports('a.txt'), 'the first diagnostics')
  await write(session, 'a.txt', 'good\n')
  expect(await messages(session, 'a.txt')).toEqual([])
})

test('a server that first says "nothing" is waited for', async () => {
  const session = await startWith(server(50, 200))
  await session.nvim.waitFor(reports('a.txt'), 'the first diagnostics')
  await write(session, 'a.txt', 'bad new\n')
  expect(await messages(session, 'a.txt')).toEqual(['bad new'])
})

test('someone else has read the file again a moment ago: the new diagnostics are awaited all the same', async () => {
  const session = await startWith(server(300))
  await session.nvim.waitFor(reports('a.txt'), 'the first diagnostics')
  await messages(session)
  await write(session, 'a.txt', 'bad new\n')
  await session.nvim.lua('vim.cmd("silent checktime")')
  expect(await messages(session, 'a.txt')).toEqual(['bad new'])
})

test('a server that never answers is waited for once, for a second', async () => {
  const session = await startWith(server())
  await session.nvim.lua(
    `vim.diagnostic.set(vim.api.nvim_create_namespace('x'), vim.fn.bufnr('a.txt'), { { lnum = 0, col = 0, message = 'old' } })`,
  )
  await messages(session)
  await write(session, 'a.txt', 'bad new\n')
  const first = await time(() => messages(session, 'a.txt'))
  expect(first).toBeGreaterThan(700)
  expect(first).toBeLessThan(1900)
  // Any wait takes 300 ms or more.
  expect(await time(() => messages(session, 'a.txt'))).toBeLessThan(290)
  expect(await time(() => messages(session))).toBeLessThan(290)
})

test('without any source of diagnostics nobody waits', async () => {
  const session = await startWith('')
  await write(session, 'a.txt', 'new\n')
  expect(await time(() => messages(session, 'a.txt'))).toBeLessThan(700)
  expect(await session.nvim.lua('return vim.fn.getline(1)')).toBe('new')
})

test('while the user types, the diagnostics of what is typed are awaited for a moment only', async () => {
  const session = await startWith(server(100))
  await session.nvim.waitFor(reports('a.txt'), 'the first diagnostics')
  await session.nvim.feed('Abad line<Esc>')
  expect(await messages(session, 'a.txt')).toEqual(['bad oldbad line'])
})

test('what the user has not saved is not read again', async () => {
  const session = await startWith(server(100))
  const { nvim } = session
  await nvim.waitFor(reports('a.txt'), 'the first diagnostics')
  await nvim.feed('Oours<Esc>')
  await write(session, 'a.txt', 'theirs\n')
  expect(await messages(session, 'a.txt')).toEqual(['bad old'])
  expect(await nvim.lua('return { vim.fn.getline(1, "$"), vim.bo.modified }')).toEqual([['ours', 'bad old'], true])
  expect(await nvim.blockedMode()).toBeUndefined()
})

test('a file that was deleted keeps its text', async () => {
  const session = await startWith(server(100))
  await session.nvim.waitFor(reports('a.txt'), 'the first diagnostics')
  await rm(session.file('a.txt'))
  expect(await messages(session, 'a.txt')).toEqual(['bad old'])
  expect(await session.nvim.messages()).toBe('')
})

test('marks, cursor, undo and the window stay when a file is read again', async () => {
  const session = await startWith(server(50))
  const { nvim } = session
  await nvim.waitFor(reports('a.txt'), 'the first diagnostics')
  await nvim.feed('Oone<Esc>Otwo<Esc>jma:w<CR>')
  await write(session, 'a.txt', 'zero\ntwo\none\nbad old\n')
  await messages(session, 'a.txt')
  expect(await nvim.lua(`return { vim.fn.getline("'a"), vim.fn.getline('.'), vim.fn.getline(1) }`)).toEqual([
    'one',
    'one',
    'zero',
  ])
  await nvim.feed('u')
  expect(await nvim.lua('return vim.fn.getline(1)')).toBe('two')
})

test('two who ask at the same time both get the new diagnostics', async () => {
  const session = await startWith(server(300))
  await session.nvim.waitFor(reports('a.txt'), 'the first diagnostics')
  await write(session, 'a.txt', 'bad new\n')
  const [first, all, second] = await Promise.all([
    messages(session, 'a.txt'),
    messages(session),
    messages(session, 'a.txt'),
  ])
  expect([first, all, second]).toEqual([['bad new'], ['bad old', 'bad new'], ['bad new']]) // "old" is b.txt
})

test('a call that is cancelled while it waits leaves nothing behind', async () => {
  const session = await startWith(server(400))
  const { nvim, claude, file } = session
  await nvim.waitFor(reports('a.txt'), 'the first diagnostics')
  await write(session, 'a.txt', 'bad new\n')
  const abort = new AbortController()
  const call = claude.callTool('getDiagnostics', { uri: `file://${file('a.txt')}` }, { signal: abort.signal })
  await nvim.waitFor('vim.fn.getline(1) == "bad new"', 'the file to be read again')
  abort.abort()
  await expect(call).rejects.toThrow(/cancelled/)
  expect(await messages(session, 'a.txt')).toEqual(['bad new'])
})
