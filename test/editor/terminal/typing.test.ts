// What reaches Claude in its terminal: keys, pastes, and text that commands type.
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type FakeSetup, startClaude, startWithFakeClaude } from '../../support/fake-claude.ts'
import { waitFor } from '../../support/wait-for.ts'

const files = { 'a.txt': 'one\n', 'sub/b.txt': 'two\n' }

const waitForTyped = async (setup: FakeSetup, expected: string, count = 1) => {
  const run = await setup.waitForRun(count)
  await setup.nvim.waitFor(async () => (await setup.typed(run)).toString().endsWith(expected), JSON.stringify(expected))
  return (await setup.typed(run)).toString()
}

describe('keys', () => {
  test('T-05, T-20: Escape, twice too, reaches Claude; <C-q> leaves; Shift-Enter is a new line', async () => {
    const { setup, nvim } = await startClaude()
    await nvim.feed('a<Esc>b<Esc><Esc>c<S-CR>d<C-q>')
    expect(await waitForTyped(setup, 'd')).toBe('a\x1bb\x1b\x1bc\x1b\rd')
    expect(await nvim.lua('return vim.fn.mode()')).toBe('n')
  })

  test('T-05: how to leave is said where the user sees it, until they are gone', async () => {
    const { nvim } = await startClaude()
    await nvim.waitForScreen(/claudecode: <C-q> leaves Claude's terminal; Escape goes to Claude$/)
    await nvim.lua('vim.schedule(function() vim.cmd.redraw() end)') // as the output of Claude does
    await nvim.lua('vim.o.statusline = "drawn again"')
    await nvim.waitForScreen(/drawn again.*<C-q> leaves/s)
    await nvim.feed('<C-q>')
    expect(await nvim.lua('return vim.o.showmode')).toBe(true)
    await nvim.feed('i')
    await nvim.waitForScreen(/-- TERMINAL --$/)
  })

  test('what a user is told while they type to Claude is there to be read', async () => {
    const { nvim } = await startClaude({ setup: '{ terminal = { show_native_term_exit_tip = false } }' })
    await nvim.waitForScreen(/-- TERMINAL --$/)
    for (const level of ['info', 'warn', 'error']) {
      await nvim.lua('require("claudecode.notice").show(..., "told as " .. ...)', level)
      await nvim.waitForScreen(new RegExp(`told as ${level}$`))
    }
    await nvim.feed('<C-q>')
    expect(await nvim.lua('return vim.o.showmode')).toBe(true)
  })

  test.each(['v', 'V', '<C-v>', 'gh'])(
    'and what they are told while they select with %s, without a stop',
    async keys => {
      const { nvim } = await startWithFakeClaude({ files, args: ['a.txt'] })
      await nvim.feed(keys)
      await nvim.waitForScreen(/-- (VISUAL|SELECT)[ A-Z]* --/)
      await nvim.lua('require("claudecode.notice").show("info", "told while selecting")')
      await nvim.waitForScreen(/told while selecting/)
      for (let look = 0; look < 20; look += 1) await nvim.lua('vim.cmd.redraw()') // Neovim answers, and goes on drawing
      expect(nvim.screen().at(-1)).toContain('claudecode: told while selecting')
      await nvim.feed('<Esc>')
      await nvim.waitFor('vim.o.showmode', 'the mode to be shown again')
      await nvim.feed('v')
      await nvim.waitForScreen(/-- VISUAL --/)
    },
  )

  test('leave_key is the user’s choice', async () => {
    const { setup, nvim } = await startClaude({ setup: "{ terminal = { leave_key = '<C-]>' } }" })
    await nvim.feed('<C-q>x<C-]>')
    expect(await waitForTyped(setup, 'x')).toBe('\x11x')
    expect(await nvim.lua('return vim.fn.mode()')).toBe('n')
  })

  test('T-04: Ctrl-Z does not reach Claude, and a Claude that was stopped goes on when it is shown', async () => {
    const { setup, nvim, run } = await startClaude()
    await nvim.feed('<C-z>x')
    expect(await waitForTyped(setup, 'x')).toBe('x')
    process.kill(run.pid, 'SIGSTOP')
    const state = async () =>
      / ([A-Z]) /.exec((await readFile(`/proc/${run.pid}/stat`, 'utf8')).replace(/^.*\)/, ''))?.[1]
    await waitFor(async () => (await state()) === 'T', 'the process to be stopped')
    await nvim.feed('<C-q>:ClaudeCode<CR>:ClaudeCode<CR>')
    await waitFor(async () => (await state()) !== 'T', 'the process to go on')
  })

  test('T-03: auto_insert = false leaves the mode and the scroll position alone', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'], setup: '{ terminal = { auto_insert = false } }' })
    const { nvim } = setup
    await nvim.feed(':ClaudeCode --lines=200<CR>')
    await setup.waitForRun()
    await nvim.waitFor("vim.bo.filetype == 'claudecode'", 'the user to be there')
    expect(await nvim.lua('return vim.fn.mode()')).toBe('n')
    await nvim.waitFor("vim.fn.getline('$'):match('^fake claude>')", 'all that it says') // longer than the window
    await nvim.feed('50Gzt<C-w>p')
    await nvim.lua("require('claudecode.terminal').open()")
    await nvim.waitFor("vim.bo.filetype == 'claudecode'", 'the user to be there')
    const where = () => nvim.lua("return { vim.fn.mode(), vim.fn.line('.'), vim.fn.line('w0') }")
    expect(await where()).toEqual(['n', 50, 50])
    await nvim.feed('<C-w>p<C-w>l')
    expect(await where()).toEqual(['n', 50, 50])
  })

  test('T-02: a large paste arrives whole', async () => {
    const { setup, nvim } = await startClaude()
    const lines = Array.from({ length: 2000 }, (_, i) => `line ${i} ä日本 ${'x'.repeat(i % 40)}`)
    const text = lines.join('\n')
    const pieces = [text.slice(0, 20_001), text.slice(20_001, 40_005), text.slice(40_005)]
    for (const [i, piece] of pieces.entries()) await nvim.request('nvim_paste', [piece, true, i + 1])
    const typed = await waitForTyped(setup, '\x1b[201~')
    expect(typed.replaceAll(/\r\n?/g, '\n')).toBe(`\x1b[200~${text}\x1b[201~`)
  })
})

