// Which Neovims the tests and the demo run: fetched from Debian where its tools are, else the ones that are installed.
// `npx tsx scripts/neovim.ts` prints those of the tests, one "version<TAB>path" a line.
import { fileURLToPath } from 'node:url'
import { canFetchFromDebian, fetchNeovim } from './neovim/fetch.ts'
import { findOnPath, isUsable, OLDEST_NEOVIM, readNeovimVersion, sortByVersion } from './neovim/installed.ts'

/** A Neovim program: what it calls itself (`0.12.4`) and the file to run. */
export interface Neovim {
  version: string
  path: string
}

/** Debian's stable has the oldest Neovim that we support, its testing one of the newest. */
const SUITES = ['trixie', 'forky'] as const
const NEWEST_SUITE = 'forky'

const INSTALL_HINT =
  `Put a Neovim of ${OLDEST_NEOVIM} or newer on PATH as nvim, or name one or more in NVIM_PATHS (separated by colons). ` +
  'On Debian and its relatives with a package source of Debian (or DEBIAN_MIRROR set to one) they are fetched by themselves.'

/**
 * The Neovims that the editor tests run with, oldest first, no version twice.
 *
 * 1. `NVIM_PATHS` (programs separated by colons), when set: those and no others.
 * 2. Where dpkg and apt-get are: one of each Debian suite, fetched on first use (10 s or so) and kept in the user's cache folder.
 *    Nothing is installed, and root is not needed. When that fails, and `nvim` is installed, a warning and step 3.
 * 3. `nvim` on PATH.
 *
 * @throws Error with a sentence that says what to install.
 */
export async function neovimsForTests(): Promise<Neovim[]> {
  const named = await neovimsNamedByUser()
  if (named) return named
  if (!canFetchFromDebian()) return [await installedNeovim()]
  try {
    return sortByVersion(await Promise.all(SUITES.map(suite => fetchNeovim(suite))))
  } catch (error) {
    return [await installedInsteadOfFetched(error)]
  }
}

/** The Neovim for the demo: newest of `NVIM_PATHS`, else `nvim` on PATH, else the newest that can be fetched. */
export async function neovimForDemo(): Promise<Neovim> {
  const named = (await neovimsNamedByUser())?.at(-1)
  if (named) return named
  const installed = await usableOnPath()
  if (installed) return installed
  if (!canFetchFromDebian()) return installedNeovim()
  return fetchNeovim(NEWEST_SUITE).catch(installedInsteadOfFetched)
}

async function neovimsNamedByUser(): Promise<Neovim[] | undefined> {
  const paths = (process.env.NVIM_PATHS ?? '').split(':').filter(path => path !== '')
  if (paths.length === 0) return undefined
  const neovims = await Promise.all(paths.map(async path => ({ path, version: await readNeovimVersion(path) })))
  const tooOld = neovims.find(neovim => !isUsable(neovim))
  if (tooOld) throw new Error(`NVIM_PATHS names ${tooOld.path}, which is Neovim ${tooOld.version}. ${INSTALL_HINT}`)
  return sortByVersion(neovims)
}

async function usableOnPath(): Promise<Neovim | undefined> {
  const path = findOnPath('nvim')
  if (path === undefined) return undefined
  const found = { path, version: await readNeovimVersion(path) }
  return isUsable(found) ? found : undefined
}

async function installedNeovim(): Promise<Neovim> {
  const installed = await usableOnPath()
  if (!installed) throw new Error(`No Neovim of ${OLDEST_NEOVIM} or newer here. ${INSTALL_HINT}`)
  return installed
}

async function installedInsteadOfFetched(reason: unknown): Promise<Neovim> {
  const what = reason instanceof Error ? reason.message : String(reason)
  const installed = await usableOnPath()
  if (!installed) throw new Error(`Neovim could not be fetched: ${what}\n${INSTALL_HINT}`, { cause: reason })
  process.stderr.write(`Testing with ${installed.path} (${installed.version}) only, since fetching failed: ${what}\n`)
  return installed
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { version, path } of await neovimsForTests()) process.stdout.write(`${version}\t${path}\n`)
}
