// The process entry: the host as a process of its own, or as a guest in Neovim's node provider.
import './base/no-jit.ts'
import { connect } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { createAdjustableLog, type Log, type LogLevel } from './base/log.ts'
import { connectEditor } from './neovim/editor.ts'
import { claimStdout } from './neovim/stdio.ts'
import { startProgram } from './start.ts'

const exitBudgetMs = 400 // lua/claudecode/host.lua waits this long for us when Neovim ends

/** Runs on a connection until Neovim goes away or asks for the end. Resolves when everything is let go. */
async function run(
  reader: Readable,
  writer: Writable,
  log: Log,
  setLevel: (level: LogLevel) => void,
  signal: AbortSignal,
): Promise<void> {
  const editor = await connectEditor(reader, writer, log)
  const asked = new Promise<void>(resolve => {
    editor.on('shutdown', z.unknown(), () => resolve())
    if (signal.aborted) resolve() // while Neovim was being asked who it is
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const program = await startProgram(editor, log, setLevel)
  await Promise.race([asked, editor.gone])
  program.removeLockNow()
  await program.dispose()
}

/** The host as a process of its own: msgpack-RPC on stdin and stdout, the log on stderr (lua/claudecode/host.lua). */
export function runOnStdio(): void {
  const { log, setLevel } = createAdjustableLog(text => process.stderr.write(`${text}\n`))
  const writer = claimStdout()
  const ending = new AbortController()

  function end(code: number): void {
    ending.abort()
    process.exitCode = code
    setTimeout(() => process.exit(code), exitBudgetMs).unref()
  }
  function fail(error: unknown): void {
    log.error('fatal', error)
    end(1)
  }
  process.on('SIGTERM', () => end(0))
  process.on('SIGINT', () => end(0))
  process.on('SIGHUP', () => end(0))
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  process.stderr.on('error', () => undefined) // Neovim is gone; the end of stdin says so too

  run(process.stdin, writer, log, setLevel, ending.signal).then(
    () => process.exit(),
    error => {
      log.error('fatal', error)
      process.exit(1)
    },
  )
}

/**
 * The host inside Neovim's node provider (rplugin/node/claudecode/index.js): a connection of its own to Neovim's address,
 * and no hold on the process, whose stderr Neovim drops. `write` takes the lines of the log. Resolves when the host has
 * ended, and rejects when it failed, which it has logged.
 */
export async function runOnSocket(address: string, write: (text: string) => void): Promise<void> {
  const { log, setLevel } = createAdjustableLog(write)
  const socket = connect(address)
  try {
    await run(socket, socket, log, setLevel, new AbortController().signal)
  } catch (error) {
    log.error('fatal', error)
    throw error
  } finally {
    socket.destroy() // by which Neovim notices, too
  }
}
