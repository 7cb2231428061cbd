// A server in this process, with tools, time and log in the hands of the test.
import { type Clock, systemClock } from '../../../src/base/clock.ts'
import { createLog } from '../../../src/base/log.ts'
import { type IdeServer, type IdeServerOptions, startIdeServer } from '../../../src/ide/server.ts'
import { createToken } from '../../../src/ide/token.ts'
import type { Tool } from '../../../src/ide/tool.ts'
import { atTestEnd } from '../../support/at-test-end.ts'
import { ClaudeClient } from '../../support/claude-client.ts'
import { RawClient } from '../../support/raw-client.ts'
import { echo } from './sample-tools.ts'

/** A server and what is needed to talk to it. */
export interface TestServer {
  server: IdeServer
  port: number
  token: string
  /** Everything that was logged, at the most talkative level. */
  log: string[]
  /** A client after the whole handshake. */
  connect(): Promise<ClaudeClient>
  /** A WebSocket that has said nothing yet. */
  connectRaw(): Promise<RawClient>
}

/** Starts a server that ends with the test. */
export async function startTestServer(
  options: Partial<Omit<IdeServerOptions, 'tools' | 'clock'>> & { tools?: Tool[]; clock?: Clock } = {},
): Promise<TestServer> {
  const { tools = [echo], clock = systemClock, token = createToken(), ...rest } = options
  const lines: string[] = []
  const server = await startIdeServer({
    portRange: { min: 20_000, max: 60_000 },
    serverInfo: { name: 'test', version: '1.2.3' },
    log: createLog(
      line => lines.push(line),
      () => 'trace',
    ),
    ...rest,
    token,
    clock,
    tools: () => tools,
  })
  await atTestEnd(() => server.dispose())
  const { port } = server
  return {
    server,
    port,
    token,
    log: lines,
    connect: () => ClaudeClient.connect({ port, token }),
    connectRaw: () => RawClient.upgrade(port, token),
  }
}
