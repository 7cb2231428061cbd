// The IDE server: who is connected, and what all of them are told.
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { Emitter, type Event } from '../base/emitter.ts'
import type { Log } from '../base/log.ts'
import type { Client } from './client.ts'
import type { Connection } from './connection.ts'
import { openDoor } from './door.ts'
import { keepAlive } from './keep-alive.ts'
import { maxClients, shutdownMs } from './limits.ts'
import type { PortRange } from './listen.ts'
import type { Tool } from './tool.ts'

/** What the server is made of. */
export interface IdeServerOptions {
  portRange: PortRange
  /** Tried first, for a while: the port of the host before this one, where its clients look for it. */
  preferredPort?: number
  token: string
  /** Clients that come earlier wait for it before they are let in. */
  openFrom?: Promise<unknown>
  /** Asked at each `tools/list` and `tools/call`. */
  tools: () => readonly Tool[]
  serverInfo: { name: string; version: string }
  log: Log
  clock: Clock
}

/** A server that listens. */
export interface IdeServer extends Disposable {
  readonly port: number
  /** All clients, ready or not, the oldest first. */
  readonly clients: readonly Client[]
  /** A client has said `notifications/initialized` and may be told things; once for each. */
  readonly clientReady: Event<Client>
  /**
   * A client, ready for a moment, now takes in what it is told; once for each. The CLI loses what comes earlier: state
   * (the selection) is worth telling again, events (mentions) are worth keeping until now.
   */
  readonly clientListening: Event<Client>
  /** A client is gone, whoever ended it, ready or not; once for each, also when the server ends. */
  readonly clientGone: Event<Client>
  /** A client has said `ide_connected`. */
  readonly ideConnected: Event<Client>
  /** Sends a notification to every ready client. */
  broadcast(method: string, params: Record<string, unknown>): void
  /** Sends what has been answered, aborts what runs, lets every client go with 1001, and is done within 200 ms. */
  dispose(): Promise<void>
}

/**
 * Starts the server on 127.0.0.1.
 * @example
 * const server = await startIdeServer({ portRange: { min: 10000, max: 65535 }, token: createToken(), tools: () => [],
 *   serverInfo: { name: 'my-editor', version: '1.0.0' }, log, clock: systemClock })
 * server.clientReady(client => client.notify('selection_changed', selection))
 * @throws {UserError} no port of the range is free.
 */
export async function startIdeServer(options: IdeServerOptions): Promise<IdeServer> {
  const { portRange, preferredPort, token, log, clock } = options
  log.hide(token)
  const onError = (error: unknown) => log.error('a listener of the server failed', error)
  const clientReady = new Emitter<Client>(onError)
  const clientListening = new Emitter<Client>(onError)
  const clientGone = new Emitter<Client>(onError)
  const ideConnected = new Emitter<Client>(onError)
  const connections = new Set<Connection>() // until their sockets are closed, which is a little after they are gone
  const clients = () => [...connections].filter(connection => !connection.isGone)
  let lastId = 0
  let ending: Promise<void> | undefined
  let ConnectionClass: typeof Connection | undefined

  const door = await openDoor({
    portRange,
    preferredPort,
    token,
    log,
    clock,
    hasRoom: () => ending === undefined && connections.size < maxClients,
    // With the first client: the MCP library takes a third of the start-up time, and the lock file shall not wait for it.
    async prepare() {
      await options.openFrom
      ConnectionClass ??= (await import('./connection.ts')).Connection
    },
    admit(socket) {
      if (ConnectionClass === undefined) throw new Error('a client was admitted before the door was prepared')
      lastId += 1
      log.info(`client ${lastId} has connected`)
      const connection = new ConnectionClass({
        ...options,
        id: lastId,
        socket,
        onReady: client => clientReady.emit(client),
        onListening: client => clientListening.emit(client),
        onIdeConnected: client => ideConnected.emit(client),
        onGone: client => clientGone.emit(client),
        onClosed: closed => connections.delete(closed),
      })
      connections.add(connection)
    },
  })
  const pulse = keepAlive(() => connections, clock)

  async function end(): Promise<void> {
    pulse.dispose()
    const closed = door.close()
    await new Promise(resolve => setImmediate(resolve)) // what was answered just now reaches its socket first
    for (const connection of connections) connection.close(1001, 'Neovim lets go')
    const impatience = clock.after(shutdownMs, door.cutAll)
    await closed
    impatience.dispose()
  }

  return {
    port: door.port,
    get clients() {
      return clients()
    },
    clientReady: clientReady.event,
    clientListening: clientListening.event,
    clientGone: clientGone.event,
    ideConnected: ideConnected.event,
    broadcast(method, params) {
      for (const client of clients()) if (client.isReady) client.notify(method, params)
    },
    dispose: () => (ending ??= end()),
  }
}
