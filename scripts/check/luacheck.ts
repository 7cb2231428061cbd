// luacheck over our Lua, run by a Neovim (`nvim -l`): it comes from Debian's packages and needs no Lua of the system's.
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { downloadPackages } from '../neovim/apt.ts'
import { canFetchFromDebian } from '../neovim/fetch.ts'
import { neovimsForTests } from '../neovim.ts'

const run = promisify(execFile)
const suite = 'trixie'
const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'claudecode-node')
const installed = join(cache, `luacheck-${suite}`)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Its Lua files and its one C library, unpacked beside the system. */
async function install(): Promise<void> {
  if (existsSync(installed)) return
  await mkdir(cache, { recursive: true })
  const made = await mkdtemp(`${installed}.unfinished-`)
  const downloads = await mkdtemp(join(tmpdir(), 'claudecode-luacheck-'))
  try {
    const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
    const debs = await downloadPackages(downloads, { suite, architecture, packages: ['lua-check'] })
    for (const deb of debs.filter(name => /\/lua-[^/]*$/.test(name))) await run('dpkg', ['-x', deb, made])
    await writeFile(join(made, 'run.lua'), runner(process.arch === 'arm64' ? 'aarch64' : 'x86_64'))
    await rename(made, installed).catch(error => {
      if (!existsSync(installed)) throw error // else another run was faster
    })
  } finally {
    await rm(downloads, { recursive: true, force: true })
    await rm(made, { recursive: true, force: true })
  }
}

function runner(machine: string): string {
  return `local usr = "${installed}/usr"
package.path = usr .. "/share/lua/5.1/?.lua;" .. usr .. "/share/lua/5.1/?/init.lua;" .. package.path
package.cpath = usr .. "/lib/${machine}-linux-gnu/lua/5.1/?.so;" .. package.cpath
require("luacheck.main")
`
}

if (!canFetchFromDebian()) {
  console.log('skipped: luacheck is fetched from Debian packages, and this system has no apt-get')
} else {
  await install()
  // The C library is that of the suite whose Neovim is 0.10, so that Neovim runs it.
  const [neovim] = (await neovimsForTests()).filter(found => found.version.startsWith('0.10'))
  if (!neovim) throw new Error('no Neovim 0.10 to run luacheck with')
  const checked = spawnSync(
    neovim.path,
    ['-l', join(installed, 'run.lua'), 'lua', 'plugin', 'build.lua', '--quiet', '--no-color'],
    { cwd: root, encoding: 'utf8' },
  )
  process.stdout.write(`${checked.stdout}${checked.stderr}`)
  process.exitCode = checked.status ?? 1
}
