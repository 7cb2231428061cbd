// What users of such plugins reported of file explorers and pickers, and what other plugins do wrong.
import { describe, expect, test } from 'vitest'
import { waitForMessage } from '../../support/fake-claude.ts'
import { expectMentions, mentionsOf, startConnected } from '../../support/mentions.ts'
import { explorer, openExplorer } from './support.ts'

const files = { 'a.txt': 'one\n', 'My Docs/b c.txt': 'two\n', 'sub/d.txt': 'three\n' }
const start = (options: Parameters<typeof startConnected>[0] = {}) =>
  startConnected({ files, args: ['a.txt'], ...options })

describe('X-05: for fuzzy finders', () => {
  test('a list of paths is mentioned, in its order, each once', async () => {
    const { nvim, claude, setup } = await start()
    await nvim.lua(`Sent = 0
      vim.api.nvim_create_autocmd('User', { pattern = 'ClaudeCodeSendComplete', callback = function(event)
        Sent = Sent + (event.data.context == 'my picker' and 1 or 0)
      end })
      vim.fn.writefile({ '' }, vim.env.HOME .. '/notes.txt')`)
    const send = `return { require('claudecode').send_files({ 'sub/d.txt', 'My Docs/b c.txt', vim.fn.getcwd() .. '/a.txt', 'sub/',
      './sub/d.txt', '~/notes.txt' }, 'my picker') }`
    expect(await nvim.lua(send)).toEqual([true])
    await expectMentions(claude, setup, ['sub/d.txt', 'My Docs/b c.txt', 'a.txt', 'sub/', `${nvim.home}/notes.txt`])
    expect(await nvim.lua('return Sent')).toBe(5)
  })

  test('what is not there is left out, with a word', async () => {
    const { nvim, claude, setup } = await start()
    await nvim.lua(`require('claudecode').send_files({ 'a.txt', 'gone.txt', '', 'sub/d.txt' })`)
    await waitForMessage(setup, 'claudecode: 2 of 4 were not sent: there is no file or folder gone.txt')
    await expectMentions(claude, setup, ['a.txt', 'sub/d.txt'])
  })

  test.each([
    ["{ 'gone.txt' }", 'there is no file or folder gone.txt'],
    ['{}', 'there is no file here'],
    ["'a.txt'", 'a list of paths is needed'],
    ['{ 1 }', 'a list of paths is needed'],
    [
      "{ 'fugitive:///x/.git//0/a.txt' }",
      'fugitive:///x/.git//0/a.txt is no file of this computer, so Claude could not read it',
    ],
  ])('%s sends nothing and says why', async (paths, reason) => {
    const { nvim, claude, setup } = await start()
    expect(await nvim.lua(`return { require('claudecode').send_files(${paths}) }`)).toEqual([false, reason])
    await waitForMessage(setup, `nothing was sent: ${reason}`)
    await expectMentions(claude, setup, [])
  })
})

describe('X-06: the current buffer in one step', () => {
  test.each(['ClaudeCodeAdd', 'ClaudeCodeAdd %'])(':%s', async command => {
    const { nvim, claude, setup } = await start()
    await nvim.feed(`:${command}<CR>:edit My Docs/b c.txt<CR>:${command}<CR>`)
    await expectMentions(claude, setup, ['a.txt', 'My Docs/b c.txt'])
  })

  test('in an explorer it is what is under the cursor', async () => {
    const { nvim, claude, setup, goTo } = await openExplorer(explorer('netrw'))
    await goTo('b c.txt')
    await nvim.feed(':ClaudeCodeAdd<CR>')
    await expectMentions(claude, setup, ['b c.txt'])
  })

  test.each([
    ['help', ':help', 'this buffer is not a file'],
    ['a new file', ':edit new.txt', 'this file was never written'],
    ['a file in an archive', ":call nvim_buf_set_name(0, 'zipfile:///x.zip::a.txt')", 'this buffer is not a file'],
  ])('%s is refused', async (_what, keys, reason) => {
    const { nvim, claude, setup } = await start()
    await nvim.feed(`${keys}<CR>:ClaudeCodeAdd<CR>`)
    await waitForMessage(setup, `nothing was sent: ${reason}`)
    await expectMentions(claude, setup, [])
  })
})

describe('X-07: what is not on this computer is refused', () => {
  test('a folder that oil shows over ssh', async () => {
    const init = `vim.o.cmdheight = 10 -- oil itself tells in many lines that the host is not there\n${explorer('oil').init}`
    const { nvim, claude, setup } = await startConnected({ files, init })
    await nvim.lua(`require('oil').open('oil-ssh://nowhere.invalid/home/')`)
    await nvim.waitFor(`vim.bo.filetype == 'oil'`, 'oil')
    for (const command of ['ClaudeCodeTreeAdd', 'ClaudeCodeAdd', '2ClaudeCodeSend']) await nvim.feed(`:${command}<CR>`)
    await waitForMessage(
      setup,
      'nothing was sent: oil-ssh://nowhere.invalid/home/ is no folder of this computer, so Claude could not read it',
    )
    await expectMentions(claude, setup, [])
  })

  test('a folder that netrw shows over ssh', async () => {
    const { nvim, claude, setup } = await openExplorer(explorer('netrw'))
    await nvim.lua(`vim.b.netrw_curdir = 'scp://nowhere.invalid/home/'`)
    await nvim.feed('G:ClaudeCodeTreeAdd<CR>ggVG:ClaudeCodeSend<CR>')
    await waitForMessage(setup, 'nothing was sent: scp://nowhere.invalid/home/ is no folder of this computer')
    await expectMentions(claude, setup, [])
  })
})

