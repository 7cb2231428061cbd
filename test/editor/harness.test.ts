// The test harness itself: what the other editor tests take for granted.
import { readFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isUsable, readNeovimVersion } from '../../scripts/neovim/installed.ts'
import { EditorBlockedError } from '../support/editor-calls.ts'
import { startNeovim, type TestNeovim } from '../support/neovim.ts'
import { makePlaces, repository } from '../support/places.ts'
import { isAlive } from '../support/processes.ts'

test('runs the Neovim that it was given, of a version that the plugin supports', async () => {
  const nvim = await startNeovim()
  const version = await nvim.lua<string>(
    'local v = vim.version() return ("%d.%d.%d"):format(v.major, v.minor, v.patch)',
  )
  const claimed = await readNeovimVersion(process.env.CLAUDECODE_TEST_NVIM ?? '')
  expect(claimed.startsWith(version)).toBe(true)
  expect(isUsable({ version })).toBe(true)
  expect(nvim.pid).toBe(await nvim.lua('return vim.fn.getpid()'))
})

test('starts as for a user: init.lua, UIEnter, plugin/, a project folder', async () => {
  const nvim = await startNeovim({
    init: `
      seen = { 'init' }
      for _, event in ipairs { 'UIEnter', 'VimEnter' } do
        vim.api.nvim_create_autocmd(event, { callback = function() table.insert(seen, event) end })
      end`,
    files: { 'deep/in/there.txt': 'text\n' },
    args: ['deep/in/there.txt'],
  })
  await nvim.waitFor('#seen == 3', 'UIEnter and VimEnter')
  expect(new Set(await nvim.lua<string[]>('return seen'))).toEqual(new Set(['init', 'UIEnter', 'VimEnter']))
  expect(await nvim.lua('return vim.fn.getcwd()')).toBe(nvim.folder)
  expect(await nvim.lua('return vim.api.nvim_buf_get_name(0)')).toBe(path.join(nvim.folder, 'deep/in/there.txt'))
  expect(await nvim.lua<string[]>('return vim.opt.runtimepath:get()')).toContain(repository)
  expect(await nvim.lua('return vim.g.loaded_claudecode')).toBe(1)
  expect(await nvim.messages()).toBe('')
})

test('keys arrive and the screen shows what they did', async () => {
  const nvim = await startNeovim({ files: { 'a.txt': 'one\n' }, args: ['a.txt'] })
  await nvim.feed('Gotwo → 二 <lt>3><Esc>')
  expect(nvim.screen().slice(0, 3)).toEqual(['one', 'two → 二 <3>', '~'])
  expect(nvim.screen()).toHaveLength(45)
  await nvim.feed(':set number<CR>')
  await nvim.waitForScreen(/^ +1 one$/m)
  expect(nvim.screenCursor()).toMatchObject({ row: 1, mode: 'normal' })
})

