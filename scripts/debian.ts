// Programs of a Debian suite for tests and checks, with every library that they need, unpacked into the user's cache folder:
// they run beside the system without touching it.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { downloadPackages } from './neovim/apt.ts'
import { canFetchFromDebian } from './neovim/fetch.ts'

const run = promisify(execFile)

/** The suite that all of them are of. */
export const suite = 'trixie'

/** Debian's names of the processor, of its folder of libraries, and of the program that loads them. */
export interface Machine {
  architecture: string
  libraries: string
  loader: string
}

const machines: Readonly<Record<string, Machine>> = {
  x64: { architecture: 'amd64', libraries: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { architecture: 'arm64', libraries: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
}

/** What is unpacked together. */
export interface Unpacked {
  /** The name of its folder in the cache. */
  name: string
  packages: readonly string[]
  /** Raised when a change of `finish` or of `unneeded` must reach folders that are already there. */
  recipe: number
  /** Packages, by their file names, that Debian asks for and we don't need. */
  unneeded?: RegExp
  /** Makes it runnable: `made` is where it lies now, `folder` where it will lie. */
  finish(made: string, folder: string, machine: Machine): Promise<void>
}

/**
 * The folder where the packages lie unpacked: from the cache, or fetched now. Processes may fetch at once: one of them wins.
 * Undefined where there is no apt-get, or no Debian for the processor.
 */
export async function unpackedFromDebian(wanted: Unpacked): Promise<string | undefined> {
  const machine = machines[process.arch]
  if (machine === undefined || !canFetchFromDebian()) return undefined
  const folder = join(cacheFolder(), `${wanted.name}-${suite}`)
  if (await isComplete(folder, wanted)) return folder
  process.stderr.write(`Fetching ${wanted.name} of Debian ${suite} into ${folder}…\n`)
  await mkdir(cacheFolder(), { recursive: true })
  const made = await mkdtemp(`${folder}.unfinished-`)
  try {
    await unpack(made, wanted, machine)
    await wanted.finish(made, folder, machine)
    await writeFile(join(made, 'complete.json'), mark(folder, wanted))
    if (!(await isComplete(folder, wanted))) await rm(folder, { recursive: true, force: true }) // of an older recipe, or moved here
    await rename(made, folder).catch(async error => {
      if (!(await isComplete(folder, wanted))) throw error // else another run was faster
    })
    return folder
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME'] ?? ''
  return join(isAbsolute(base) ? base : join(homedir(), '.cache'), 'claudecode-node')
}

function mark(folder: string, { recipe }: Unpacked): string {
  return JSON.stringify({ recipe, folder })
}

async function isComplete(folder: string, wanted: Unpacked): Promise<boolean> {
  const file = join(folder, 'complete.json')
  return existsSync(file) && (await readFile(file, 'utf8')) === mark(folder, wanted)
}

async function unpack(target: string, { packages, unneeded }: Unpacked, { architecture }: Machine): Promise<void> {
  const downloads = await mkdtemp(join(tmpdir(), 'claudecode-debian-'))
  try {
    const debs = await downloadPackages(downloads, { suite, architecture, packages })
    for (const deb of debs.filter(file => !unneeded?.test(basename(file)))) await run('dpkg', ['-x', deb, target])
  } finally {
    await rm(downloads, { recursive: true, force: true })
  }
}

/**
 * Replaces the program `name` in usr/bin by a script that runs it under its suite's own libc, whichever the system has. The
 * script's name is what the program takes for its own.
 */
export async function wrapProgram(
  name: string,
  made: string,
  folder: string,
  { libraries, loader }: Machine,
): Promise<void> {
  const wrapper = join('usr', 'bin', name)
  const { stdout } = await run('readlink', ['-f', join(made, wrapper)])
  const program = `${basename(stdout.trim())}.real`
  await rename(stdout.trim(), join(made, 'usr', 'bin', program))
  await rm(join(made, wrapper), { force: true })
  const library = join(folder, 'usr', 'lib', libraries)
  const words = [join(library, loader), '--library-path', library, '--argv0', join(folder, wrapper)]
  const quoted = [...words, join(folder, 'usr', 'bin', program)].map(word => `'${word.replaceAll("'", "'\\''")}'`)
  await writeFile(join(made, wrapper), `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`, { mode: 0o755 })
}
