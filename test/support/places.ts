// The folders and the environment of a Neovim under test: a user's machine of its own, in a temporary folder.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Files, makeTemporaryFolder, writeFiles } from './temporary-folder.ts'

/** The folder of this plugin. */
export const repository = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))

export interface Places {
  /** The temporary folder that all others lie in. */
  readonly base: string
  /** The project that the user works on. */
  readonly folder: string
  readonly home: string
  /** `CLAUDE_CONFIG_DIR`; lock files lie in its folder `ide`. */
  readonly configDir: string
  /** Exactly what Neovim's process gets, nothing of ours but `PATH`. */
  readonly environment: Readonly<Record<string, string>>
  /** Removes all of it. At the end of the test this happens by itself. */
  remove(): Promise<void>
}

/** Makes the folders and writes the project's files. */
export async function makePlaces(files: Files = {}): Promise<Places> {
  const temporary = await makeTemporaryFolder()
  const base = temporary.path
  const home = path.join(base, 'home')
  const folder = path.join(base, 'project')
  const configDir = path.join(home, '.claude')
  const environment = {
    // This very Node first: the plugin starts `node`.
    PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: home,
    SHELL: '/bin/sh',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    TMPDIR: path.join(base, 'tmp'),
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local', 'share'),
    XDG_STATE_HOME: path.join(home, '.local', 'state'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    XDG_RUNTIME_DIR: path.join(base, 'run'),
    // Else what the machine's administrator has set up for Neovim would be loaded.
    XDG_CONFIG_DIRS: path.join(base, 'no-config'),
    XDG_DATA_DIRS: path.join(base, 'no-data'),
    CLAUDE_CONFIG_DIR: configDir,
  }
  await mkdir(folder)
  // Neovim makes its data folder when it first runs, and of several at once in one home one may stop at it (E739).
  const dataFolder = path.join(environment.XDG_DATA_HOME, 'nvim')
  for (const needed of [environment.XDG_CONFIG_HOME, environment.TMPDIR, dataFolder])
    await mkdir(needed, { recursive: true })
  // A socket's folder must be its user's alone, or Neovim refuses it.
  await mkdir(environment.XDG_RUNTIME_DIR, { mode: 0o700 })
  await writeFiles(folder, files)
  return { base, folder, home, configDir, environment, remove: () => temporary.remove() }
}