test.each(['long', 'wide'])('netrw, %s: long names, names with blanks, and executables', async style => {
  const long = `${'long name '.repeat(5)}.txt`
  const more = { 'run.sh': '', 'two  blanks.txt': '', [long]: '' }
  const { nvim, claude, setup, goTo } = await openExplorer(
    { ...explorer('netrw'), init: `vim.g.netrw_liststyle = ${style === 'long' ? 1 : 2}` },
    more,
  )
  await nvim.lua(`vim.uv.fs_chmod('run.sh', 493) vim.cmd.edit()`)
  for (const name of ['run.sh', 'two  blanks.txt', long]) {
    await goTo(name, { toColumn: true })
    await nvim.feed('<F6>')
  }
  await expectMentions(claude, setup, ['run.sh', 'two  blanks.txt', long])
})

test('netrw, tree: files in folders that are open, and in their folders', async () => {
  const { nvim, claude, setup, goTo } = await openExplorer(explorer('netrw, tree'))
  for (const name of ['sub', 'deep']) {
    await goTo(name)
    await nvim.feed('<CR>')
  }
  await goTo('e.txt')
  await nvim.feed('<F6>jV<F5>')
  await goTo('deep')
  await nvim.feed('<F6>')
  await expectMentions(claude, setup, ['sub/deep/e.txt', 'sub/d.txt', 'sub/deep/'])
})

test('netrw, tree: files and folders that are marked, in folders that are open, too', async () => {
  const { nvim, claude, setup, goTo } = await openExplorer(explorer('netrw, tree'))
  await goTo('sub')
  await nvim.feed('<CR>')
  for (const name of ['d.txt', 'deep', 'z-folder', 'a.txt']) {
    await goTo(name)
    await nvim.feed('mf')
  }
  await nvim.feed('gg<F6>')
  await expectMentions(claude, setup, ['sub/d.txt', 'sub/deep/', 'z-folder/', 'a.txt'])
})

test('netrw: with the cursor in its banner or on "..", nothing is sent and the listing stays', async () => {
  const { nvim, claude, setup, goTo } = await openExplorer(explorer('netrw'))
  await goTo('b c.txt')
  const before = await nvim.lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')
  for (const text of ['Sorted by', 'Quick Help', '../']) await nvim.feed(`gg/${text.replace('/', '\\/')}<CR><F6>`)
  await waitForMessage(setup, 'nothing was sent: there is no file here')
  expect(await nvim.lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')).toEqual(before)
  await expectMentions(claude, setup, [])
})

test('X-02: two hundred files of an explorer are all sent, a few at a time', async () => {
  const many = Array.from({ length: 200 }, (_, i) => `f${String(i).padStart(3, '0')}.txt`)
  const { nvim, claude, setup, goTo } = await openExplorer(
    explorer('netrw'),
    Object.fromEntries(many.map(name => [name, ''])),
  )
  await goTo('f000.txt')
  await nvim.feed('V199j<F5>')
  await nvim.waitForScreen(/200 mentions are on their way/)
  await nvim.waitFor(() => mentionsOf(claude, setup).length === 200, 'all of them')
  expect(mentionsOf(claude, setup)).toEqual(many)
})

describe('another plugin that fails', () => {
  test.each([
    [
      'throws',
      `vim.bo.filetype = 'NvimTree'
       package.loaded['nvim-tree.api'] = { marks = { list = function() error('no explorer') end } }`,
      'nvim-tree did not tell its files: no explorer',
    ],
    [
      'is not there',
      `vim.bo.filetype = 'oil' package.loaded.oil = nil`,
      "oil did not tell its files: module 'oil' not found",
    ],
    [
      'has another API',
      `vim.bo.filetype = 'minifiles' package.loaded['mini.files'] = {}`,
      'mini.files did not tell its files: ',
    ],
    [
      'shows something else',
      `vim.bo.filetype = 'neo-tree' vim.b.neo_tree_source = 'document_symbols'`,
      'nothing was sent: neo-tree shows no files here, but document_symbols',
    ],
  ])('%s: one line says so, and nothing breaks', async (_what, code, message) => {
    const { nvim, claude, setup } = await start()
    await nvim.lua(`vim.cmd.enew() ${code}`)
    await nvim.feed(':ClaudeCodeTreeAdd<CR>')
    await waitForMessage(setup, message)
    expect(await nvim.blockedMode()).toBeUndefined()
    await expectMentions(claude, setup, [])
  })

  test('the log has the stack', async () => {
    const { nvim, setup } = await start()
    await nvim.lua(`vim.bo.filetype = 'NvimTree'
      package.loaded['nvim-tree.api'] = { marks = { list = function() error('no explorer') end } }`)
    await nvim.feed(':ClaudeCodeTreeAdd<CR>')
    await waitForMessage(setup, 'no explorer')
    const log = await nvim.lua<string>(`return table.concat(require('claudecode.log').lines(), '\\n')`)
    expect(log).toMatch(/ERROR .*no explorer[\s\S]*stack traceback:[\s\S]*explorers\/nvim_tree\.lua/)
  })
})
