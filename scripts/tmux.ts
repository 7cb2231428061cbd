// The tmux for the tests: the system's, else one fetched from Debian.
import { join } from 'node:path'
import { unpackedFromDebian, wrapProgram } from './debian.ts'
import { findOnPath } from './neovim/installed.ts'

/** @throws Error with a sentence that says what to install. */
export async function tmuxForTests(): Promise<string> {
  const installed = findOnPath('tmux')
  if (installed !== undefined) return installed
  const folder = await unpackedFromDebian({
    name: 'tmux',
    packages: ['tmux'],
    recipe: 1,
    finish: (made, target, machine) => wrapProgram('tmux', made, target, machine),
  })
  if (folder === undefined) throw new Error('Install tmux: it can only be fetched with apt-get.')
  return join(folder, 'usr', 'bin', 'tmux')
}
