// Neovim of a Debian suite, with every library that it needs down to its own libc, unpacked into the user's cache folder:
// it runs beside the system without touching it.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { downloadPackages } from './apt.ts'
import { findOnPath, readNeovimVersion } from './installed.ts'

const run = promisify(execFile)

/** Raised when a change below must reach folders that are already there. */
const RECIPE = 1
const MARKER = 'complete.json'
/** Ten times what unpacking takes: an unfinished folder of that age is nobody's any more. */
const ABANDONED_AFTER_MS = 60 * 60_000

interface Machine {
  architecture: string
  libraries: string
  loader: string
}

/** Node's name of the processor, and what Debian calls it, its folder of libraries and the program that loads them. */
const MACHINES: Readonly<Record<string, Machine>> = {
  x64: { architecture: 'amd64', libraries: 'usr/lib/x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { architecture: 'arm64', libraries: 'usr/lib/aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
}

interface Fetched {
  version: string
  path: string
}

interface Marker extends Fetched {
  recipe: number
}

/** Whether this system has Debian's tools and a processor that Debian has Neovim for. */
export function canFetchFromDebian(): boolean {
  return (
    process.platform === 'linux' &&
    MACHINES[process.arch] !== undefined &&
    ['dpkg', 'apt-get'].every(program => findOnPath(program) !== undefined)
  )
}

/**
 * The Neovim of that suite, from the cache (no network, no process started) or fetched now. What is in the cache stays at the
 * version that the suite had then; remove its folder to fetch anew. Two processes may fetch at once: one of them wins, and an
 * aborted one leaves nothing that looks complete.
 *
 * @param suite - a code name of Debian, such as `trixie`
 */
export async function fetchNeovim(suite: string): Promise<Fetched> {
  const machine = MACHINES[process.arch]
  if (!machine) throw new Error(`No Neovim can be fetched for the processor ${process.arch}.`)
  const folder = path.join(cacheFolder(), `neovim-${suite}`)
  const cached = await readMarker(folder)
  if (cached) return cached

  process.stderr.write(`Fetching Neovim of Debian ${suite} into ${folder}…\n`)
  await mkdir(path.dirname(folder), { recursive: true })
  await removeAbandoned(folder)
  const made = await mkdtemp(`${folder}.unfinished-`)
  try {
    await unpack(made, suite, machine)
    const version = await makeRunnable(made, folder, machine)
    const marker: Marker = { recipe: RECIPE, version, path: path.join(folder, 'nvim') }
    await writeFile(path.join(made, MARKER), JSON.stringify(marker))
    const placed = await putInPlace(made, folder, marker)
    await proveThatItRuns(placed, folder)
    return placed
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

function cacheFolder(): string {
  const base = process.env.XDG_CACHE_HOME
  // Relative ones are to be ignored (XDG base directory specification).
  return path.join(base && path.isAbsolute(base) ? base : path.join(os.homedir(), '.cache'), 'claudecode-node')
}

async function unpack(target: string, suite: string, machine: Machine): Promise<void> {
  // Not below the target: apt splits its settings at spaces, which a home folder may have.
  const downloads = await mkdtemp(path.join(os.tmpdir(), 'claudecode-neovim-'))
  try {
    const packages = ['neovim', 'patchelf']
    const debs = await downloadPackages(downloads, { suite, architecture: machine.architecture, packages })
    for (const deb of debs) await run('dpkg', ['-x', deb, target])
  } finally {
    await rm(downloads, { recursive: true, force: true })
  }
}

/** Makes the Neovim in `made` one that will run from `folder`. Returns its version. */
async function makeRunnable(made: string, folder: string, machine: Machine): Promise<string> {
  const nvim = path.join(made, 'usr/bin/nvim')
  // Neither patchelf nor (before it is patched) nvim can run with the system's own, older libc.
  const loader = path.join(made, machine.libraries, machine.loader)
  const load = ['--library-path', path.join(made, machine.libraries)]
  await run(loader, [
    ...load,
    path.join(made, 'usr/bin/patchelf'),
    // The kernel wants an absolute path here: a moved cache folder is fetched again.
    ...['--set-interpreter', path.join(folder, machine.libraries, machine.loader)],
    // DT_RPATH and not DT_RUNPATH: only that also counts for the libraries' own libraries. In the file and not in
    // LD_LIBRARY_PATH, which node, git or claude, started from Neovim, would inherit and die of.
    ...['--force-rpath', '--set-rpath', `$ORIGIN/../../${machine.libraries}`],
    nvim,
  ])
  const runtime = path.join(folder, 'usr/share/nvim/runtime')
  // Neovim would find its runtime by itself, but for a $VIMRUNTIME inherited from a Neovim of another version around it.
  const lines = [
    '#!/bin/sh',
    `VIMRUNTIME=${shellQuoted(runtime)}`,
    'export VIMRUNTIME',
    `exec ${shellQuoted(path.join(folder, 'usr/bin/nvim'))} "$@"`,
  ]
  await writeFile(path.join(made, 'nvim'), `${lines.join('\n')}\n`, { mode: 0o755 })
  return readNeovimVersion(loader, ...load, nvim)
}

async function putInPlace(made: string, folder: string, marker: Marker): Promise<Fetched> {
  for (;;) {
    try {
      await rename(made, folder)
      return marker
    } catch (error) {
      if (!isCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
    }
    const faster = await readMarker(folder)
    if (faster) return faster
    // A folder of an older recipe, or one that was moved here.
    const old = `${made}-old`
    await rename(folder, old).catch(error => {
      if (!isCode(error, 'ENOENT')) throw error
    })
    await rm(old, { recursive: true, force: true })
  }
}

/** Only in its place can it be started as it will be: the interpreter's path is absolute. */
async function proveThatItRuns(fetched: Fetched, folder: string): Promise<void> {
  try {
    await readNeovimVersion(fetched.path)
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    throw new Error(`The Neovim that was fetched does not run here: ${String(cause)}`, { cause })
  }
}

async function readMarker(folder: string): Promise<Fetched | undefined> {
  let text: string
  try {
    text = await readFile(path.join(folder, MARKER), 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
  const { recipe, version, path: program } = JSON.parse(text) as Partial<Marker>
  if (recipe !== RECIPE || version === undefined || program !== path.join(folder, 'nvim')) return undefined
  return { version, path: program }
}

async function removeAbandoned(folder: string): Promise<void> {
  const parent = path.dirname(folder)
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${path.basename(folder)}.unfinished-`)) continue
    const file = path.join(parent, name)
    const changed = (await stat(file).catch(() => undefined))?.mtimeMs ?? Date.now()
    if (Date.now() - changed > ABANDONED_AFTER_MS) await rm(file, { recursive: true, force: true })
  }
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
