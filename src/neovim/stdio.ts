// stdout belongs to msgpack-RPC. Whatever else wants to write there goes to stderr, which Lua keeps for :ClaudeCodeLog.
import { Writable } from 'node:stream'

/**
 * Takes stdout for RPC: returns the only stream that still reaches it, and sends all other writes (a dependency's
 * `console.log`, for one) to stderr. node-client replaces `console`, never `process.stdout.write`.
 */
export function claimStdout(): Writable {
  process.stdout.on('error', () => undefined) // Neovim is gone; the returned stream's owner hears of it too
  const toPipe = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
  return new Writable({
    write(chunk, encoding, callback) {
      toPipe(chunk, encoding, error => callback(error))
    },
    final(callback) {
      process.stdout.end(callback)
    },
  })
}
