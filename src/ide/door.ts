// The door of the server: HTTP requests on the loopback, of which only the right ones become WebSockets.
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { inBackground, type Log } from '../base/log.ts'
import { refusalOf } from './auth.ts'
import { handshakeMs, maxHeaderBytes, maxMessageBytes, maxSockets } from './limits.ts'
import { listen, type PortRange } from './listen.ts'

/** What the door is made of. */
export interface DoorOptions {
  portRange: PortRange
  preferredPort: number | undefined
  token: string
  /** False when there is room for no more clients. */
  hasRoom(): boolean
  /** Gets what `admit` needs, before the first upgrade is answered. */
  prepare(): Promise<void>
  admit(socket: WebSocket): void
  log: Log
  clock: Clock
}

/** A door that is open. */
export interface Door {
  readonly port: number
  /** Lets nobody in any more. Resolves when the last socket is closed, which `cutAll` can hasten. */
  close(): Promise<void>
  /** Cuts every socket that is left. */
  cutAll(): void
}

/**
 * Listens on 127.0.0.1 and admits WebSockets that carry the token. Everybody else gets a bare status.
 * @throws {UserError} no port of the range is free.
 */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const { token, log, clock } = options
  const limits = new Map<Duplex, Disposable>() // all open sockets, each with its limit on the time before the upgrade
  const http = createServer({ maxHeaderSize: maxHeaderBytes })
  http.maxConnections = maxSockets
  // No compression, although the CLI offers it: on the loopback it costs time and memory and saves nothing, and
  // without it no small message can grow into a big one.
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handleProtocols: protocols => (protocols.has('mcp') ? 'mcp' : false),
  })

  http.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy()) // a peer that went away is no fault
    const limit = clock.after(handshakeMs, () => socket.destroy())
    limits.set(socket, limit)
    socket.once('close', () => {
      limit.dispose()
      limits.delete(socket)
    })
  })
  http.on('request', (request, response) => {
    const status = statusOfRefusal(request) ?? 426
    response.sendDate = false
    response.writeHead(status, refusalHeaders(status)).end()
  })
  http.on('upgrade', (request, socket, head) => inBackground(log, upgrade(request, socket, head), 'an upgrade'))

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (statusOfRefusal(request) === undefined) await options.prepare()
    const status = statusOfRefusal(request) // again: there may be less room by now
    if (status !== undefined) {
      const headers = Object.entries(refusalHeaders(status)).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n`)
      return
    }
    webSockets.handleUpgrade(request, socket, head, webSocket => {
      limits.get(socket)?.dispose()
      options.admit(webSocket)
    })
  }

  function statusOfRefusal(request: IncomingMessage): number | undefined {
    const refusal = refusalOf(request, token)
    if (refusal === undefined && options.hasRoom()) return undefined
    const { status, reason } = refusal ?? { status: 503, reason: 'no room for another client' }
    log.warn(`refused a request with ${status}: ${reason}`)
    return status
  }

  const port = await listen(http, options.portRange, options.preferredPort, clock)
  http.on('error', error => log.error('the server failed', error))

  function cutAll(): void {
    for (const socket of limits.keys()) socket.destroy()
  }
  return { port, close: () => new Promise(resolve => http.close(() => resolve())), cutAll }
}

/** No word that isn't needed: whoever is refused learns the status, and which protocol an upgrade must ask for. */
function refusalHeaders(status: number): OutgoingHttpHeaders {
  const bare = { 'Content-Length': 0 }
  if (status !== 426) return { Connection: 'close', ...bare }
  return { Connection: 'close, Upgrade', Upgrade: 'websocket', ...bare } // RFC 9110, section 15.5.22
}
