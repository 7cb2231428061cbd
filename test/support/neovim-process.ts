// Starts the Neovim process of a test and knows when it has ended.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { asMereUser } from './mere-user.ts'
import { type Places, repository } from './places.ts'

/** How a process ended: by itself with a code, or by a signal. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface NeovimProcess {
  readonly child: ChildProcessWithoutNullStreams
  readonly pid: number
  readonly exited: Promise<Exit>
  hasExited(): boolean
  /** What it wrote to stderr. */
  stderr(): string
}

export interface Launch {
  /** Lua, put after the line of init.lua that puts the plugin on 'runtimepath'. */
  init: string
  /** False: init.lua has nothing but `init`. */
  plugin: boolean
  args: readonly string[]
  /** Added to the environment of the places. */
  env: Readonly<Record<string, string>>
  /** Permissions of files count, also when the tests run as root. */
  mereUser: boolean
}

/** Writes init.lua and starts `nvim --embed`, which waits for a user interface before it reads anything. */
export async function launchNeovim(places: Places, launch: Launch): Promise<NeovimProcess> {
  const neovim = process.env.CLAUDECODE_TEST_NVIM
  if (!neovim)
    throw new Error('CLAUDECODE_TEST_NVIM must be the path of a Neovim; vitest.config.ts sets it for editor tests.')
  const program = launch.mereUser ? await asMereUser(neovim) : neovim
  await writeInit(places, launch)
  const env = { ...places.environment, ...launch.env }
  const child = spawn(program, ['--embed', ...launch.args], { cwd: places.folder, env, stdio: 'pipe' })
  let exit: Exit | undefined
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      exit = { code, signal }
      resolve(exit)
    })
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', piece => {
    stderr += piece
  })
  // Without a number it has not started, and `exited` says why.
  const pid = child.pid ?? Number.NaN
  if (child.pid === undefined) await exited
  return { child, pid, exited, hasExited: () => exit !== undefined, stderr: () => stderr }
}

async function writeInit(places: Places, { init, plugin }: Launch): Promise<void> {
  const folder = path.join(places.home, '.config', 'nvim')
  await mkdir(folder, { recursive: true })
  const onPath = `vim.opt.runtimepath:prepend(${JSON.stringify(repository)})\n`
  const written = path.join(folder, `${randomUUID()}.lua`)
  await writeFile(written, `${plugin ? onPath : ''}${init}\n`)
  await rename(written, path.join(folder, 'init.lua')) // whole, for others that start in this home just now
}
