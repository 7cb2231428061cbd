// One WebSocket connection, which is one client.
import { isUtf8 } from 'node:buffer'
import type { RawData, WebSocket } from 'ws'
import type { Clock } from '../base/clock.ts'
import { type Disposable, onDispose } from '../base/disposable.ts'
import type { Client } from './client.ts'
import type { Pulse } from './keep-alive.ts'
import { closeMs, initializeMs, listeningMs, maxUnreadBytes, unlistedMs } from './limits.ts'
import { type McpSessionOptions, openSession } from './mcp-session.ts'
import { McpTransport } from './mcp-transport.ts'

/** What a connection is made of, and whom it tells. */
export interface ConnectionOptions extends Pick<McpSessionOptions, 'tools' | 'serverInfo' | 'log'> {
  id: number
  socket: WebSocket
  clock: Clock
  onReady(connection: Connection): void
  /** What the client is told from now on, it takes in. */
  onListening(connection: Connection): void
  onIdeConnected(connection: Connection): void
  /** The client is gone, once: its calls are aborted, and nothing that it sends counts any more. */
  onGone(connection: Connection): void
  /** The socket is closed, once, after `onGone`. */
  onClosed(connection: Connection): void
}

/**
 * A client, from the upgrade to the end. It is gone as soon as either side has decided so; the socket may take a
 * little longer (`closeMs`).
 */
export class Connection implements Client, Pulse {
  readonly id: number
  lastHeard: number
  readonly #options: ConnectionOptions
  readonly #socket: WebSocket
  readonly #transport: McpTransport
  #hasInitialized = false
  #isInitialized = false
  #hasListed = false
  #isListening = false
  #isGone = false
  #processId: number | undefined
  /** What the connection waits for: `initialize`, then that the client listens, at last the end of the socket. */
  #timer: Disposable = onDispose(() => undefined)

  constructor(options: ConnectionOptions) {
    const { id, socket, clock, log } = options
    this.id = id
    this.lastHeard = clock.now()
    this.#options = options
    this.#socket = socket
    this.#transport = new McpTransport({
      write: text => this.#write(text),
      onInitialize: () => {
        if (!this.#hasInitialized) this.#timer.dispose()
        this.#hasInitialized = true
      },
      log,
    })
    openSession({
      ...options,
      client: this,
      transport: this.#transport,
      onReady: () => this.#becomeReady(),
      onToolsListed: () => {
        if (this.#hasListed) return
        this.#hasListed = true
        this.#awaitListening()
      },
      onIdeConnected: processId => {
        this.#processId = processId
        options.onIdeConnected(this)
      },
    })
    this.#awaitInitialize()
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('ping', () => this.#hear())
    socket.on('pong', () => this.#hear())
    socket.on('error', error => this.#end(error.message)) // a faulty frame or a dead peer; `ws` closes with the right code
    socket.on('close', code => {
      this.#end(`closed with ${code}`)
      this.#timer.dispose()
      options.onClosed(this)
    })
  }

  get isReady(): boolean {
    return this.#isInitialized && !this.#isGone
  }

  /** Whether either side has ended it. */
  get isGone(): boolean {
    return this.#isGone
  }

  get processId(): number | undefined {
    return this.#processId
  }

  notify(method: string, params: Record<string, unknown>): void {
    this.#transport.notify(method, params)
  }

  ping(): void {
    if (!this.#isGone) this.#socket.ping()
  }

  /** Cuts the socket of a client that gives no sign of life. */
  giveUp(): void {
    this.#socket.terminate()
    this.#end('no sign of life')
  }

  /** Lets the client go with a close frame. The socket is cut when the other side does not answer in time. */
  close(code: number, reason: string): void {
    if (this.#isGone) return
    this.#socket.close(code, reason)
    this.#end(reason)
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isGone) return
    this.#hear()
    if (!this.#hasInitialized) this.#awaitInitialize()
    const bytes = data as Buffer // what `ws` gives unless told otherwise
    // A JSON text in a binary frame is as good as in a text frame, whose UTF-8 `ws` has checked.
    if (isBinary && !isUtf8(bytes)) this.close(1007, 'not UTF-8')
    else this.#transport.receive(bytes.toString())
  }

  #hear(): void {
    this.lastHeard = this.#options.clock.now()
  }

  #awaitInitialize(): void {
    this.#timer.dispose()
    this.#timer = this.#options.clock.after(initializeMs, () => this.close(1008, 'no initialize'))
  }

  #becomeReady(): void {
    if (this.#isInitialized || this.#isGone) return
    this.#isInitialized = true
    this.#options.onReady(this)
    this.#awaitListening()
  }

  #awaitListening(): void {
    if (!this.isReady || this.#isListening) return
    this.#timer.dispose()
    this.#timer = this.#options.clock.after(this.#hasListed ? listeningMs : unlistedMs, () => {
      this.#isListening = true
      this.#options.onListening(this)
    })
  }

  #write(text: string): void {
    if (this.#isGone) return
    if (this.#socket.bufferedAmount > maxUnreadBytes) {
      this.#socket.terminate()
      this.#end('stopped reading')
    } else this.#socket.send(text, () => undefined) // a failure ends the connection, which is an event of its own
  }

  #end(reason: string): void {
    if (this.#isGone) return
    this.#isGone = true
    const { clock, log } = this.#options
    log.info(`client ${this.id} is gone: ${reason}`)
    this.#timer.dispose()
    this.#timer = clock.after(closeMs, () => this.#socket.terminate())
    void this.#transport.close()
    this.#options.onGone(this)
  }
}
