// Loads dist/host.cjs with what V8 made of it when it was built (scripts/build/compile.mjs): compiling is half of the time that
// loading takes. V8 refuses what another version of Node made; then this is as slow as require().
'use strict'

const fs = require('node:fs')
const { createRequire } = require('node:module')
const path = require('node:path')
const vm = require('node:vm')

const file = path.resolve(__dirname, '..', '..', '..', 'dist', 'host.cjs')
const source = fs.readFileSync(file, 'latin1') // the build sees to it that it is ASCII, and has no import()
const id = source.slice(2, 18) // the first line is a comment with the build's own id

/** What was compiled, when it was of this very file: V8 itself compares no more than the length. */
function readCompiled() {
  try {
    const bytes = fs.readFileSync(`${file}.compiled`)
    return bytes.toString('latin1', 0, id.length) === id ? bytes.subarray(id.length) : undefined
  } catch {
    return undefined // not there, or not to be read: it only saves time
  }
}

const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) { ${source}\n})`, {
  filename: file,
  cachedData: readCompiled(),
})
const loaded = { exports: {} }
script.runInThisContext()(loaded.exports, createRequire(file), loaded, file, path.dirname(file))

module.exports = { program: loaded.exports, id, script, usesCompiled: script.cachedDataRejected === false }
