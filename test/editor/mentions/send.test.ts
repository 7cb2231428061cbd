// Mentions: what :ClaudeCodeSend, :ClaudeCodeAdd and send_at_mention() tell Claude, and what becomes of them without one.
import { describe, expect, test } from 'vitest'
import { expectMentions, startConnected } from '../../support/mentions.ts'

const text = 'one\ntwo\n\nfour\nfive\n'

const start = (options: Parameters<typeof startConnected>[0] = {}) =>
  startConnected({ files: { 'a.txt': text }, args: ['a.txt'], ...options })

describe(':ClaudeCodeSend', () => {
  test.each([
    ['a range', ':2,4ClaudeCodeSend<CR>', 'a.txt:1-3'],
    ['the lines of Visual mode', 'Vjj:ClaudeCodeSend<CR>', 'a.txt:0-2'],
    ['a mapping in Visual mode', 'jVjj<F5>', 'a.txt:1-3'],
    ['a mapping in Visual mode, upwards', 'GVk<F5>', 'a.txt:3-4'],
    ['a mapping in a block', 'j<C-v>j<F5>', 'a.txt:1-2'],
    ['a mapping in Select mode', 'jgh<F6>', 'a.txt:1-1'],
    ['one empty line', '3GV:ClaudeCodeSend<CR>', 'a.txt:2-2'],
    ['a selection that includes the line break', '4Gv$:ClaudeCodeSend<CR>', 'a.txt:3-3'],
    ['what was selected and still counts', 'jVj<Esc>:ClaudeCodeSend<CR>', 'a.txt:1-2'],
    ['what was selected up to a line break', 'jv$<Esc>:ClaudeCodeSend<CR>', 'a.txt:1-1'],
  ])('sends %s', async (_what, keys, expected) => {
    const { setup, nvim, claude } = await start({
      init: `vim.keymap.set('x', '<F5>', '<Cmd>ClaudeCodeSend<CR>')
        vim.keymap.set('s', '<F6>', '<Cmd>ClaudeCodeSend<CR>')`,
    })
    await nvim.feed(keys)
    await expectMentions(claude, setup, [expected])
    expect(await nvim.lua('return vim.fn.mode()')).toBe('n')
  })

  test('sends a range also when the selection is not tracked', async () => {
    const { setup, nvim, claude } = await start({ setup: '{ connection_wait_delay = 0, track_selection = false }' })
    await nvim.feed(':2ClaudeCodeSend<CR>')
    await expectMentions(claude, setup, ['a.txt:1-1'])
  })

  test('says so when nothing is selected, and sends nothing', async () => {
    const { setup, nvim, claude } = await start()
    await nvim.feed('Vj<Esc>gg0jjj:ClaudeCodeSend<CR>')
    await nvim.waitForScreen(/nothing is selected here/)
    await expectMentions(claude, setup, [])
  })

  test.each([
    ['help', ':help | 1,2ClaudeCodeSend<CR>'],
    ['a terminal', ':terminal cat<CR><C-\\><C-n>:.ClaudeCodeSend<CR>'],
    ['an unnamed buffer', ':enew | .ClaudeCodeSend<CR>'],
    ['a file that was never written', ':e new.txt | .ClaudeCodeSend<CR>'],
  ])('refuses %s with the reason', async (_what, keys) => {
    const { setup, nvim, claude } = await start()
    await nvim.feed(keys)
    await nvim.waitForScreen(/nothing was sent: this (buffer is not a file|file was never written)/)
    await expectMentions(claude, setup, [])
  })
})

