// The server and its lock file as one thing that can be started and stopped again, with events that outlive a stop.
import type { Clock } from '../base/clock.ts'
import { DisposableStack } from '../base/disposable.ts'
import { Emitter, type Event } from '../base/emitter.ts'
import type { Log } from '../base/log.ts'
import { createTurns } from '../base/turns.ts'
import type { Client } from './client.ts'
import { sweepDeadLocks } from './dead-locks.ts'
import { LockFile } from './lock-file.ts'
import { type IdeServer, startIdeServer } from './server.ts'
import { createToken } from './token.ts'
import type { Tool } from './tool.ts'

/** What the service is made of. Port and token, when there are any, are those of the host before this one. */
export interface IdeServiceOptions {
  portRange: { min: number; max: number }
  port: number | undefined
  token: string | undefined
  /** Neovim's process id: it lives as long as the port does. */
  processId: number
  lockFolder: string
  /** What Neovim is called, given its folders. */
  ideName: (folders: readonly string[]) => string
  serverInfo: { name: string; version: string }
  tools: () => readonly Tool[]
  /** Clients are let in from then on: they may find the lock file a little earlier. */
  openFrom: () => Promise<unknown>
  log: Log
  clock: Clock
}

/** What a running server is known by. */
export interface Serving {
  port: number
  token: string
  lockFile: string
}

interface Running extends Serving {
  server: IdeServer
  lock: LockFile
  parts: DisposableStack
}

/** The IDE side of the protocol: a WebSocket server that Claude finds through a lock file. */
export class IdeService {
  readonly #options: IdeServiceOptions
  readonly #clientReady: Emitter<Client>
  readonly #clientListening: Emitter<Client>
  readonly #clientGone: Emitter<Client>
  readonly #ideConnected: Emitter<Client>
  readonly #token: string
  #port: number | undefined
  #folders: readonly string[]
  #running: Running | undefined
  /** Starts and stops wait for each other. */
  readonly #inTurn = createTurns()

  constructor(options: IdeServiceOptions, folders: readonly string[]) {
    const onError = (error: unknown) => options.log.error('a listener of the server failed', error)
    this.#options = options
    this.#clientReady = new Emitter(onError)
    this.#clientListening = new Emitter(onError)
    this.#clientGone = new Emitter(onError)
    this.#ideConnected = new Emitter(onError)
    this.#token = options.token ?? createToken()
    this.#port = options.port
    this.#folders = folders
    options.log.hide(this.#token)
  }

  /** A client has finished its handshake and may be told things. */
  get clientReady(): Event<Client> {
    return this.#clientReady.event
  }

  /** A client takes in what it is told, which the CLI does only a moment after it is ready. */
  get clientListening(): Event<Client> {
    return this.#clientListening.event
  }

  /** A client's connection has ended; once for each client. */
  get clientGone(): Event<Client> {
    return this.#clientGone.event
  }

  /** A client has said `ide_connected`. */
  get ideConnected(): Event<Client> {
    return this.#ideConnected.event
  }

  /** The clients that have finished their handshake. */
  get readyClients(): readonly Client[] {
    return this.#running?.server.clients.filter(client => client.isReady) ?? []
  }

  /** Where its lock file lies when it runs. */
  get lockFolder(): string {
    return this.#options.lockFolder
  }

  /** Where it listens; undefined while it is stopped. */
  get serving(): Serving | undefined {
    return this.#running
  }

  /** Sends a notification to every ready client. */
  broadcast(method: string, params: Record<string, unknown>): void {
    for (const client of this.readyClients) client.notify(method, params)
  }

  /**
   * Listens and writes the lock file. Does nothing when it runs already. A second start uses the port and the token of
   * the first, so that a Claude that lost its connection finds back.
   * @throws {UserError} no port is free, or the folder of the lock files can't be written.
   */
  start(): Promise<Serving> {
    return this.#inTurn(async () => {
      this.#running ??= await this.#startUp()
      return this.#running
    })
  }

  /** Lets all clients go and removes the lock file. */
  stop(): Promise<void> {
    return this.#inTurn(async () => {
      const running = this.#running
      this.#running = undefined
      await running?.parts.dispose()
    })
  }

  /** The workspace has other folders now, or Neovim another name: the lock file says so too. */
  setFolders(folders: readonly string[]): void {
    this.#folders = folders
    this.#running?.lock.update({ workspaceFolders: [...folders], ideName: this.#options.ideName(folders) })
  }

  /** Removes the lock file at once, without waiting for anything: the first step of every exit. */
  removeLockNow(): void {
    this.#running?.lock.removeNow()
  }

  async #startUp(): Promise<Running> {
    const { portRange, serverInfo, tools, openFrom, log, clock, lockFolder, processId } = this.#options
    const parts = new DisposableStack()
    try {
      const server = parts.add(
        await startIdeServer({
          portRange,
          ...(this.#port === undefined ? {} : { preferredPort: this.#port }),
          token: this.#token,
          tools,
          serverInfo,
          openFrom: openFrom(),
          log,
          clock,
        }),
      )
      parts.add(server.clientReady(client => this.#clientReady.emit(client)))
      parts.add(server.clientListening(client => this.#clientListening.emit(client)))
      parts.add(server.ideConnected(client => this.#ideConnected.emit(client)))
      server.clientGone(client => this.#clientGone.emit(client)) // kept to the end: closing the server says so too
      const lock = parts.add(
        await LockFile.create({
          folder: lockFolder,
          port: server.port,
          processId,
          workspaceFolders: [...this.#folders],
          ideName: this.#options.ideName(this.#folders),
          token: this.#token,
          log,
          clock,
        }),
      )
      await sweepDeadLocks(lockFolder, log) // after our own, for which Claude may be looking
      this.#port = server.port
      log.info(`listening on port ${server.port}`)
      return { server, lock, parts, port: server.port, token: this.#token, lockFile: lock.path }
    } catch (error) {
      await parts.dispose()
      throw error
    }
  }
}
