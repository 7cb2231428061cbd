// What users of such plugins reported of selections (S-01 … S-19), one test each.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { show, startTracking } from '../../support/selection.ts'

const files = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'b.txt': 'other\nfile\n' }

async function start(options: Parameters<typeof startTracking>[0] = {}) {
  const tracking = await startTracking({ files, args: ['a.txt'], ...options })
  const listener = await tracking.connect()
  await listener.hears('cursor 0:0')
  await listener.isGreeted()
  listener.news()
  return { tracking, nvim: tracking.nvim, listener }
}

test('S-01: a selection that is made and dropped at once reaches Claude, exactly once', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.input('V<Esc>')
  await listener.hears('0:0-0:3 "one"')
  await tracking.letTimePass()
  expect(listener.news()).toEqual(['0:0-0:3 "one"'])
})

test('S-01: also in the pause after another change', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.input('jVj<Esc>')
  await listener.hears('1:0-2:5 "two\\nthree"')
  await tracking.letTimePass()
  expect(listener.news()).toEqual(['cursor 1:0', '1:0-2:5 "two\\nthree"'])
  await nvim.input('Vj<Esc>k')
  await listener.hears('cursor 2:0')
  expect(listener.news()).toEqual(['2:0-2:5 "three"', '2:0-3:4 "three\\nfour"', 'cursor 2:0'])
})

test('S-02: a selection is not wiped some time after Visual mode while Claude runs outside', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.feed('Vjj<Esc>')
  await tracking.letTimePass(2000)
  const lines = { success: true, text: 'one\ntwo\nthree' }
  expect(await listener.asks('getLatestSelection')).toMatchObject(lines)
  expect(await listener.asks('getCurrentSelection')).toMatchObject(lines)
  await nvim.feed('j')
  const { text, selection } = await listener.hears('cursor 3:0')
  expect([text, selection.isEmpty]).toEqual(['', true])
})

test('S-03: V just after a charwise selection is not read as charwise', async () => {
  const { nvim, listener } = await start()
  await nvim.feed('vl<Esc>')
  await listener.hears('0:0-0:2 "on"')
  await nvim.feed('jV')
  await listener.hears('1:0-1:3 "two"')
})

test('S-04: a selection that ends on a multi-byte character is whole, and the socket stays open', async () => {
  const { nvim, listener } = await start()
  const lines = ['日本語 abc', '👨‍👩‍👧 family', 'e\u0301x', Buffer.from('\xffx', 'latin1')]
  await nvim.lua(
    'vim.api.nvim_buf_set_lines(0, 0, -1, false, ...) vim.fn.cursor(1, 1)',
    lines.map(line => Buffer.from(line as string)),
  )
  await nvim.feed('vl')
  await listener.hears('0:0-0:6 "日本"')
  for (const [line, isLike] of [
    [2, /^1:0-1:\d+ "👨/u],
    [3, /^2:0-2:3 "e\u0301"/],
    [4, /^3:0-3:1 "\ufffd"/],
  ] as const) {
    await nvim.feed(`<Esc>${line}G0v`)
    const told = await nvim.waitFor(
      () => listener.told.map(show).find(one => one.match(isLike)),
      `the selection of line ${line}`,
    )
    if (line === 4) expect(told).toBe('3:0-3:1 "\ufffd"')
  }
  expect(listener.claude.isOpen).toBe(true)
})

test('S-05: a linewise selection whose last line is empty is not counted one line short', async () => {
  const { nvim, listener } = await start()
  await nvim.lua('vim.api.nvim_buf_set_lines(0, 0, -1, false, { "a", "", "b", "" })')
  await nvim.feed('ggVj')
  await listener.hears('0:0-2:0 "a\\n\\n"')
  await nvim.feed('<Esc>Gk0Vj')
  await listener.hears('2:0-3:1 "b\\n"')
})

test('S-06: a selection that ends with the line break of its line does not include the next line', async () => {
  const { nvim, listener } = await start()
  await nvim.feed('2Gv$')
  const { selection } = await listener.hears('1:0-2:0 "two\\n"')
  const { start: first, end } = selection
  expect(end.line - first.line + 1 - (end.character === 0 ? 1 : 0)).toBe(1)
})

test('S-07: a block is what the protocol says over ragged lines, never with columns that do not exist', async () => {
  const { nvim, listener } = await start()
  await nvim.lua('vim.api.nvim_buf_set_lines(0, 0, -1, false, { "abcdef", "gh", "ijkl", "" }) vim.fn.cursor(1, 1)')
  await nvim.feed('l<C-v>jl')
  await listener.hears('0:1-1:2 "bcdef\\ngh"')
  await nvim.feed('$')
  await listener.hears('0:1-1:2 "bcdef\\ngh"')
  await nvim.feed('jj')
  await listener.hears('0:0-3:1 "abcdef\\ngh\\nijkl\\n"')
})

test("S-08: 'selection' set to exclusive ends before the cursor, and Select mode is tracked like Visual mode", async () => {
  const { nvim, listener } = await start({ init: 'vim.o.selection = "exclusive"' })
  await nvim.feed('vll')
  await listener.hears('0:0-0:2 "on"')
  await nvim.lua('vim.o.selection = "inclusive"')
  await nvim.feed('<Esc>2G0gh<Right>')
  await listener.hears('1:0-1:2 "tw"')
})

test('S-10: dropping a selection and moving on is told once, as an empty selection of the current file', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.feed('viw<Esc>')
  await listener.hears('0:0-0:3 "one"')
  listener.news()
  await nvim.feed('j')
  const { text, filePath, selection } = await listener.hears('cursor 1:2')
  expect([text, filePath, selection.isEmpty]).toEqual(['', `${nvim.folder}/a.txt`, true])
  await tracking.letTimePass()
  expect(listener.news()).toEqual(['cursor 1:2'])
})

