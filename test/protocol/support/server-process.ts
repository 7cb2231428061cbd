// A server in a process of its own (see spawn-server.ts), so that a test can tell its memory from its own.
import { systemClock } from '../../../src/base/clock.ts'
import { createLog } from '../../../src/base/log.ts'
import { startIdeServer } from '../../../src/ide/server.ts'
import { createToken } from '../../../src/ide/token.ts'
import { echo, repeat } from './sample-tools.ts'

const token = createToken()
const server = await startIdeServer({
  portRange: { min: 20_000, max: 60_000 },
  token,
  tools: () => [echo, repeat],
  serverInfo: { name: 'test', version: '1.2.3' },
  log: createLog(
    line => process.send?.({ line }),
    () => 'trace',
  ),
  clock: systemClock,
})
process.on('message', () => process.send?.({ peakKilobytes: process.resourceUsage().maxRSS }))
process.on('disconnect', () => process.exit())
process.send?.({ port: server.port, token })
