// A Claude that behaves: it connects and speaks the way the CLI 2.1.332 does (shared/reference/real-cli.md), without a model behind it.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import WebSocket from 'ws'

const answerTimeoutMs = 10_000 // a deadline for the tests; the CLI itself waits for ever
const protocolVersion = '2025-11-25'

/** How to reach a server. */
export interface ClaudeClientOptions {
  port: number
  token: string
  /** What the CLI says in `ide_connected`; default: this process. */
  processId?: number
}

/** A tool as `tools/list` has it. */
export interface ListedTool {
  name: string
  description: string
  inputSchema: Record<string, unknown>
}

/** A tool's answer. */
export interface CallResult {
  content: { type: string; text?: string; data?: string; mimeType?: string }[]
  isError?: boolean
}

/** A notification that came. */
export interface ReceivedNotification {
  method: string
  params: Record<string, unknown>
}

/** What the server answered instead of a result. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly code: number
  readonly data: unknown

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message)
    this.code = code
    this.data = data
  }
}

interface CallOptions {
  /** Aborting it sends `notifications/cancelled`. */
  signal?: AbortSignal
  /** In ms; default 10 s. */
  timeout?: number
}

interface Message extends Partial<ReceivedNotification> {
  id?: number
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

/** One connection, after the whole handshake. */
export class ClaudeClient {
  /** What the server said to `initialize`. */
  serverInfo: { name: string; version: string } = { name: '', version: '' }
  /** What `tools/list` said. */
  tools: ListedTool[] = []
  /** All notifications so far, in their order. */
  readonly notifications: ReceivedNotification[] = []
  /** Numbers of calls for which an answer came though none was waited for: they had one, or were withdrawn. */
  readonly surplusAnswers: number[] = []
  /** Resolves when the connection has ended. */
  readonly closed: Promise<{ code: number; reason: string }>
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (message: Message) => void>()
  readonly #watchers = new Set<() => void>()
  #lastId = -1 // the CLI counts from 0

