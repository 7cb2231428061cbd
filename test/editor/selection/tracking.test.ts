// When Claude hears of the selection, and when it does not: a real Neovim, a real socket.
import { expect, test } from 'vitest'
import { show, startTracking } from '../../support/selection.ts'

const files = { 'a.txt': 'one\ntwo\nthree\nfour\n', 'b.txt': 'other\nfile\n', 'c.txt': '' }

async function start(options: Parameters<typeof startTracking>[0] = {}) {
  const tracking = await startTracking({ files, args: ['a.txt'], ...options })
  const listener = await tracking.connect()
  if (tracking.isTracking) await listener.isGreeted()
  return { tracking, nvim: tracking.nvim, listener }
}

test('the cursor, v and V reach every Claude, and a new one hears what is selected', async () => {
  const { tracking, nvim, listener } = await start()
  await listener.hears('cursor 0:0')
  await nvim.feed('jl')
  await listener.hears('cursor 1:1')
  await nvim.feed('vl')
  const { filePath, fileUrl } = await listener.hears('1:1-1:3 "wo"')
  expect([filePath, fileUrl]).toEqual([`${nvim.folder}/a.txt`, `file://${nvim.folder}/a.txt`])
  const second = await tracking.connect()
  await second.hears('1:1-1:3 "wo"')
  await nvim.feed('V')
  await listener.hears('1:0-1:3 "two"')
  await second.hears('1:0-1:3 "two"')
  expect([...new Set(second.told.map(show))]).toEqual(['1:1-1:3 "wo"', '1:0-1:3 "two"'])
})

test('what is selected stays current after Visual mode until the cursor moves, then one empty update follows', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.feed('jVj')
  await listener.hears('1:0-2:5 "two\\nthree"')
  listener.news()
  await nvim.feed('<Esc>')
  await tracking.letTimePass()
  expect(await listener.asks('getCurrentSelection')).toMatchObject({ success: true, text: 'two\nthree' })
  expect(listener.news()).toEqual([])
  await nvim.feed('k')
  await listener.hears('cursor 1:0')
  await tracking.letTimePass()
  expect(listener.news()).toEqual(['cursor 1:0'])
  expect(await listener.asks('getCurrentSelection')).toMatchObject({ success: true, text: '' })
  expect(await listener.asks('getLatestSelection')).toMatchObject({ success: true, text: 'two\nthree' })
})

test('a block that ends in virtual cells, or at the ends of lines, stays what it was when it is dropped', async () => {
  const { tracking, nvim, listener } = await start({ init: 'vim.o.virtualedit = "block"' })
  await nvim.input('2Gll<C-v>k3l<Esc>')
  await listener.hears('0:2-1:3 "e\\ntwo"')
  await tracking.letTimePass()
  await nvim.input('j0<C-v>k$<Esc>')
  await listener.hears('0:0-1:3 "one\\ntwo"')
  listener.news()
  await tracking.letTimePass()
  expect(listener.news()).toEqual([])
  expect(await listener.asks('getCurrentSelection')).toMatchObject({ text: 'one\ntwo' })
})

test('a yank, a command line and a search leave the selection current', async () => {
  const { tracking, nvim, listener } = await start()
  listener.news()
  await nvim.feed('Vjy')
  await listener.hears('0:0-1:3 "one\\ntwo"')
  await tracking.letTimePass()
  expect(await listener.asks('getCurrentSelection')).toMatchObject({ text: 'one\ntwo' })
  await nvim.feed('gv:')
  await tracking.letTimePass()
  await nvim.feed('<C-c>')
  await tracking.letTimePass()
  expect(await listener.asks('getCurrentSelection')).toMatchObject({ text: 'one\ntwo' })
  await nvim.feed('gv/four')
  await tracking.letTimePass()
  await nvim.feed('<CR>')
  await listener.hears('0:0-3:4 "one\\ntwo\\nthree\\nfour"')
  expect(listener.news().filter(told => told.startsWith('cursor'))).toEqual([])
})

for (const [operator, after] of [
  ['d', 'cursor 0:0'],
  ['cnew<Esc>', 'cursor 0:2'],
  ['>', 'cursor 0:0'],
  ['U', 'cursor 0:0'],
  ['p', 'cursor 0:0'],
] as const) {
  test(`an operator that consumes the selection sends no phantom: ${operator}`, async () => {
    const { tracking, nvim, listener } = await start()
    await listener.hears('cursor 0:0')
    await nvim.lua('vim.fn.setreg("\\"", "x", "V")')
    listener.news()
    await nvim.feed(`Vj${operator}`)
    await listener.hears(after)
    await tracking.letTimePass()
    const news = listener.news()
    // The first change is told at once; the second came too soon after it, and was gone when its turn came.
    expect(news.filter(told => !told.startsWith('cursor'))).toEqual(['0:0-0:3 "one"'])
    expect(news.at(-1)).toBe(after)
    expect(await listener.asks('getCurrentSelection')).toMatchObject({ text: '' })
  })
}

