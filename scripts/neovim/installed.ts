// Programs that are already on this machine, and how to compare the Neovims among them.
import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The oldest Neovim that the plugin supports. */
export const OLDEST_NEOVIM = '0.10.0'

interface Versioned {
  version: string
}

/** The first executable file called `name` in the folders of PATH. */
export function findOnPath(name: string): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    if (folder === '') continue
    const candidate = path.join(folder, name)
    if (isExecutableFile(candidate)) return candidate
  }
  return undefined
}

function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    // Not there, or not for us: either way not what is looked for.
    return false
  }
}

/** What the program calls itself, such as `0.12.4` or `0.13.0-dev-12+gabc`. */
export async function readNeovimVersion(program: string, ...before: string[]): Promise<string> {
  const { stdout } = await run(program, [...before, '--version']).catch(cause => {
    throw new Error(`${program} does not run: ${cause instanceof Error ? cause.message : cause}`, { cause })
  })
  const version = /^NVIM v(\S+)/.exec(stdout)?.[1]
  if (version === undefined) throw new Error(`${program} does not answer --version as Neovim does.`)
  return version
}

/** Whether the plugin supports that version. */
export function isUsable(neovim: Versioned): boolean {
  return compareVersions(neovim.version, OLDEST_NEOVIM) >= 0
}

/** Oldest first, the first of each version. */
export function sortByVersion<T extends Versioned>(neovims: readonly T[]): T[] {
  const seen = new Map<string, T>()
  for (const neovim of neovims) if (!seen.has(neovim.version)) seen.set(neovim.version, neovim)
  return [...seen.values()].sort((a, b) => compareVersions(a.version, b.version))
}

/** By the three numbers alone: a development version counts as the release that it leads to. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)]
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function numbersOf(version: string): number[] {
  return version.split(/[-+]/, 1).join('').split('.').map(Number)
}
