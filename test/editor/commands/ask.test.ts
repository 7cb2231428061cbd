// Questions and diagnostics for Claude: what is in its prompt, in which order.
import { describe, expect, test } from 'vitest'
import { startWithFakeClaude } from '../../support/fake-claude.ts'

const files = { 'a.txt': 'one\ntwo\nthree\n' }
const setup = '{ connection_wait_delay = 0 }'

describe(':ClaudeCodeAsk', () => {
  test('starts Claude, sends what was sent before and the lines, and then the question, once', async () => {
    const sitting = await startWithFakeClaude({ files, args: ['a.txt'], setup })
    const { nvim } = sitting
    await nvim.feed(':1ClaudeCodeSend<CR>')
    const run = await sitting.waitForRun()
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    await nvim.feed('<C-q><C-w>p:2,3ClaudeCodeAsk why is "this" so?<CR>')
    expect((await sitting.typed(run)).toString()).toBe('') // nobody is connected
    const claude = await sitting.connect()
    await nvim.waitFor(
      async () => (await sitting.typed(run)).toString() === '\x1b[200~why is "this" so?\x1b[201~\r',
      'the question',
    )
    const lines = claude.notifications
      .filter(({ method }) => method === 'at_mentioned')
      .map(({ params }) => [params['lineStart'], params['lineEnd']])
    expect(lines).toEqual([
      [0, 0],
      [1, 2],
    ])
  })

  test('takes the lines of Visual mode', async () => {
    const sitting = await startWithFakeClaude({
      files,
      args: ['a.txt'],
      setup,
      init: "vim.keymap.set('x', '<F5>', '<Cmd>ClaudeCodeAsk what?<CR>')",
    })
    await sitting.nvim.feed('jV<F5>')
    const run = await sitting.waitForRun()
    const claude = await sitting.connect()
    const { params } = await claude.waitForNotification('at_mentioned')
    expect([params['lineStart'], params['lineEnd']]).toEqual([1, 1])
    await sitting.nvim.waitFor(async () => (await sitting.typed(run)).toString().includes('what?'), 'the question')
  })

  test('goes alone where nothing is selected, and waits for Claude, too', async () => {
    const sitting = await startWithFakeClaude({ files, args: ['a.txt'], setup })
    await sitting.nvim.feed(':ClaudeCodeAsk hello<CR>')
    const run = await sitting.waitForRun()
    await sitting.nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    expect((await sitting.typed(run)).toString()).toBe('')
    const claude = await sitting.connect()
    await sitting.nvim.waitFor(async () => (await sitting.typed(run)).toString().endsWith('hello\x1b[201~\r'), 'hello')
    expect(claude.notifications.some(({ method }) => method === 'at_mentioned')).toBe(false)
  })

  test('is not typed when Claude ends before it has connected', async () => {
    const sitting = await startWithFakeClaude({ files, args: ['a.txt'], setup })
    const { nvim } = sitting
    await nvim.feed(':1ClaudeCodeAsk why?<CR>')
    await sitting.waitForRun()
    await nvim.lua("require('claudecode.terminal').close()")
    await nvim.waitFor(
      async () => (await nvim.messages()).includes('a.txt and 1 more was not sent: Claude has ended'),
      'the reason',
    )
    await nvim.feed(':ClaudeCode<CR>')
    const second = await sitting.waitForRun(2)
    await sitting.connect()
    await nvim.lua("require('claudecode.terminal').send_to_terminal('last', { submit = false })")
    await nvim.waitFor(async () => (await sitting.typed(second)).toString().includes('last'), 'the last text')
    expect((await sitting.typed(second)).toString()).not.toContain('why?')
  })
})

describe(':ClaudeCodeSendDiagnostics', () => {
  const diagnostics = `vim.diagnostic.set(vim.api.nvim_create_namespace('x'), 0, {
    { lnum = 2, col = 0, message = 'unused', severity = vim.diagnostic.severity.HINT },
    { lnum = 0, col = 0, message = 'no such\\nthing', severity = vim.diagnostic.severity.ERROR, source = 'ls' },
  })`

  test('G-05: puts them into the prompt, the worst first, and does not press Enter', async () => {
    const sitting = await startWithFakeClaude({ files, args: ['a.txt'] })
    const { nvim } = sitting
    await nvim.feed(':ClaudeCodeSendDiagnostics<CR>')
    await nvim.waitForScreen(/there are no diagnostics here/)
    await nvim.lua(diagnostics)
    await nvim.feed(':ClaudeCode<CR>')
    const run = await sitting.waitForRun()
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    await nvim.feed('<C-q><C-w>p:ClaudeCodeSendDiagnostics<CR>')
    const all = `\x1b[200~Diagnostics of ${nvim.folder}/a.txt:\n- line 1: error: no such thing (ls)\n- line 3: hint: unused\n\x1b[201~`
    await nvim.waitFor(async () => (await sitting.typed(run)).toString() === all, 'the diagnostics')
    await nvim.waitFor("vim.fn.mode() == 't'", 'the user to be at Claude')
    await nvim.feed('<C-q><C-w>p:3ClaudeCodeSendDiagnostics<CR>')
    const one = `\x1b[200~Diagnostics of ${nvim.folder}/a.txt:\n- line 3: hint: unused\n\x1b[201~`
    await nvim.waitFor(async () => (await sitting.typed(run)).toString() === all + one, 'those of one line')
  })
})
