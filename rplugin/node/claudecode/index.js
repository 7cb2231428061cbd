// The remote plugin, in both senses: run by Neovim as a process of its own (lua/claudecode/host.lua), or required by
// Neovim's node provider. Plain CommonJS without modern syntax up to the version check, so that an old Node can say so.
'use strict'

var path = require('node:path')
var fs = require('node:fs')

var root = path.resolve(__dirname, '..', '..', '..')

// lua/claudecode/host.lua turns these exit codes into one sentence each.
var exitNodeTooOld = 71
var exitNotInstalled = 72

function isNodeTooOld() {
  var parts = process.versions.node.split('.').map(Number)
  return parts[0] < 20 || (parts[0] === 20 && parts[1] < 19)
}

/** Loads the program: the bundle, or, in a checkout that was never built, src/ through tsx. */
function loadProgram() {
  var bundle = path.join(root, 'dist', 'host.cjs')
  if (fs.existsSync(bundle)) return require(bundle)
  require('tsx/cjs')
  return require(path.join(root, 'src', 'start.ts'))
}

function runAsProcess() {
  if (isNodeTooOld()) {
    process.stderr.write(`Node ${process.versions.node} is too old\n`)
    process.exit(exitNodeTooOld)
  }
  // node-client would write to stdout with the first, and to a file of the user's with the second
  delete process.env.ALLOW_CONSOLE
  delete process.env.NVIM_NODE_LOG_FILE
  var program
  try {
    program = loadProgram()
  } catch (error) {
    process.stderr.write(`${(error && error.stack) || error}\n`)
    process.exit(error && error.code === 'MODULE_NOT_FOUND' ? exitNotInstalled : 1)
  }
  program.runOnStdio()
}

/** Neovim's node provider calls this with its plugin object (:help remote-plugin). */
function runInProvider(plugin) {
  plugin.setOptions({ dev: false })
  plugin.registerFunction(
    'ClaudeCodeHostStart',
    args => {
      loadProgram().runOnSocket(String(args[0]))
    },
    { sync: false },
  )
}

if (require.main === module) runAsProcess()
else module.exports = runInProvider
