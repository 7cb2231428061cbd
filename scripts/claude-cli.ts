// The real Claude Code CLI for the end-to-end tests: fetched once from npm into the user's cache. Never a dependency of the plugin.
import { execFile } from 'node:child_process'
import { access, constants, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The version that the protocol was measured with; another one may look different on the screen. */
const claudeVersion = '2.1.332'

/** The file whose presence says that a cached installation is whole. It is written last, before the folder gets its final name. */
const completionMarker = 'complete'

/** npm needs seconds for the 380 MB; a slow line gets this long before the tests say why they can't start. Milliseconds. */
const installDeadline = 10 * 60_000

/** The first start of the binary reads all of it from disk. Milliseconds. */
const firstStartDeadline = 60_000

/** A temporary installation older than this belongs to a process that was killed. Milliseconds. */
const abandonedAfter = 60 * 60_000

/** An installed CLI: the absolute path of its binary, and its version. */
export interface ClaudeCli {
  readonly path: string
  readonly version: string
}

/**
 * Finds the CLI in the cache, or installs it there (`$XDG_CACHE_HOME` or `~/.cache`, below `claudecode-node/`).
 * Needs the network only the first time. Any number of processes may call it at once: each installs into a folder of its own, and the first to
 * be done gives its folder the final name.
 */
export async function claudeCli(): Promise<ClaudeCli> {
  const cache = join(cacheHome(), 'claudecode-node')
  const folder = join(cache, `claude-${claudeVersion}`)
  const packageName = platformPackage()
  const binary = join('node_modules', packageName, process.platform === 'win32' ? 'claude.exe' : 'claude')
  const cli = { path: join(folder, binary), version: claudeVersion }
  if (await isComplete(folder, binary)) return cli

  await mkdir(cache, { recursive: true })
  await removeAbandoned(cache)
  const temporary = await mkdtemp(join(cache, temporaryPrefix))
  try {
    await install(temporary, packageName, binary)
    await putInPlace(temporary, folder, binary)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
  return cli
}

/** Not a key: the CLI wants one to be there, and the stand-in for the model asks for none. */
export const dummyApiKey = 'sk-ant-local-0000000000000000'

/**
 * The whole environment for running the CLI: it sees no other home, configuration, key or address than these, and nothing of this process's
 * environment but where programs are. `modelUrl` must be on 127.0.0.1.
 */
export function isolatedEnvironment(at: {
  home: string
  configFolder: string
  modelUrl: string
}): Record<string, string> {
  if (new URL(at.modelUrl).hostname !== '127.0.0.1')
    throw new Error(`The CLI may only talk to this machine, not to ${at.modelUrl}.`)
  return {
    PATH: process.env.PATH ?? '',
    TMPDIR: at.home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    HOME: at.home,
    CLAUDE_CONFIG_DIR: at.configFolder,
    ANTHROPIC_API_KEY: dummyApiKey,
    ANTHROPIC_BASE_URL: at.modelUrl,
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
}

const temporaryPrefix = `.claude-${claudeVersion}-`

/** The XDG base directory specification ignores a variable that is empty or relative. */
function cacheHome(): string {
  const chosen = process.env.XDG_CACHE_HOME ?? ''
  return isAbsolute(chosen) ? chosen : join(homedir(), '.cache')
}

/** The npm package that holds nothing but this platform's binary. */
function platformPackage(): string {
  const report = process.platform === 'linux' ? (process.report.getReport() as { header: object }) : undefined
  const isMusl = report !== undefined && !('glibcVersionRuntime' in report.header)
  return `@anthropic-ai/claude-code-${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`
}

async function isComplete(folder: string, binary: string): Promise<boolean> {
  try {
    await access(join(folder, completionMarker))
    await access(join(folder, binary), constants.X_OK)
    return true
  } catch {
    return false // not there, or not whole: both mean "install it"
  }
}

async function install(folder: string, packageName: string, binary: string): Promise<void> {
  const what = `${packageName}@${claudeVersion}`
  // The package's own script would only link the binary to where a global installation wants it.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--no-package-lock', '--loglevel=error']
  try {
    await run('npm', ['install', '--prefix', folder, ...flags, what], { cwd: folder, timeout: installDeadline })
  } catch (error) {
    throw new Error(`The Claude CLI for the end-to-end tests can't be installed: npm install ${what} failed.`, {
      cause: error,
    })
  }
  await checkVersion(join(folder, binary), folder)
  await writeFile(join(folder, completionMarker), `${claudeVersion}\n`)
}

/** A binary that does not start here (wrong libc, truncated download) must not count as installed. */
async function checkVersion(path: string, folder: string): Promise<void> {
  const home = join(folder, 'home')
  await mkdir(home)
  const env = isolatedEnvironment({ home, configFolder: home, modelUrl: 'http://127.0.0.1:9' })
  const { stdout } = await run(path, ['--version'], { env, cwd: home, timeout: firstStartDeadline })
  await rm(home, { recursive: true, force: true })
  if (!stdout.startsWith(`${claudeVersion} `))
    throw new Error(`The Claude CLI at ${path} says it is ${stdout.trim()}, not ${claudeVersion}.`)
}

/** Renames `temporary` to `folder`, unless another process was quicker. What is there but not whole is thrown away. */
async function putInPlace(temporary: string, folder: string, binary: string): Promise<void> {
  try {
    await rename(temporary, folder)
  } catch (error) {
    if (await isComplete(folder, binary)) return
    await rm(folder, { recursive: true, force: true })
    await rename(temporary, folder).catch(async () => {
      if (!(await isComplete(folder, binary))) throw error
    })
  }
}

async function removeAbandoned(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith(temporaryPrefix)) continue
    const path = join(cache, name)
    const found = await stat(path).catch(() => undefined) // its owner may be done with it by now
    if (found && Date.now() - found.mtimeMs > abandonedAfter) await rm(path, { recursive: true, force: true })
  }
}
