// A Neovim that takes itself to be in a multiplexer, in whose place is a program of ours (fake-multiplexer.mjs).
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { startWithFakeClaude } from './fake-claude.ts'
import { makePlaces, repository } from './places.ts'

/** The multiplexers but tmux, which is tested for real: their program, and the variable by which one knows to be inside. */
const multiplexers = {
  wezterm: { program: 'wezterm', variable: 'WEZTERM_PANE' },
  kitty: { program: 'kitten', variable: 'KITTY_LISTEN_ON' },
  zellij: { program: 'zellij', variable: 'ZELLIJ' },
}
export type Multiplexer = keyof typeof multiplexers

/** One call of the program. `input` is what it was given, if it takes any. */
export interface MultiplexerCall {
  argv: string[]
  input?: string
}

/**
 * Starts Neovim in a multiplexer, with Claude in a pane of it. The ids of its panes are those of the processes in them.
 * @param options `setup`: more options, as written in a Lua table.
 */
export async function startWithMultiplexer(
  provider: Multiplexer,
  { files = {}, setup = '', ...rest }: NonNullable<Parameters<typeof startWithFakeClaude>[0]>,
) {
  const { program, variable } = multiplexers[provider]
  const places = await makePlaces(files)
  const folder = join(places.base, 'multiplexer')
  await mkdir(folder)
  await symlink(join(repository, 'test', 'support', 'fake-multiplexer.mjs'), join(folder, program))
  const started = await startWithFakeClaude({
    ...rest,
    places,
    env: { FAKE_MULTIPLEXER: folder, [variable]: '7' },
    init: `vim.env.PATH = '${folder}:' .. vim.env.PATH`,
    setup: `{ terminal = { provider = '${provider}' }, ${setup} }`,
  })
  const calls = async (): Promise<MultiplexerCall[]> =>
    (await readFile(join(folder, 'calls'), 'utf8'))
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
  return { setup: started, calls }
}
