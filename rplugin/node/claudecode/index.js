// The remote plugin, in both senses: run by Neovim as a process of its own (lua/claudecode/host/process.lua), or required
// by Neovim's node provider (lua/claudecode/host/provider.lua). Plain ES5, so that any old Node can say that it is too old.
// biome-ignore-all lint/style/useNodejsImportProtocol: Node before 14.18 does not know it
// biome-ignore-all lint/complexity/useArrowFunction: ES5
// biome-ignore-all lint/style/useTemplate: ES5
// biome-ignore-all lint/suspicious/noRedundantUseStrict: a CommonJS file is not a module
'use strict'

var fs = require('fs')
var path = require('path')

var root = path.resolve(__dirname, '..', '..', '..')

// lua/claudecode/host.lua turns these exit codes into one sentence each.
var exitFailed = 1
var exitNodeTooOld = 71
var exitNotInstalled = 72

function isNodeTooOld() {
  var parts = process.versions.node.split('.').map(Number)
  return parts[0] < 20 || (parts[0] === 20 && parts[1] < 19)
}

/** The program: the bundle, or, in a checkout that was never built, a promise of src/ through tsx. */
function loadProgram() {
  var isBuilt = fs.existsSync(path.join(root, 'dist', 'host.cjs'))
  return isBuilt ? require('./bundle.js').program : require('./from-source.js')
}

/** Calls back once: with the program, or with an exit code and the reason. */
function withProgram(run, fail) {
  function failed(error) {
    var isMissing = error && /^(ERR_)?MODULE_NOT_FOUND$/.test(error.code)
    fail(isMissing ? exitNotInstalled : exitFailed, (error && error.stack) || String(error))
  }
  var program
  if (isNodeTooOld()) return fail(exitNodeTooOld, 'Node ' + process.versions.node + ' is too old')
  try {
    program = loadProgram()
  } catch (error) {
    return failed(error)
  }
  if (program instanceof Promise) program.then(run, failed)
  else run(program)
}

function runAsProcess() {
  // node-client would write to stdout with the first, and to a file of the user's with the second
  delete process.env.ALLOW_CONSOLE
  delete process.env.NVIM_NODE_LOG_FILE
  // stdout belongs to msgpack-RPC; what a package prints while it is loaded goes to the log
  var write = process.stdout.write
  process.stdout.write = process.stderr.write.bind(process.stderr)
  withProgram(
    function (program) {
      process.stdout.write = write
      program.runOnStdio()
    },
    function (code, reason) {
      fs.writeSync(2, reason + '\n') // at once: the process ends with the next line
      process.exit(code)
    },
  )
}

/** Neovim's node provider calls this with its plugin object (:help remote-plugin). The process is not ours: it must not end. */
function runInProvider(plugin) {
  function callLua(code, args) {
    // When Neovim is gone there is nobody left to tell.
    plugin.nvim.lua(code, args).catch(function () {})
  }
  function log(text) {
    callLua('require("claudecode.log").add_output(...)', [text.split('\n').concat('')])
  }
  function start(args) {
    var address = String(args[0])
    function ended(code) {
      callLua('require("claudecode.host.provider").ended(...)', [args[1], code])
    }
    withProgram(
      function (program) {
        program.runOnSocket(address, log).then(
          function () {
            ended(0)
          },
          function () {
            ended(exitFailed) // the program has logged the reason
          },
        )
      },
      function (code, reason) {
        log(reason)
        ended(code)
      },
    )
  }
  plugin.setOptions({ dev: false })
  plugin.registerFunction('ClaudeCodeHostStart', start, { sync: false })
}

if (require.main === module) runAsProcess()
else module.exports = runInProvider
