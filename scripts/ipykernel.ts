// A Python with ipykernel for the tests: of a Debian suite, with every library that it needs, unpacked into the user's cache
// folder beside the system. `npx tsx scripts/ipykernel.ts` prints its path.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { downloadPackages } from './neovim/apt.ts'
import { canFetchFromDebian } from './neovim/fetch.ts'

const run = promisify(execFile)

const suite = 'trixie'
/** Raised when a change below must reach folders that are already there. */
const recipe = 1
/** Debian's packages ask for them, but no kernel needs them: a quarter of the size. */
const unneeded = /^(gdb|dpkg|perl-base|debconf|tar|python3-debugpy|libpython3[.\d]+|libsource-highlight[^_]*)_/
/** Debian's names of the processor, of its folder of libraries, and of the program that loads them. */
const machines: Readonly<Record<string, [string, string, string]>> = {
  x64: ['amd64', 'x86_64-linux-gnu', 'ld-linux-x86-64.so.2'],
  arm64: ['arm64', 'aarch64-linux-gnu', 'ld-linux-aarch64.so.1'],
}

/**
 * The path of a Python that has ipykernel: `IPYKERNEL_PYTHON` when that is set, else from the cache, else fetched now
 * (half a minute). Processes may fetch at once: one of them wins.
 * @throws Error with a sentence that says what to install.
 */
export async function ipykernelPython(): Promise<string> {
  const named = process.env['IPYKERNEL_PYTHON']
  if (named) return named
  const machine = machines[process.arch]
  if (machine === undefined || !canFetchFromDebian()) {
    throw new Error('Set IPYKERNEL_PYTHON to a Python that has ipykernel: it can only be fetched with apt-get.')
  }
  const folder = join(cacheFolder(), `ipykernel-${suite}`)
  const python = join(folder, 'usr', 'bin', 'python3')
  if (await isComplete(folder)) return python

  process.stderr.write(`Fetching ipykernel of Debian ${suite} into ${folder}…\n`)
  await mkdir(cacheFolder(), { recursive: true })
  const made = await mkdtemp(`${folder}.unfinished-`)
  try {
    await unpack(made, machine)
    await writeWrapper(made, folder, machine)
    await writeFile(join(made, 'complete.json'), JSON.stringify({ recipe, folder }))
    if (!(await isComplete(folder))) await rm(folder, { recursive: true, force: true }) // of an older recipe, or moved here
    await rename(made, folder).catch(async error => {
      if (!(await isComplete(folder))) throw error // else another run was faster
    })
    await run(python, ['-c', 'import ipykernel'])
    return python
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME'] ?? ''
  return join(isAbsolute(base) ? base : join(homedir(), '.cache'), 'claudecode-node')
}

async function isComplete(folder: string): Promise<boolean> {
  const file = join(folder, 'complete.json')
  return existsSync(file) && (await readFile(file, 'utf8')) === JSON.stringify({ recipe, folder })
}

async function unpack(target: string, [architecture]: [string, string, string]): Promise<void> {
  const downloads = await mkdtemp(join(tmpdir(), 'claudecode-ipykernel-'))
  try {
    const debs = await downloadPackages(downloads, { suite, architecture, packages: ['python3-ipykernel'] })
    for (const deb of debs.filter(file => !unneeded.test(basename(file)))) await run('dpkg', ['-x', deb, target])
  } finally {
    await rm(downloads, { recursive: true, force: true })
  }
}

/** Python under its suite's own libc, whichever the system has; it takes the wrapper for itself, and finds its modules by it. */
async function writeWrapper(
  made: string,
  folder: string,
  [, libraries, loader]: [string, string, string],
): Promise<void> {
  const bin = join('usr', 'bin')
  const { stdout } = await run('readlink', [join(made, bin, 'python3')])
  const library = join(folder, 'usr', 'lib', libraries)
  const words = [join(library, loader), '--library-path', library, '--argv0', join(folder, bin, 'python3')]
  const quoted = [...words, join(folder, bin, stdout.trim())].map(word => `'${word.replaceAll("'", "'\\''")}'`)
  await rm(join(made, bin, 'python3'))
  await writeFile(join(made, bin, 'python3'), `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`, { mode: 0o755 })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${await ipykernelPython()}\n`)
