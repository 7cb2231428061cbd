// A Neovim that takes itself to be in a pane of a real tmux, a server of the test's own.
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { tmuxForTests } from '../../scripts/tmux.ts'
import { atTestEnd } from './at-test-end.ts'
import { type FakeSetup, startWithFakeClaude } from './fake-claude.ts'
import { makePlaces } from './places.ts'

/** A tmux with two panes, and a Neovim that takes the first one for its own. */
export interface TmuxSetup {
  setup: FakeSetup
  /** Runs a command of tmux, and returns what it says. */
  tmux(...args: string[]): string
  /** The pane of Neovim, as tmux calls it. */
  mine: string
  /** A pane of the user's. */
  other: string
  /** The panes in the window of Neovim. */
  panes(): string[]
}

export async function startInTmux(options: Parameters<typeof startWithFakeClaude>[0] = {}): Promise<TmuxSetup> {
  const places = await makePlaces(options.files ?? {})
  const socket = join(places.base, 'tmux')
  const program = await tmuxForTests()
  const tmux = (...args: string[]) =>
    execFileSync(program, ['-S', socket, '-f', '/dev/null', ...args])
      .toString()
      .trim()
  const mine = tmux('new-session', '-d', '-P', '-F', '#{pane_id}', '-x', '160', '-y', '45', 'cat')
  await atTestEnd(() => void tmux('kill-server'))
  const other = tmux('split-window', '-v', '-P', '-F', '#{pane_id}', '-t', mine, 'cat')
  const setup = await startWithFakeClaude({
    ...options,
    places,
    env: {
      TMUX: `${socket},1,0`,
      TMUX_PANE: mine,
      PATH: [join(places.base, 'bin'), dirname(program), places.environment['PATH']].join(':'),
    },
  })
  const panes = () => tmux('list-panes', '-t', mine, '-F', '#{pane_id}').split('\n')
  return { setup, tmux, mine, other, panes }
}