describe(':ClaudeCodeAdd', () => {
  const names = [
    'My Docs/a b.txt',
    '$name.txt',
    '100%.txt',
    '#1.txt',
    'app/[id]/page.tsx',
    "it's.txt",
    'say "hi".txt',
    '日本 é.txt',
    'back\\slash.txt',
    'a*b.txt',
    'two 2.txt',
  ]
  const files = Object.fromEntries([...names, 'a.txt'].map(name => [name, text]))

  test('takes any path as it is typed, with lines behind it', async () => {
    const { setup, nvim, claude } = await start({ files })
    for (const name of names) await nvim.feed(`:ClaudeCodeAdd ${name.replaceAll('<', '<lt>')} 2 4<CR>`)
    await expectMentions(
      claude,
      setup,
      names.map(name => `${name}:1-3`),
    )
  })

  test.each([
    [':ClaudeCodeAdd My\\ Docs/a\\ b.txt', 'My Docs/a b.txt'],
    [':ClaudeCodeAdd "My Docs/a b.txt" 3', 'My Docs/a b.txt:2-2'],
    [":ClaudeCodeAdd 'My Docs/a b.txt' 3 3", 'My Docs/a b.txt:2-2'],
    [':ClaudeCodeAdd %', 'a.txt'],
    [':ClaudeCodeAdd % 2', 'a.txt:1-1'],
    [':ClaudeCodeAdd %:p 2', 'a.txt:1-1'],
    [':ClaudeCodeAdd My Docs', 'My Docs/'],
    [':ClaudeCodeAdd My Docs/ 1 2', 'My Docs/'],
    [':ClaudeCodeAdd ./app/../a.txt', 'a.txt'],
    [':ClaudeCodeAdd a.t*', 'a.txt'],
    [':ClaudeCodeAdd two 2.txt 2', 'two 2.txt:1-1'],
  ])('%s', async (command, expected) => {
    const { setup, nvim, claude } = await start({ files })
    await nvim.feed(`${command}<CR>`)
    await expectMentions(claude, setup, [expected])
  })

  test('takes % for a file with blanks in its name, and ~ for the home folder', async () => {
    const { setup, nvim, claude } = await start({ files })
    await nvim.feed(':e My\\ Docs/a\\ b.txt<CR>:ClaudeCodeAdd %<CR>')
    await nvim.lua("vim.fn.writefile({ '' }, vim.env.HOME .. '/notes.txt')")
    await nvim.feed(':ClaudeCodeAdd ~/notes.txt<CR>')
    await expectMentions(claude, setup, ['My Docs/a b.txt', `${nvim.home}/notes.txt`])
  })

  test.each([
    [':ClaudeCodeAdd nothing.txt', 'there is no file or folder nothing.txt'],
    [':ClaudeCodeAdd a.txt x', 'x is no line number'],
    [':ClaudeCodeAdd a.txt 0', '0 is no line number'],
    [':ClaudeCodeAdd a.txt 4 2', 'line 4 comes after line 2'],
  ])('%s says what is wrong', async (command, reason) => {
    const { setup, nvim, claude } = await start()
    await nvim.feed(`${command}<CR>`)
    await nvim.waitForScreen(new RegExp(`nothing was sent: ${reason}`))
    await expectMentions(claude, setup, [])
  })

  test('completes paths, and what it completes is taken', async () => {
    const { setup, nvim, claude } = await start({ files })
    expect(await nvim.lua("return vim.fn.getcompletion('ClaudeCodeAdd My', 'cmdline')")).toEqual(['My\\ Docs/'])
    expect(await nvim.lua("return vim.fn.getcompletion('ClaudeCodeAdd app/[', 'cmdline')")).toEqual(['app/[id]/'])
    await nvim.feed(':ClaudeCodeAdd My<Tab>a<Tab><CR>')
    await expectMentions(claude, setup, ['My Docs/a b.txt'])
  })

  test('sends two hundred files, all of them, in order', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `many/f${String(i).padStart(3, '0')}.txt`)
    const { setup, nvim, claude } = await start({ files: Object.fromEntries(['a.txt', ...many].map(n => [n, text])) })
    await nvim.feed(':ClaudeCodeAdd many/*.txt<CR>')
    await nvim.waitForScreen(/200 mentions are on their way/)
    await expectMentions(claude, setup, many)
  })
})