test('the screen follows scrolling, splits and resizing', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`)
  const nvim = await startNeovim({ files: { 'long.txt': `${lines.join('\n')}\n` }, args: ['long.txt'] })
  await nvim.feed('5<C-e>')
  expect(nvim.screen().slice(0, 43)).toEqual(lines.slice(5, 48))
  await nvim.feed('2<C-y>')
  expect(nvim.screen().slice(0, 43)).toEqual(lines.slice(3, 46))
  await nvim.feed(':vsplit<CR>G')
  expect(nvim.screen()[42]).toMatch(/^line 200 +[│|]line 46$/)
  await nvim.request('nvim_ui_try_resize', [80, 20])
  await nvim.waitFor(() => nvim.screen().length === 20, 'the smaller screen')
  expect(nvim.screenCells()[0]).toHaveLength(80)
})

test('cells have the colours of their highlight', async () => {
  const nvim = await startNeovim({
    init: `
      vim.api.nvim_set_hl(0, 'Normal', { fg = '#102030', bg = '#ffffff' })
      vim.api.nvim_set_hl(0, 'Loud', { fg = '#ff0000', bg = '#00ff00', bold = true, reverse = true })`,
    files: { 'a.txt': 'plain loud\n' },
    args: ['a.txt'],
  })
  await nvim.feed(':match Loud /loud/<CR>')
  const row = nvim.screenCells()[0]
  expect(row?.[0]).toMatchObject({ text: 'p', foreground: 0x102030, background: 0xffffff })
  expect(row?.[6]).toMatchObject({ text: 'l', foreground: 0x00ff00, background: 0xff0000, attributes: { bold: true } })
})

test('nothing of our environment gets in, byte for byte', async () => {
  process.env.CLAUDECODE_TEST_LEAK = 'leak'
  try {
    const nvim = await startNeovim({ env: { ADDED: 'a=b\n\tü' } })
    const environ = readFileSync(`/proc/${nvim.pid}/environ`, 'utf8').split('\0').filter(Boolean).sort()
    // The script around the fetched Neovim adds the first, some shells the others.
    const ours = environ.filter(entry => !/^(VIMRUNTIME|PWD|OLDPWD|SHLVL|_)=/.test(entry))
    const wanted = { ...nvim.places.environment, ADDED: 'a=b\n\tü' }
    expect(ours).toEqual(
      Object.entries(wanted)
        .map(([name, value]) => `${name}=${value}`)
        .sort(),
    )
    const folders = await nvim.lua<string[]>(`
      return vim.tbl_map(vim.fn.stdpath, { 'config', 'data', 'state', 'cache', 'run' })`)
    for (const folder of folders) expect(folder.startsWith(`${nvim.places.base}/`), folder).toBe(true)
    const elsewhere = (await nvim.lua<string[]>('return vim.opt.runtimepath:get()')).filter(
      folder => !folder.startsWith(`${nvim.places.base}/`) && folder !== repository,
    )
    const runtime = await nvim.lua<string>('return vim.env.VIMRUNTIME')
    for (const folder of elsewhere) expect(folder).toMatch(/\/(lib|lib64|share)\/nvim(\/|$)|^\/usr\/share\/nvim/)
    expect(elsewhere).toContain(runtime)
  } finally {
    delete process.env.CLAUDECODE_TEST_LEAK
  }
})

test('programs that Neovim starts find their own libraries', async () => {
  const nvim = await startNeovim()
  const said = await nvim.lua<string>(`
    return vim.fn.system { 'node', '-p', 'JSON.stringify([process.execPath, Object.keys(process.env).filter(n => /^LD_/.test(n))])' }`)
  expect(JSON.parse(said)).toEqual([process.execPath, []])
})

test('help, Lua and Markdown files open without a complaint', async () => {
  const nvim = await startNeovim({
    files: { 'a.lua': 'local a = 1\n', 'b.md': '# Title\n\n```lua\nlocal a = 1\n```\n' },
  })
  await nvim.feed(':edit a.lua<CR>:split b.md<CR>:help<CR>')
  expect(await nvim.lua('return vim.bo.filetype')).toBe('help')
  expect(await nvim.lua('return vim.v.errmsg')).toBe('')
  await nvim.waitForScreen(/Title/)
})

test('a Neovim that waits for a key refuses calls instead of hanging', async () => {
  const nvim = await startNeovim({ files: { 'a.txt': 'abc\n' }, args: ['a.txt'] })
  await nvim.feed('f')
  expect(await nvim.blockedMode()).toBeDefined()
  await expect(nvim.lua('return 1')).rejects.toThrow(EditorBlockedError)
  await expect(nvim.waitFor('true', 'a free editor', 200)).rejects.toThrow(
    /Waited 200 ms for a free editor[\s\S]*--- screen ---\nabc/,
  )
  await nvim.feed('c')
  expect(await nvim.blockedMode()).toBeUndefined()
  expect(await nvim.lua('return vim.fn.col(".")')).toBe(3)
})

test('a call during which Neovim starts to wait for a key is given up', async () => {
  const nvim = await startNeovim({ files: { 'a.txt': 'abc\n' }, args: ['a.txt'] })
  await expect(nvim.request('nvim_feedkeys', ['f', 'nx!', false])).rejects.toThrow(EditorBlockedError)
  await nvim.feed('c')
  expect(await nvim.lua('return vim.fn.col(".")')).toBe(3)
})

test('a "Press ENTER" prompt counts as blocked, and Enter ends it', async () => {
  const nvim = await startNeovim()
  await nvim.feed(':echo "one\\ntwo\\nthree"<CR>')
  await nvim.waitForScreen(/Press ENTER/)
  await expect(nvim.request('nvim_command', ['echo 1'])).rejects.toThrow(EditorBlockedError)
  await nvim.feed('<CR>')
  expect(await nvim.lua('return 1')).toBe(1)
})

test('an error in Lua fails the call with its text', async () => {
  const nvim = await startNeovim()
  await expect(nvim.lua('error("so it is")')).rejects.toThrow(/so it is/)
})

test('waitFor says what never came, with screen, messages and stderr', async () => {
  const nvim = await startNeovim({ files: { 'a.txt': 'on screen\n' }, args: ['a.txt'] })
  await nvim.feed(':echomsg "said before"<CR>')
  const failure = nvim.waitFor('vim.g.never', 'what never comes', 100)
  await expect(failure).rejects.toThrow(/Waited 100 ms for what never comes[\s\S]*on screen[\s\S]*said before/)
})

test('close ends Neovim and removes its folders, blocked or not', async () => {
  for (const keys of ['', 'f', ':help<CR>', 'itext', ':unfinished', ':terminal<CR>i']) {
    const nvim = await startNeovim()
    await nvim.feed(keys)
    await nvim.close()
    await expectGone(nvim)
    await nvim.close()
  }
})

test('a killed Neovim is noticed', async () => {
  const nvim = await startNeovim()
  nvim.kill('SIGKILL')
  expect(await nvim.exited).toEqual({ code: null, signal: 'SIGKILL' })
  await expect(nvim.lua('return 1')).rejects.toThrow(/Neovim has ended/)
  await expect(nvim.waitFor('true', 'anything')).rejects.toThrow(/Neovim has ended/)
  await nvim.close()
  await expectGone(nvim)
})

let leftBehind: TestNeovim | undefined

test('leaves a Neovim for the next test to look for', async () => {
  leftBehind = await startNeovim()
  expect(isAlive(leftBehind.pid)).toBe(true)
})

test('the Neovim of the test before was ended with it', async () => {
  expect(leftBehind).toBeDefined()
  if (leftBehind) await expectGone(leftBehind)
})

test('two Neovims of one user share their folders, which outlive the first', async () => {
  const places = await makePlaces({ 'a.txt': 'shared\n' })
  const first = await startNeovim({ places, args: ['a.txt'] })
  await first.close()
  const second = await startNeovim({ places, args: ['a.txt'] })
  expect(second.screen()[0]).toBe('shared')
})

async function expectGone(nvim: TestNeovim): Promise<void> {
  expect(isAlive(nvim.pid)).toBe(false)
  await expect(access(nvim.places.base)).rejects.toThrow(/ENOENT/)
}