describe('text for Claude', () => {
  test('T-28: :ClaudeCodeSendText is one paste with Enter behind it, with ! without', async () => {
    const { setup, nvim } = await startClaude()
    await nvim.feed('<C-q>:ClaudeCodeSendText! fix  "this" | now<CR>')
    expect(await waitForTyped(setup, '\x1b[201~')).toBe('\x1b[200~fix  "this" | now\x1b[201~')
    await nvim.feed(':ClaudeCodeSendText go<CR>')
    expect(await waitForTyped(setup, '\r')).toBe('\x1b[200~fix  "this" | now\x1b[201~\x1b[200~go\x1b[201~\r')
  })

  test('T-28: nothing in the text breaks out of the paste', async () => {
    const { setup, nvim } = await startClaude()
    const text = 'a\r\nb\rc\td\x1b[201~e\x1b[20\x1b[201~1~f\u009b201~g\x03h\0i\x7fj日本'
    expect(
      await nvim.lua("return require('claudecode.terminal').send_to_terminal(..., { submit = false })", text),
    ).toBe(true)
    expect(await waitForTyped(setup, '\x1b[201~')).toBe('\x1b[200~a\nb\nc\td[201~e[20[201~1~f201~ghij日本\x1b[201~')
  })

  test('without a Claude the user is told', async () => {
    const setup = await startWithFakeClaude({ files })
    await setup.nvim.feed(':ClaudeCodeSendText x<CR>')
    await setup.nvim.waitForScreen(/the text was not sent: no Claude runs in Neovim/)
    expect(await setup.runs()).toEqual([])
  })

  test('M-11: :ClaudeCodeSelectModel starts Claude with the model, and tells one that runs', async () => {
    const setup = await startWithFakeClaude({
      files,
      args: ['a.txt'],
      setup: "{ models = { { name = 'Best', value = 'opus[1m]' }, { name = 'Odd', value = \"it's odd\" } } }",
    })
    const { nvim } = setup
    await nvim.feed(':ClaudeCodeSelectModel --foo<CR>')
    await nvim.waitForScreen(/1: Best[\s\S]*2: Odd/)
    await nvim.feed('<CR>') // cancelled
    await nvim.feed(':ClaudeCodeSelectModel --foo<CR>')
    await nvim.waitForScreen(/1: Best/)
    await nvim.feed('2<CR>')
    expect((await setup.waitForRun()).argv).toEqual(['--model', "it's odd", '--foo'])
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    await nvim.feed('<C-q>:ClaudeCodeSelectModel<CR>')
    await nvim.waitForScreen(/1: Best/)
    await nvim.feed('1<CR>')
    expect(await waitForTyped(setup, '\r')).toBe('\x1b[200~/model opus[1m]\x1b[201~\r')
    expect(await setup.runs()).toHaveLength(1)
  })
})
