// Downloads packages of any Debian suite with the system's apt-get, but never with the system's lists, cache or package
// status: everything lies in one temporary folder. Only the system's network settings (proxy, certificates, mirror) and its
// trust in keys are used.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Two lists of 10 MB and 12 MB of packages over a slow line; a stuck mirror must not look like a stuck test run for ever. */
const APT_TIMEOUT_MS = 10 * 60_000

/** What a system of Debian may call the suite that it is on, besides its code name. */
const ROLLING_NAMES = ['stable', 'oldstable', 'testing', 'unstable', 'sid']

/** Where the package debian-archive-keyring puts its keys. */
const KEYRING = 'usr/share/keyrings/debian-archive-keyring.gpg'

/** Which packages of which suite; everything they depend on comes along, as on an empty system. */
export interface Wanted {
  suite: string
  /** In Debian's words: `amd64`, `arm64`. */
  architecture: string
  packages: readonly string[]
}

/**
 * Downloads the packages and all their dependencies. Returns the paths of the .deb files, which lie in `folder`.
 *
 * Their signatures are checked with the keys that this system has from Debian, or, when those are missing or too old for
 * the suite, with the ones in the package debian-archive-keyring of the system's own sources, which the system's keys vouch for.
 */
export async function downloadPackages(folder: string, wanted: Wanted): Promise<string[]> {
  const mirror = process.env.DEBIAN_MIRROR || (await findMirror(folder))
  if (mirror === undefined) {
    throw new Error(
      'The package sources of this system name no mirror of Debian. Set DEBIAN_MIRROR to the address of one.',
    )
  }
  const installed = `/${KEYRING}`
  if (existsSync(installed)) {
    try {
      return await downloadFrom(mirror, installed, folder, wanted)
    } catch (error) {
      if (!isAboutKeys(error)) throw error
    }
  }
  return downloadFrom(mirror, await downloadKeyring(folder), folder, wanted)
}

async function downloadFrom(mirror: string, keyring: string, folder: string, wanted: Wanted): Promise<string[]> {
  const source = path.join(folder, 'debian.sources')
  await writeFile(
    source,
    `Types: deb\nURIs: ${mirror}\nSuites: ${wanted.suite}\nComponents: main\nTargets: Packages\nSigned-By: ${keyring}\n`,
  )
  const configuration = await configure(folder, 'debian', [
    setting('Dir::Etc::sourcelist', source),
    setting('Dir::Etc::sourceparts', '/dev/null'),
    // A pin that the system has for its own suite would hide packages of this one.
    setting('Dir::Etc::preferences', '/dev/null'),
    setting('Dir::Etc::preferencesparts', '/dev/null'),
    '#clear APT::Default-Release;',
    setting('APT::Architecture', wanted.architecture),
    '#clear APT::Architectures;',
    `APT::Architectures { "${wanted.architecture}"; };`,
  ])
  await aptGet(configuration, folder, 'update')
  await aptGet(
    configuration,
    folder,
    'install',
    '--download-only',
    '--no-install-recommends',
    '--yes',
    ...wanted.packages,
  )
  return debsIn(path.join(folder, 'debian', 'archives'))
}

/** The mirror that this system's packages come from, so that a nearer one, or a company's own, is respected. */
async function findMirror(folder: string): Promise<string | undefined> {
  const os = await readFile('/etc/os-release', 'utf8')
  if (!/^ID=debian$/m.test(os)) return undefined
  const suites = [...ROLLING_NAMES, /^VERSION_CODENAME=(.+)$/m.exec(os)?.[1] ?? '']
  // apt-get reads all of its formats of sources better than we would, and this asks nothing of the network.
  const uris = await aptGet(await configure(folder, 'system', []), folder, 'update', '--print-uris')
  for (const [, mirror, suite] of uris.matchAll(/^'(\S+?)\/dists\/([^\s/]+)\/InRelease'/gm)) {
    if (suite !== undefined && suites.includes(suite)) return mirror
  }
  return undefined
}

async function downloadKeyring(folder: string): Promise<string> {
  const configuration = await configure(folder, 'system', [])
  const target = path.join(folder, 'keyring')
  try {
    await aptGet(configuration, folder, 'update')
    await aptGet(configuration, folder, 'download', 'debian-archive-keyring')
    for (const deb of await debsIn(folder)) await run('dpkg', ['-x', deb, target])
  } catch (cause) {
    throw new Error("Debian's keys are missing or too old here. Install the newest package debian-archive-keyring.", {
      cause,
    })
  }
  return path.join(target, KEYRING)
}

/** Writes an apt.conf that is read after the system's own and keeps all that apt-get writes in `folder`/`name`. */
async function configure(folder: string, name: string, more: readonly string[]): Promise<string> {
  const own = (...parts: string[]) => path.join(folder, name, ...parts)
  await mkdir(own('lists', 'partial'), { recursive: true })
  await mkdir(own('archives', 'partial'), { recursive: true })
  // No package is installed: so every dependency is downloaded.
  await writeFile(own('status'), '')
  const file = own('apt.conf')
  const lines = [
    setting('Dir::State', own()),
    setting('Dir::State::lists', own('lists')),
    setting('Dir::State::status', own('status')),
    setting('Dir::Cache', own()),
    setting('Dir::Cache::archives', own('archives')),
    setting('Dir::Log', own()),
    setting('Acquire::Languages', 'none'),
    setting('Acquire::Retries', '2'),
    // Started as root, apt-get would download as a user who cannot enter our folder.
    setting('APT::Sandbox::User', 'root'),
    // Without it a mirror that cannot be reached is only a warning.
    setting('APT::Update::Error-Mode', 'any'),
    // What distributions hang in here refreshes the system's own catalogues.
    ...['Pre-Invoke', 'Post-Invoke', 'Post-Invoke-Success'].map(hook => `#clear APT::Update::${hook};`),
    ...more,
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  return file
}

function setting(name: string, value: string): string {
  return `${name} "${value}";`
}

async function aptGet(configuration: string, folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' }
  const options = { cwd: folder, env, timeout: APT_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 }
  try {
    return (await run('apt-get', ['-c', configuration, ...args], options)).stdout
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new Error(`apt-get ${args.join(' ')}: ${said || String(error)}`, { cause: error })
  }
}

function isAboutKeys(error: unknown): boolean {
  return error instanceof Error && /NO_PUBKEY|KEYEXPIRED|EXPKEYSIG|is not signed|Missing key/.test(error.message)
}

async function debsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter(name => name.endsWith('.deb')).map(name => path.join(folder, name))
}
