// Claude in a pane of a terminal multiplexer: the real tmux, and stand-ins that record how the others are called.
import { describe, expect, test } from 'vitest'
import { type FakeSetup, startWithFakeClaude, waitForEnd, waitForMessage } from '../../support/fake-claude.ts'
import { type Multiplexer, startWithMultiplexer } from '../../support/multiplexer.ts'
import { isAlive } from '../../support/processes.ts'
import { startInTmux } from '../../support/tmux.ts'
import { waitFor } from '../../support/wait-for.ts'

const files = { 'a.txt': 'one\n' }

const windows = (setup: FakeSetup) => setup.nvim.lua<number>('return #vim.api.nvim_list_wins()')

describe.each<[Multiplexer, string[], string | undefined]>([
  ['wezterm', ['cli', 'split-pane', '--right', '--percent', '30', '--cwd'], 'activate-pane'],
  ['kitty', ['@', 'launch', '--type=window', '--location=vsplit', '--cwd'], 'focus-window'],
  ['zellij', ['run', '--close-on-exit', '--name', 'Claude', '--direction', 'right', '--cwd'], undefined],
])('%s', (provider, opening, focusing) => {
  test('runs Claude in a pane, goes there, types there, and ends only that', async () => {
    const { setup, calls } = await startWithMultiplexer(provider, {
      files,
      args: ['a.txt'],
      setup: `terminal_cmd = "claude 'a b'"`,
    })
    const { nvim } = setup
    await nvim.feed(':ClaudeCode<CR>')
    const run = await setup.waitForRun()
    expect(run.argv).toEqual(['a b'])
    expect(run.env).toMatchObject({ ENABLE_IDE_INTEGRATION: 'true', no_proxy: expect.stringContaining('127.0.0.1') })
    expect((await calls())[0]?.argv.slice(0, opening.length)).toEqual(opening)
    expect(run.settings).toContain('/hooks/') // by which its state is known, with a token that no call tells
    expect(JSON.stringify(await calls())).not.toContain(run.env['CLAUDECODE_HOOK_TOKEN'] ?? 'no token')
    await nvim.feed(':ClaudeCodeFocus<CR>')
    if (focusing) await nvim.waitFor(async () => (await calls()).some(({ argv }) => argv.includes(focusing)), focusing)
    await nvim.feed(':ClaudeCodeSendText! hi<CR>')
    if (focusing) {
      const sent = await nvim.waitFor(async () => (await calls()).find(({ input }) => input), 'text to be typed')
      expect(sent.input).toBe('\x1b[200~hi\x1b[201~')
    } else await waitForMessage(setup, 'Claude runs where Neovim can’t type'.replace('’', "'"))
    await nvim.feed(':ClaudeCodeClose<CR>')
    await waitForEnd(run)
    expect(await setup.runs()).toHaveLength(1)
  })

  test('is not used outside of it, and the user is told', async () => {
    const setup = await startWithFakeClaude({ files, setup: `{ terminal = { provider = '${provider}' } }` })
    await setup.nvim.feed(':ClaudeCode<CR>')
    await setup.waitForRun()
    await waitForMessage(setup, `Neovim does not run in ${provider}`)
    expect(await windows(setup)).toBe(2)
  })
})

describe('tmux', () => {
  test('a pane beside Neovim, hidden and shown, typed into, and ended; other panes are left alone', async () => {
    const { setup, tmux, mine, other, panes } = await startInTmux({
      files,
      args: ['a.txt'],
      setup: `{ terminal_cmd = "claude 'a b' $x", env = { ODD = 'a "b" $c' }, terminal = { provider = 'tmux' } }`,
    })
    const { nvim } = setup
    await nvim.feed(':ClaudeCode<CR>')
    const run = await setup.waitForRun()
    expect(run.argv).toEqual(['a b', '$x'])
    expect(run.env['ODD']).toBe('a "b" $c')
    expect(run.cwd).toBe(nvim.folder)
    const claude = panes().find(pane => pane !== mine && pane !== other)
    expect(tmux('display-message', '-p', '-t', String(claude), '#{pane_width}')).toMatch(/^4[78]$/)
    await nvim.feed(':ClaudeCode<CR>')
    await waitFor(() => panes().length === 2, 'the pane to be hidden')
    expect(isAlive(run.pid)).toBe(true)
    await nvim.feed(':ClaudeCode<CR>')
    await waitFor(() => panes().length === 3, 'the pane to be back')
    await nvim.feed(':ClaudeCodeSendText hi<CR>')
    await waitFor(async () => (await setup.typed(run)).toString().endsWith('hi\x1b[201~\r'), 'the text')
    await nvim.feed(':ClaudeCodeClose<CR>')
    await waitForEnd(run)
    expect(panes().sort()).toEqual([mine, other].sort())
  })
})
