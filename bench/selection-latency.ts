// From a moved cursor to the frame at Claude, beside the least that such a way can take: a notification to a bare Node
// process that passes it on over a WebSocket.
import { fileURLToPath } from 'node:url'
import { decodeMultiStream } from '@msgpack/msgpack'
import WebSocket, { WebSocketServer } from 'ws'
import { startTracking } from '../test/support/selection.ts'
import { type Figure, forEachNeovim, inMs, measureInTurns, median, printFigures } from './support.ts'

const rounds = 100
const limitMs = 10
const idleMs = 120 // longer than every timer of the tracking, so that each change is a first one

/** The bare process: `jobstart({rpc = true})` notifies it, and it passes on what it gets. */
async function runReference(): Promise<void> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await new Promise(resolve => server.once('listening', resolve))
  process.stderr.write(`${(server.address() as { port: number }).port}\n`)
  for await (const message of decodeMultiStream(process.stdin))
    for (const client of server.clients) client.send(JSON.stringify((message as unknown[])[2]))
}

/** ms on the clock of `vim.uv.hrtime()`. */
const now = () => Number(process.hrtime.bigint()) / 1e6

async function measure(): Promise<void> {
  await forEachNeovim(async neovim => {
    const lines = 'the quick brown fox jumps over the lazy dog\n'.repeat(1000)
    const tracking = await startTracking({ files: { 'a.txt': lines }, args: ['a.txt'] })
    const { nvim } = tracking
    const listener = await tracking.connect()
    try {
      // Before the plugin's own listener: its time counts too.
      await nvim.lua(`
        vim.cmd('autocmd! ClaudeCodeSelection')
        vim.api.nvim_create_autocmd('CursorMoved', { callback = function() _G.moved_at = vim.uv.hrtime() / 1e6 end })
        require('claudecode').setup({})`)
      await tracking.waitUntilTracked()
      await nvim.lua(
        `local node, file = ...
        _G.reference = vim.fn.jobstart({ node, '--import', 'tsx', file, '--reference' }, {
          rpc = true,
          cwd = vim.fs.dirname(vim.fs.dirname(file)),
          on_stderr = function(_, data)
            _G.port = _G.port or tonumber(data[1])
          end,
        })`,
        process.execPath,
        fileURLToPath(import.meta.url),
      )
      const socket = new WebSocket(`ws://127.0.0.1:${await nvim.waitFor<number>('_G.port', 'the bare process')}`)
      await new Promise(resolve => socket.once('open', resolve))

      const frame = () =>
        listener.claude
          .waitForNotification('selection_changed', () => true, { from: listener.claude.notifications.length })
          .then(now)
      const afterKeys = async (keys: string) => {
        await tracking.letTimePass(idleMs)
        const arrived = frame()
        await nvim.input(keys)
        const at = await arrived
        return at - (await nvim.lua<number>('return _G.moved_at'))
      }
      const times = await measureInTurns(
        {
          reference: async () => {
            await tracking.letTimePass(idleMs)
            const arrived = new Promise(resolve => socket.once('message', resolve)).then(now)
            const sent = await nvim.lua<number>(
              `local at = vim.uv.hrtime() / 1e6
              vim.rpcnotify(_G.reference, 'moved', 1, 2, 3)
              return at`,
            )
            return (await arrived) - sent
          },
          cursor: async () => {
            await nvim.feed('<Esc>gg')
            return afterKeys('j')
          },
          lines: async () => {
            await nvim.feed('<Esc>ggV50j')
            return afterKeys('j')
          },
        },
        rounds,
      )
      const reference = median(times.reference)
      const figure = (what: string, values: number[]): Figure => ({
        what,
        value: inMs(median(values)),
        ratio: `${(median(values) / reference).toFixed(2)} × the bare way`,
        goal: { text: `≤ ${limitMs} ms`, met: median(values) <= limitMs },
      })
      printFigures(`Selection, Neovim ${neovim.version}: from the event to the frame at Claude`, [
        { what: 'bare rpcnotify, Node, WebSocket', value: inMs(reference) },
        figure('the cursor', times.cursor),
        figure('50 selected lines', times.lines),
      ])
      socket.close()
    } finally {
      await listener.claude.close()
      await nvim.close()
    }
  })
}

await (process.argv.includes('--reference') ? runReference() : measure())
