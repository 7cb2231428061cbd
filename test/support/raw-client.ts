// A client that does not behave: any bytes, any frames, and no more manners than the test wants.
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

const timeoutMs = 10_000 // a deadline for the tests

/** The head of an HTTP answer. */
export interface HttpAnswer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

/** A frame of the server. */
export interface Frame {
  opcode: number
  payload: Buffer
}

/** What makes a frame. All that is not given is as it must be for a whole text message. */
export interface FrameOptions {
  /** 0x0 continuation, 0x1 text (default), 0x2 binary, 0x8 close, 0x9 ping, 0xA pong. */
  opcode?: number
  /** Whether it is the last of its message. */
  isLast?: boolean
  isMasked?: boolean
  /** The three reserved bits, as a number up to 7. */
  reserved?: number
  /** What the header says, whatever the payload is. */
  length?: number
}

/** A frame as a client sends it (RFC 6455, section 5.2). */
export function frame(payload: Buffer | string, options: FrameOptions = {}): Buffer {
  const { opcode = 1, isLast = true, isMasked = true, reserved = 0 } = options
  const body = Buffer.from(payload)
  const length = options.length ?? body.length
  const first = (isLast ? 0x80 : 0) | (reserved << 4) | opcode
  const maskBit = isMasked ? 0x80 : 0
  const header =
    length < 126
      ? Buffer.from([first, maskBit | length])
      : length < 65_536
        ? Buffer.from([first, maskBit | 126, length >> 8, length & 0xff])
        : Buffer.concat([Buffer.from([first, maskBit | 127]), bigEndian(length)])
  if (!isMasked) return Buffer.concat([header, body])
  const mask = randomBytes(4)
  const masked = Buffer.from(body)
  for (let at = 0; at < masked.length; at += 1) masked[at] = (masked[at] ?? 0) ^ (mask[at % 4] ?? 0)
  return Buffer.concat([header, mask, masked])
}

function bigEndian(length: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  return bytes
}

/** The head of an upgrade request as the CLI sends it; a header that is undefined is left out. */
export function upgradeRequest(port: number, token: string, headers: Record<string, string | undefined> = {}): string {
  const all = {
    Host: `127.0.0.1:${port}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    'Sec-WebSocket-Protocol': 'mcp',
    'User-Agent': 'claude-code/2.1.332 (cli)',
    'X-Claude-Code-Ide-Authorization': token,
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]))
  return `GET / HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** A TCP connection, and after `upgrade` a WebSocket without any care. */
export class RawClient {
  readonly #socket: Socket
  readonly #watchers = new Set<() => void>()
  #received = Buffer.alloc(0)
  #isClosed = false

  static async connect(port: number): Promise<RawClient> {
    const socket = connect(port, '127.0.0.1')
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    return new RawClient(socket)
  }

  /** Connects and upgrades with the token. */
  static async upgrade(port: number, token: string, headers: Record<string, string> = {}): Promise<RawClient> {
    const client = await RawClient.connect(port)
    client.write(upgradeRequest(port, token, headers))
    const { status } = await client.httpAnswer()
    if (status !== 101) throw new Error(`the upgrade was answered with ${status}`)
    return client
  }

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => undefined) // followed by 'close'
    socket.on('data', data => {
      this.#received = Buffer.concat([this.#received, data])
      for (const look of [...this.#watchers]) look()
    })
    socket.on('close', () => {
      this.#isClosed = true
      for (const look of [...this.#watchers]) look()
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** How many bytes wait here for the server to take them. */
  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  write(bytes: Buffer | string): void {
    this.#socket.write(bytes)
  }

  /** Sends a message as one frame. */
  send(message: unknown): void {
    this.write(frame(typeof message === 'string' ? message : JSON.stringify(message)))
  }

  /** Stops taking what the server sends. */
  stopReading(): void {
    this.#socket.pause()
  }

  /** The answer to an HTTP request. */
  async httpAnswer(): Promise<HttpAnswer> {
    const end = await this.#until('an HTTP answer', () => {
      const at = this.#received.indexOf('\r\n\r\n')
      return at === -1 ? undefined : at
    })
    const [statusLine = '', ...lines] = this.#received.subarray(0, end).toString().split('\r\n')
    const headers = Object.fromEntries(
      lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    this.#received = this.#received.subarray(end + 4)
    const status = Number(statusLine.split(' ')[1])
    if (status === 101) return { status, headers, body: '' }
    await this.end()
    return { status, headers, body: this.#received.toString() }
  }

  /** The next frame of the server. */
  async nextFrame(): Promise<Frame> {
    const { frame, size } = await this.#until('a frame', () => readFrame(this.#received))
    this.#received = this.#received.subarray(size)
    return frame
  }

  /** The next message of the server, as JSON. Pings before it are skipped, and not answered. */
  async nextMessage(): Promise<unknown> {
    const { opcode, payload } = await this.nextFrame()
    if (opcode === 9) return this.nextMessage()
    if (opcode !== 1) throw new Error(`expected a text frame, got opcode ${opcode}: ${payload.toString('hex')}`)
    return JSON.parse(payload.toString())
  }

  /** The code of the close frame that comes, after any other frames. */
  async closeCode(): Promise<number> {
    for (;;) {
      const { opcode, payload } = await this.nextFrame()
      if (opcode === 8) return payload.length < 2 ? 1005 : payload.readUInt16BE(0)
    }
  }

  /** Resolves when the connection has ended. */
  async end(): Promise<void> {
    await this.#until('the end of the connection', () => this.#isClosed || undefined)
  }

  /** Cuts the connection: the server sees a reset. */
  destroy(): void {
    this.#socket.resetAndDestroy()
  }

  /** What `probe` finds in the bytes that come, as soon as it finds something. */
  #until<T>(what: string, probe: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(deadline)
        this.#watchers.delete(look)
        settle()
      }
      const look = () => {
        const found = probe()
        if (found !== undefined) end(() => resolve(found))
        else if (this.#isClosed) end(() => reject(new Error(`closed without ${what}; got ${this.#received}`)))
      }
      const deadline = setTimeout(() => end(() => reject(new Error(`no ${what} in ${timeoutMs} ms`))), timeoutMs)
      this.#watchers.add(look)
      look()
    })
  }
}

function readFrame(bytes: Buffer): { frame: Frame; size: number } | undefined {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return undefined
  const short = second & 0x7f
  const start = short === 127 ? 10 : short === 126 ? 4 : 2
  if (bytes.length < start) return undefined
  const length = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short
  if (bytes.length < start + length) return undefined
  return { frame: { opcode: first & 0x0f, payload: bytes.subarray(start, start + length) }, size: start + length }
}
