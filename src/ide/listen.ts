// Finds a free port on the loopback.
import { randomInt } from 'node:crypto'
import type { Server } from 'node:http'
import type { Clock } from '../base/clock.ts'
import { hasErrorCode, UserError } from '../base/errors.ts'
import { preferredPortMs, preferredPortPauseMs } from './limits.ts'

/** Both ends are ports that may be used. */
export interface PortRange {
  readonly min: number
  readonly max: number
}

/**
 * Listens on 127.0.0.1 and returns the port: the preferred one if there is any (a host that was started again waits
 * a little for the one before it), else from a random one in the range on, the next one when it is taken.
 * @throws {UserError} every port of the range is taken.
 */
export async function listen(
  server: Server,
  range: PortRange,
  preferredPort: number | undefined,
  clock: Clock,
): Promise<number> {
  if (preferredPort !== undefined && (await listenPatiently(server, preferredPort, clock))) return preferredPort
  const count = range.max - range.min + 1
  const start = randomInt(count)
  for (let step = 0; step < count; step += 1) {
    const port = range.min + ((start + step) % count)
    if (await tryToListen(server, port)) return port
  }
  throw new UserError(
    `Every port from ${range.min} to ${range.max} is taken. Give the option port_range a wider or another range.`,
  )
}

async function listenPatiently(server: Server, port: number, clock: Clock): Promise<boolean> {
  const deadline = clock.now() + preferredPortMs
  while (!(await tryToListen(server, port))) {
    if (clock.now() >= deadline) return false
    await new Promise<void>(resolve => clock.after(preferredPortPauseMs, resolve))
  }
  return true
}

/** False when the port is taken, or one that only the system may use. Any other fault is thrown. */
function tryToListen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => {
      server.off('listening', onListening)
      if (hasErrorCode(error, 'EADDRINUSE', 'EACCES')) resolve(false)
      else reject(error)
    }
    const onListening = () => {
      server.off('error', onError)
      resolve(true)
    }
    server.once('error', onError)
    server.once('listening', onListening)
    server.listen({ port, host: '127.0.0.1', exclusive: true })
  })
}