  /** Connects and goes through the whole handshake: `initialize`, `notifications/initialized`, `ide_connected`, `tools/list`. */
  static async connect({ port, token, processId = process.pid }: ClaudeClientOptions): Promise<ClaudeClient> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, ['mcp'], {
      headers: { 'User-Agent': 'claude-code/2.1.332 (cli)', 'X-Claude-Code-Ide-Authorization': token },
    })
    const client = new ClaudeClient(socket)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    const { serverInfo } = await client.request<{ serverInfo: ClaudeClient['serverInfo'] }>('initialize', {
      protocolVersion,
      capabilities: { roots: { listChanged: true }, elicitation: {} },
      clientInfo: { name: 'claude-code', title: 'Claude Code', version: '2.1.332' },
    })
    client.serverInfo = serverInfo
    client.notify('notifications/initialized')
    client.notify('ide_connected', { pid: processId })
    client.tools = (await client.request<{ tools: ListedTool[] }>('tools/list')).tools
    return client
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('error', () => undefined) // followed by 'close'
    socket.on('message', data => this.#receive(JSON.parse(String(data))))
    this.closed = new Promise(resolve => {
      socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }))
    })
    void this.closed.then(({ code }) => {
      const error = { code: 0, message: `the connection was closed with ${code}` }
      for (const settle of this.#waiting.values()) settle({ error })
      for (const look of this.#watchers) look()
    })
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  /**
   * Calls a tool, with a progress token, as the CLI does.
   * @throws {AnswerError} the server answered with an error.
   */
  callTool(name: string, args: Record<string, unknown> = {}, options: CallOptions = {}): Promise<CallResult> {
    return this.request('tools/call', { name, arguments: args, _meta: { progressToken: this.#lastId + 1 } }, options)
  }

  /**
   * Asks and waits for the answer.
   * @throws {AnswerError} the server answered with an error, or the connection ended.
   */
  request<Result>(method: string, params?: Record<string, unknown>, options: CallOptions = {}): Promise<Result> {
    const { signal, timeout = answerTimeoutMs } = options
    this.#lastId += 1
    const id = this.#lastId
    return new Promise<Result>((resolve, reject) => {
      if (!this.isOpen) throw new Error(`${method} was asked after the connection had ended`)
      const timer = setTimeout(() => reject(new Error(`no answer to ${method} in ${timeout} ms`)), timeout)
      const onAbort = () => {
        this.notify('notifications/cancelled', { requestId: id, reason: String(signal?.reason) })
        this.#waiting.get(id)?.({ error: { code: 0, message: 'cancelled' } })
      }
      this.#waiting.set(id, ({ result, error }) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        this.#waiting.delete(id)
        if (error) reject(new AnswerError(error))
        else resolve(result as Result)
      })
      this.#send({ id, method, ...(params && { params }) })
      signal?.addEventListener('abort', onAbort, { once: true })
      if (signal?.aborted) onAbort()
    })
  }

  /** Tells. */
  notify(method: string, params?: Record<string, unknown>): void {
    this.#send({ method, ...(params && { params }) })
  }

  /**
   * The first notification of that method, already there or to come, for which `matches` is true; `from` skips as many
   * of `notifications`.
   */
  waitForNotification(
    method: string,
    matches: (params: Record<string, unknown>) => boolean = () => true,
    { from = 0, timeout = answerTimeoutMs }: { from?: number; timeout?: number } = {},
  ): Promise<ReceivedNotification> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.notifications.slice(from).find(one => one.method === method && matches(one.params))
        if (found) end(() => resolve(found))
        else if (!this.isOpen) end(() => reject(new Error(`the connection ended without ${method}`)))
      }
      const end = (settle: () => void) => {
        clearTimeout(timer)
        this.#watchers.delete(look)
        settle()
      }
      const timer = setTimeout(
        () => end(() => reject(new Error(`no ${method} in ${timeout} ms; got ${JSON.stringify(this.notifications)}`))),
        timeout,
      )
      this.#watchers.add(look)
      look()
    })
  }

  /** Ends the connection the way the CLI does when it quits. */
  async close(): Promise<void> {
    this.#socket.close()
    await this.closed
  }

  /** Ends it without a word, as a CLI that was killed. */
  terminate(): void {
    this.#socket.terminate()
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  }

  #receive(message: Message): void {
    if (message.method === undefined) {
      if (message.id === undefined) return
      const settle = this.#waiting.get(message.id)
      if (settle) settle(message)
      else this.surplusAnswers.push(message.id)
    } else {
      this.notifications.push({ method: message.method, params: message.params ?? {} })
      for (const look of [...this.#watchers]) look()
    }
  }
}

/** What a lock file says. */
export interface LockFileContent {
  pid: number
  workspaceFolders: string[]
  ideName: string
  transport: string
  authToken: string
}

/** The lock files in `<configFolder>/ide`, by their port. */
export async function readLockFiles(configFolder: string): Promise<Map<number, LockFileContent>> {
  const folder = join(configFolder, 'ide')
  const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.lock'))
  const read = async (name: string): Promise<[number, LockFileContent]> => [
    Number.parseInt(name, 10),
    JSON.parse(await readFile(join(folder, name), 'utf8')),
  ]
  return new Map(await Promise.all(names.map(read)))
}

/**
 * Connects the way a CLI does that was started by an IDE: by the lock file of that port, or by the only one there is.
 * @param configFolder `$CLAUDE_CONFIG_DIR`.
 * @param processId what it says of itself in `ide_connected`.
 */
export async function connectThroughLockFile(
  configFolder: string,
  port?: number,
  processId?: number,
): Promise<ClaudeClient> {
  const locks = await readLockFiles(configFolder)
  const [found] = [...locks].filter(([candidate]) => port === undefined || candidate === port)
  if (found === undefined || (port === undefined && locks.size > 1)) {
    throw new Error(
      `expected one lock file${port ? ` for port ${port}` : ''} in ${configFolder}; found ${[...locks.keys()]}`,
    )
  }
  return ClaudeClient.connect({
    port: found[0],
    token: found[1].authToken,
    ...(processId !== undefined && { processId }),
  })
}