test('a change of the text under a selection that still counts ends it', async () => {
  const { nvim, listener } = await start()
  await nvim.feed('Vj<Esc>')
  await listener.hears('0:0-1:3 "one\\ntwo"')
  await nvim.feed('rX')
  await listener.hears('cursor 1:0')
})

test('typing in Insert mode and changes without a move of the cursor are seen', async () => {
  const { nvim, listener } = await start()
  await nvim.feed('Ax')
  await listener.hears('cursor 0:4')
  await nvim.feed('<Esc>ggVG')
  await listener.hears('0:0-3:4 "onex\\ntwo\\nthree\\nfour"')
  await nvim.lua('vim.api.nvim_buf_set_lines(0, 1, 2, false, { "TWO" })')
  await nvim.feed('o')
  await listener.hears('0:0-3:4 "onex\\nTWO\\nthree\\nfour"')
})

test('another window of the same file is a move of the cursor, one of another file tells that file', async () => {
  const { nvim, listener } = await start()
  await nvim.feed(':split<CR>jV<Esc>')
  await listener.hears('1:0-1:3 "two"')
  await nvim.feed('<C-w>w')
  await listener.hears('cursor 0:0')
  await nvim.feed(':split b.txt<CR>')
  await listener.hears('cursor 0:0', one => one.filePath.endsWith('/b.txt'))
  await nvim.feed('<C-w>p')
  await listener.hears('cursor 0:0', one => one.filePath.endsWith('/a.txt'))
})

test('a selection that was left for another file was told in full first', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.feed(':split b.txt<CR><C-w>p')
  await tracking.letTimePass()
  listener.news()
  await nvim.feed('lvll<C-w>p')
  await listener.hears('cursor 0:0', one => one.filePath.endsWith('/b.txt'))
  expect(listener.news()).toContain('0:1-1:0 "ne\\n"')
  expect(await listener.asks('getLatestSelection')).toMatchObject({ text: 'ne\n', filePath: `${nvim.folder}/a.txt` })
})

test('a new name of the file is told', async () => {
  const { nvim, listener } = await start()
  await listener.hears('cursor 0:0')
  await nvim.feed(':saveas renamed.txt<CR>')
  await listener.hears('cursor 0:0', one => one.filePath === `${nvim.folder}/renamed.txt`)
})

test('the text of a wiped buffer is never told again, also not to a new Claude', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.feed('V<Esc>')
  await listener.hears('0:0-0:3 "one"')
  await nvim.feed(':edit b.txt<CR>V<Esc>')
  await listener.hears('0:0-0:5 "other"')
  await nvim.feed(':enew<CR>')
  expect((await (await tracking.connect()).hears('0:0-0:5 "other"')).text).toBe('other')
  await nvim.feed(':bwipeout b.txt<CR>')
  await nvim.waitFor(
    async () => (await listener.asks('getLatestSelection')).text === 'one',
    'the latest selection of a buffer that still exists',
  )
  expect(await listener.asks('getCurrentSelection')).toEqual({ success: false, message: 'No active editor found' })
  const late = await tracking.connect()
  await tracking.edit('c.txt')
  await late.hears('cursor 0:0', one => one.filePath.endsWith('/c.txt'))
  expect(late.told.filter(({ filePath }) => !filePath.endsWith('/c.txt'))).toEqual([])
  await nvim.feed(':bdelete a.txt<CR>')
  await nvim.waitFor(async () => (await listener.asks('getLatestSelection')).success === false, 'no latest selection')
  expect(await listener.asks('getLatestSelection')).toEqual({ success: false, message: 'No selection available' })
})

const elsewhere: [string, string][] = [
  ['a terminal', ':terminal cat<CR>'],
  ['help', ':help<CR>'],
  ['the quickfix list', ':call setqflist([#{text: "x"}])<CR>:copen<CR>'],
  ['a prompt', ":new<CR>:call setbufvar('', '&buftype', 'prompt')<CR>"],
  ['a scratch buffer with a name', ":new<CR>:call setbufvar('', '&buftype', 'nofile')<CR>:file list<CR>"],
  ['an unnamed buffer', ':enew<CR>'],
  ['netrw', ':Explore<CR>'],
  ["netrw's tree", ':let g:netrw_liststyle = 3<CR>:Explore<CR>'],
  ['the command-line window', 'q:'],
  ['a file of another machine', ':noautocmd edit scp://host/file<CR>'],
  ["a proposal of Claude's", ':new proposal.txt<CR>:let b:claudecode_diff_tab_name = "x"<CR>'],
]
for (const [where, keys] of elsewhere) {
  test(`the last real file stays current while the user is in ${where}`, async () => {
    const { tracking, nvim, listener } = await start()
    await nvim.feed('jV<Esc>')
    await listener.hears('1:0-1:3 "two"')
    listener.news()
    await nvim.feed(keys)
    await tracking.letTimePass() // the proposal is a file until it gets its mark
    listener.news()
    await nvim.feed(where === 'a terminal' ? 'abc' : 'lhjk')
    await tracking.letTimePass()
    expect(listener.news()).toEqual([])
    const latest = await listener.asks('getLatestSelection')
    expect(latest).toMatchObject({ text: 'two', filePath: `${nvim.folder}/a.txt` })
    if (where.startsWith('a proposal')) return
    expect(await listener.asks('getCurrentSelection')).toEqual({ ...latest, success: true })
    await (await tracking.connect()).hears('1:0-1:3 "two"')
  })
}

