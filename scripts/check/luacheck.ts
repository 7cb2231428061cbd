// luacheck over our Lua, run by a Neovim (`nvim -l`): it comes from Debian's packages and needs no Lua of the system's.
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unpackedFromDebian } from '../debian.ts'
import { neovimsForTests } from '../neovim.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function runner(folder: string, libraries: string): string {
  return `local usr = "${folder}/usr"
package.path = usr .. "/share/lua/5.1/?.lua;" .. usr .. "/share/lua/5.1/?/init.lua;" .. package.path
package.cpath = usr .. "/lib/${libraries}/lua/5.1/?.so;" .. package.cpath
require("luacheck.main")
`
}

const folder = await unpackedFromDebian({
  name: 'luacheck',
  packages: ['lua-check'],
  recipe: 2,
  unneeded: /^(?!lua-)/, // its Lua files and its one C library
  finish: (made, target, { libraries }) => writeFile(join(made, 'run.lua'), runner(target, libraries)),
})
if (folder === undefined) {
  console.log('skipped: luacheck is fetched from Debian packages, and this system has no apt-get')
} else {
  // The C library is that of the suite whose Neovim is 0.10, so that Neovim runs it.
  const [neovim] = (await neovimsForTests()).filter(found => found.version.startsWith('0.10'))
  if (!neovim) throw new Error('no Neovim 0.10 to run luacheck with')
  const checked = spawnSync(
    neovim.path,
    ['-l', join(folder, 'run.lua'), 'lua', 'plugin', 'build.lua', '--quiet', '--no-color'],
    { cwd: root, encoding: 'utf8' },
  )
  process.stdout.write(`${checked.stdout}${checked.stderr}`)
  process.exitCode = checked.status ?? 1
}
