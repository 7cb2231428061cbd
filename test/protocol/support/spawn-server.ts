// Starts server-process.ts, with a well-behaved client that must never notice what others do to the server.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { ClaudeClient } from '../../support/claude-client.ts'

/** A server in a process of its own. */
export interface SpawnedServer {
  port: number
  token: string
  /** Everything that it logged. */
  log: string[]
  /** The most memory that it ever took, in MiB. */
  peak(): Promise<number>
  /**
   * Fails unless the well-behaved client, which was connected all the time, is still served, and the server has not
   * taken more memory than that since the last time.
   */
  expectUnharmed(options?: { mebibytes?: number }): Promise<void>
  stop(): Promise<void>
}

interface FromServer {
  line?: string
  port?: number
  token?: string
  peakKilobytes?: number
}

const usualGrowth = 32 // MiB: the noise of the garbage collector, far below any of the hostile messages

/** Starts it. */
export async function spawnServer(): Promise<SpawnedServer> {
  const child = fork(fileURLToPath(new URL('server-process.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
  const log: string[] = []
  const waiting: ((message: FromServer) => void)[] = []
  child.on('message', (message: FromServer) => {
    if (message.line === undefined) waiting.shift()?.(message)
    else log.push(message.line)
  })
  const nextAnswer = () => new Promise<FromServer>(resolve => waiting.push(resolve))
  const { port = 0, token = '' } = await nextAnswer()
  async function peak(): Promise<number> {
    child.send('peak')
    return ((await nextAnswer()).peakKilobytes ?? 0) / 1024
  }
  const bystander = await ClaudeClient.connect({ port, token })
  let lastPeak = await peak()
  return {
    port,
    token,
    log,
    peak,
    async expectUnharmed({ mebibytes = usualGrowth } = {}) {
      const answered = await bystander.callTool('echo', { text: 'still there?' })
      expect(answered.content).toEqual([{ type: 'text', text: '{"text":"still there?","times":1}' }])
      const now = await peak()
      expect(now - lastPeak, 'growth in MiB').toBeLessThan(mebibytes)
      lastPeak = now
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