test.each([
  ['opens by its name', ':edit list | setlocal buftype=nofile<CR>'],
  ['names', ':enew<CR>:silent file list | setlocal buftype=nofile<CR>'],
  ["shows as netrw's tree", ':let g:netrw_liststyle = 3<CR>:Explore<CR>'],
])('what a plugin %s first, and then says that it is no file, is never told', async (_how, keys) => {
  const { tracking, nvim, listener } = await start()
  await tracking.letTimePass() // what changes now is told at once
  listener.news()
  await nvim.feed(keys)
  await tracking.letTimePass()
  expect(listener.news()).toEqual([])
})

test('with track_selection = false nothing is told, and getCurrentSelection reads the editor', async () => {
  const { tracking, nvim, listener } = await start({ setup: '{ track_selection = false }' })
  await nvim.feed('jlvl')
  expect(await listener.asks('getCurrentSelection')).toEqual({
    success: true,
    text: 'wo',
    filePath: `${nvim.folder}/a.txt`,
    fileUrl: `file://${nvim.folder}/a.txt`,
    selection: { start: { line: 1, character: 1 }, end: { line: 1, character: 3 }, isEmpty: false },
  })
  await nvim.feed('<Esc>')
  expect(await listener.asks('getCurrentSelection')).toMatchObject({ text: '', filePath: `${nvim.folder}/a.txt` })
  expect(await listener.asks('getLatestSelection')).toEqual({ success: false, message: 'No selection available' })
  await nvim.feed(':terminal cat<CR>i')
  expect(await listener.asks('getCurrentSelection')).toEqual({ success: false, message: 'No active editor found' })
  await tracking.letTimePass()
  expect(listener.told).toEqual([])
})

test('without tracking, the file that the user came from counts while Claude has the cursor', async () => {
  const { nvim, listener } = await start({ setup: '{ track_selection = false }' })
  await nvim.feed('j:split +terminal\\ cat<CR>i')
  expect(await listener.asks('getCurrentSelection')).toMatchObject({
    filePath: `${nvim.folder}/a.txt`,
    selection: { start: { line: 1, character: 0 } },
  })
})

test('tracking can be switched off and on with setup(), and what was known is forgotten', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.feed('V<Esc>')
  await listener.hears('0:0-0:3 "one"')
  await nvim.feed('jV')
  await nvim.lua("require('claudecode').setup({ track_selection = false })")
  await nvim.waitFor(
    async () => (await listener.asks('getLatestSelection')).success === false,
    'the selection to be forgotten',
  )
  listener.news()
  await nvim.feed('j')
  await tracking.letTimePass()
  expect(listener.news()).toEqual([])
  await nvim.lua("require('claudecode').setup({})")
  await listener.hears('1:0-2:5 "two\\nthree"')
})

test('visual_demotion_delay_ms: time to get to a terminal, which then leaves the selection as it is', async () => {
  const { tracking, nvim, listener } = await start({ setup: '{ visual_demotion_delay_ms = 1000 }' })
  await nvim.feed(':split +terminal\\ cat<CR><C-w>p')
  await nvim.feed('jV<Esc>')
  await listener.hears('1:0-1:3 "two"')
  listener.news()
  await nvim.feed('j<C-w>p')
  await tracking.letTimePass(1500)
  expect(listener.news()).toEqual([])
  await nvim.feed('<C-w>pj')
  await listener.hears('cursor 3:0')
})

test('a crash of the host loses nothing: a new one knows the selection, also while the user is in a terminal', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.feed('jV<Esc>')
  await listener.hears('1:0-1:3 "two"')
  await nvim.feed(':split +terminal\\ cat<CR>i')
  const [before] = nvim.hosts()
  process.kill(before as number, 'SIGKILL')
  await nvim.waitFor(() => nvim.hosts().some(host => host !== before), 'a new host')
  await nvim.waitFor('require("claudecode.status").get().port', 'the server')
  await (await tracking.connect()).hears('1:0-1:3 "two"')
})
