// A Claude in a pane of tmux lives longer than the Neovim that it was started from, and has nothing to complain of.
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tmuxForTests } from '../../scripts/tmux.ts'
import { say, useTool } from '../support/scripted-model.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'
import { ClaudeSession } from './support/claude-session.ts'
import { isConnected } from './support/claude-terminal.ts'

/** What a turn of the CLI may take on a busy machine (ms). */
const timeoutMs = 20_000

/** A tmux of the test's own, and the pane in it that Neovim takes for its own. */
async function startTmux() {
  const [program, { path }] = await Promise.all([tmuxForTests(), makeTemporaryFolder()])
  const socket = join(path, 'tmux')
  const tmux = (...args: string[]) =>
    execFileSync(program, ['-S', socket, '-f', '/dev/null', ...args])
      .toString()
      .trim()
  const pane = tmux('new-session', '-d', '-P', '-F', '#{pane_id}', '-x', '160', '-y', '45', 'cat')
  return { tmux, socket, pane, programs: dirname(program) }
}

test('the state of a Claude in tmux is shown; when Neovim is gone it goes on without a word about hooks', async () => {
  const { tmux, socket, pane, programs } = await startTmux()
  const session = await ClaudeSession.start({ 'a.txt': 'one\n' })
  const { nvim, model } = session
  try {
    await nvim.lua(`vim.env.TMUX, vim.env.TMUX_PANE = '${socket},1,0', '${pane}'
      vim.env.PATH = '${programs}:' .. vim.env.PATH
      local command = require('claudecode.config').get('terminal_cmd', 'string')
      require('claudecode').setup({ terminal_cmd = command, terminal = { provider = 'tmux' } })`)
    await nvim.feed(':ClaudeCode --permission-mode default<CR>')
    await session.until(() => isConnected(session), 'Claude to be connected')

    const panes = tmux('list-panes', '-a', '-F', '#{pane_id}').split('\n')
    const claude = panes.find(other => other !== pane) ?? 'no pane'
    const screen = () => tmux('capture-pane', '-p', '-t', claude).replace(/\s+/g, ' ')
    const shows = (text: string) =>
      waitFor(() => screen().includes(text), `Claude to show "${text}"`, { timeoutMs, report: screen })

    /** Claude reads a file, for which it needs no permission, and says something. */
    async function ask(text: string, answer: string): Promise<void> {
      model.add(useTool('Read', { file_path: session.path('a.txt') }), say(answer))
      tmux('send-keys', '-t', claude, '-l', text)
      await shows(text)
      tmux('send-keys', '-t', claude, 'Enter')
      await shows(answer)
    }

    await shows('manual mode on')
    await ask('read it', 'It says one.')
    const isDone = `return require('claudecode').statusline():find('Claude done', 1, true) ~= nil`
    await session.until(() => nvim.lua<boolean>(isDone), 'the state')
    await nvim.close()
    await ask('once more', 'Still one.')
    await waitFor(() => screen().match(/ done /g)?.length === 2, 'the end of the turn', { timeoutMs, report: screen })
    expect(screen()).not.toMatch(/hook|ECONNREFUSED/i)
  } finally {
    tmux('kill-server')
    await session.dispose()
  }
})
