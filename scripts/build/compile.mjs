// Run by the build in a process of its own: loads the new bundle, which proves that it can be loaded, and keeps what V8
// compiled for that, with the bundle's id before it.
import { renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const target = fileURLToPath(new URL('../../dist/host.cjs.compiled', import.meta.url))
const unfinished = `${target}.${process.pid}`
const { id, script } = createRequire(import.meta.url)('../../rplugin/node/claudecode/bundle.js')
writeFileSync(unfinished, Buffer.concat([Buffer.from(id, 'latin1'), script.createCachedData()]))
renameSync(unfinished, target)
process.exit() // whatever the program may have begun by being loaded