test('S-11: no terminal counts as code, whatever its name; a file counts, whatever its name', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.feed('V<Esc>')
  await listener.hears('0:0-0:3 "one"')
  listener.news()
  await nvim.feed(':split +terminal\\ sh<CR>iecho hello<CR><C-\\><C-n>kV')
  await tracking.letTimePass()
  expect(listener.news()).toEqual([])
  expect(await listener.asks('getLatestSelection')).toMatchObject({ text: 'one', filePath: `${nvim.folder}/a.txt` })
  await nvim.feed('<Esc>:edit term-claude.txt<CR>')
  await listener.hears('cursor 0:0', one => one.filePath === `${nvim.folder}/term-claude.txt`)
})

test('S-12: typing and moving in a terminal costs no notification and no work', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.feed(':split +terminal\\ cat<CR>i')
  await tracking.letTimePass()
  listener.news()
  await nvim.lua(`
    _G.work = 0
    local function count(module, name)
      local original = module[name]
      module[name] = function(...)
        _G.work = _G.work + 1
        return original(...)
      end
    end
    count(vim, 'rpcnotify')
    count(require('claudecode.host'), 'notify')
    for _, name in ipairs({ 'cursor', 'selected', 'dropped', 'kind' }) do
      count(require('claudecode.editor.selection.facts'), name)
    end
    count(require('claudecode.editor.selection.files'), 'is_file')`)
  await nvim.feed('abcdefghij'.repeat(5))
  await nvim.feed('<CR><C-\\><C-n>kkhhllvlV<Esc>i')
  await tracking.letTimePass()
  expect(await nvim.lua('return _G.work')).toBe(0)
  expect(listener.news()).toEqual([])
  await nvim.feed('<C-\\><C-n><C-w>p')
  await nvim.feed('j')
  await listener.hears('cursor 1:0')
  expect(await nvim.lua('return _G.work')).toBeGreaterThan(0)
})

test('S-14: fileUrl is percent-encoded and leads back to the same path', async () => {
  const name = 'a b#c%ü.txt'
  const { tracking, nvim, listener } = await start({ files: { ...files, [name]: 'x' } })
  await tracking.edit(name)
  const { filePath, fileUrl } = await listener.hears('cursor 0:0', one => one.filePath.endsWith(name))
  expect(filePath).toBe(`${nvim.folder}/${name}`)
  expect(fileUrl).toBe(`file://${nvim.folder}/a%20b%23c%25%C3%BC.txt`)
  expect(fileURLToPath(fileUrl)).toBe(filePath)
})

test('S-17: another buffer is told without a move of the cursor', async () => {
  const { nvim, listener } = await start()
  await nvim.feed(':edit b.txt<CR>:buffer a.txt<CR>')
  await listener.hears('cursor 0:0', one => one.filePath.endsWith('/a.txt'))
  await nvim.feed(':b b.txt<CR>')
  await listener.hears('cursor 0:0', one => one.filePath.endsWith('/b.txt'))
})

test('S-17: a selection made before Claude connects is the first thing that it hears', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.feed('Vj<Esc>')
  await listener.hears('0:0-1:3 "one\\ntwo"')
  const late = await tracking.connect()
  await late.hears('0:0-1:3 "one\\ntwo"')
  await late.isGreeted()
  expect(new Set(late.told.map(show))).toEqual(new Set(['0:0-1:3 "one\\ntwo"']))
})

test('S-19: 2,000 moves bring no error and no more than the throttle allows, and none after tracking has ended', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.lua('vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(("line\\n"):rep(1200), "\\n"))')
  await nvim.feed('gg')
  await tracking.letTimePass()
  listener.news()
  await nvim.lua('vim.uv.update_time() _G.began = vim.uv.now()')
  for (let i = 0; i < 20; i++) await nvim.feed((i % 2 === 0 ? 'j' : 'k').repeat(100))
  const took = await nvim.lua<number>('vim.uv.update_time() return vim.uv.now() - _G.began')
  await nvim.input('jjj')
  await nvim.lua("require('claudecode').setup({ track_selection = false })")
  await nvim.waitFor(
    async () => (await listener.asks('getLatestSelection')).success === false,
    'the tracking to have ended',
  )
  const told = listener.news().length
  expect(told).toBeGreaterThan(0)
  expect(told).toBeLessThanOrEqual(took / 16 + 3)
  await nvim.feed('jjj')
  await tracking.letTimePass()
  expect(listener.news()).toEqual([])
  expect(await nvim.messages()).toBe('')
  expect(await nvim.lua('return vim.v.errmsg')).toBe('')
})
