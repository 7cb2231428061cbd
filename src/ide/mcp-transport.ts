// The SDK's transport over one WebSocket: JSON-RPC to the letter, and exactly one answer for each request.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { errorCodes } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import {
  type Answer,
  errorAnswer,
  isRecord,
  type Params,
  parseJson,
  type RequestId,
  readEnvelope,
  writeJson,
} from './envelope.ts'
import { maxBatch, maxRunningRequests } from './limits.ts'

/** Takes the answer of one message, or nothing when it has none. Called once for each. */
type Reply = (answer?: Answer) => void

/** A request on its way: the client's id for it, our number for the SDK, and who takes the answer. */
interface RunningRequest {
  readonly id: RequestId
  readonly number: number
  readonly reply: Reply
}

/** What the transport is made of. */
export interface McpTransportOptions {
  /** Sends one text message. */
  write(text: string): void
  /** The client has said `initialize`. */
  onInitialize(): void
  log: Log
}

/**
 * Stands between a WebSocket and the SDK's `Server`. The SDK leaves unanswered what its schemas don't know (an id with
 * a fraction, an array as params, a foreign member), mixes up requests that share an id, and refuses an `initialize`
 * of another shape with -32603. So the envelope is checked here, and the SDK gets messages of the one shape that it
 * takes, numbered by us.
 */
export class McpTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #options: McpTransportOptions
  readonly #byNumber = new Map<number, RunningRequest>()
  readonly #byId = new Map<RequestId, RunningRequest>()
  #lastNumber = 0
  #isClosed = false

  constructor(options: McpTransportOptions) {
    this.#options = options
  }

  async start(): Promise<void> {}

  /** Takes one text message from the client. */
  receive(text: string): void {
    const parsed = parseJson(text)
    if ('refusal' in parsed) this.#write(parsed.refusal)
    else if (Array.isArray(parsed.value)) this.#receiveBatch(parsed.value)
    else this.#receiveOne(parsed.value, answer => answer && this.#write(answer))
  }

  /** Sends a notification. */
  notify(method: string, params: Params): void {
    this.#write({ jsonrpc: '2.0', method, params })
  }

  /** Called by the SDK, with answers only: nothing here asks the client for anything. */
  async send(message: JSONRPCMessage): Promise<void> {
    const answer = message as Answer
    const request = this.#byNumber.get(Number(answer.id))
    if (request === undefined) return // cancelled: nobody waits for it (MCP, "Cancellation")
    this.#forget(request)
    request.reply({ ...answer, id: request.id })
  }

  /** The connection has ended: everything that still runs is aborted, and nothing is sent any more. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#byNumber.clear()
    this.#byId.clear()
    this.onclose?.()
  }

  /**
   * A batch is answered by one array (JSON-RPC 2.0, section 6). Only MCP 2025-03-26 asks for that, but no version
   * gives an array another meaning, so batches are taken at all times.
   */
  #receiveBatch(values: readonly unknown[]): void {
    if (values.length === 0 || values.length > maxBatch) {
      this.#write(
        errorAnswer(null, errorCodes.invalidRequest, `Invalid request: a batch has 1 to ${maxBatch} messages`),
      )
      return
    }
    const answers: Answer[] = []
    let open = values.length
    for (const value of values) {
      this.#receiveOne(value, answer => {
        if (answer) answers.push(answer)
        open -= 1
        if (open === 0 && answers.length > 0) this.#write(answers)
      })
    }
  }

  #receiveOne(value: unknown, reply: Reply): void {
    const envelope = readEnvelope(value)
    if (envelope.kind === 'request') {
      this.#request(envelope.id, envelope.method, envelope.params, reply)
    } else {
      if (envelope.kind === 'notification') this.#notification(envelope.method, envelope.params)
      reply(envelope.kind === 'refused' ? envelope.answer : undefined)
    }
  }

  #request(id: RequestId, method: string, params: Params | undefined, reply: Reply): void {
    if (this.#byId.has(id)) {
      reply(errorAnswer(id, errorCodes.invalidRequest, 'Invalid request: a request with this id is running'))
    } else if (this.#byId.size >= maxRunningRequests) {
      reply(errorAnswer(id, errorCodes.toolFailed, 'Too many requests at once'))
    } else {
      this.#lastNumber += 1
      const request = { id, number: this.#lastNumber, reply }
      this.#byNumber.set(request.number, request)
      this.#byId.set(id, request)
      const isInitialize = method === 'initialize'
      if (isInitialize) this.#options.onInitialize()
      this.#deliver({ id: request.number, method }, isInitialize ? readInitialize(params) : params)
    }
  }

  #notification(method: string, params: Params | undefined): void {
    if (method === 'notifications/cancelled') this.#cancel(params?.requestId)
    else this.#deliver({ method }, params)
  }

  #cancel(id: unknown): void {
    const request = this.#byId.get(id as RequestId)
    if (request === undefined) return // answered already, or never asked
    this.#deliver({ method: 'notifications/cancelled' }, { requestId: request.number })
    this.#forget(request)
    request.reply()
  }

  /** `_meta` stays behind: no tool reports progress, and the SDK drops messages whose `_meta` it does not understand. */
  #deliver(head: { id?: number; method: string }, params: Params | undefined): void {
    const { _meta, ...rest } = params ?? {}
    this.onmessage?.({ jsonrpc: '2.0', ...head, ...(params === undefined ? {} : { params: rest }) })
  }

  #forget({ id, number }: RunningRequest): void {
    this.#byNumber.delete(number)
    this.#byId.delete(id)
  }

  #write(message: unknown): void {
    if (this.#isClosed) return
    let text: string
    try {
      text = writeJson(message)
    } catch (error) {
      this.#options.log.error('a message could not be written as JSON', error)
      const apology = apologyFor(message)
      if (apology === undefined) return
      text = writeJson(apology)
    }
    this.#options.write(text)
  }
}

/** What is sent instead of an answer that can't be written: nobody must wait for ever. */
function apologyFor(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(apologyFor)
  if (!isRecord(message) || message.id === undefined) return undefined
  return errorAnswer(message.id as RequestId | null, errorCodes.internalError, 'Internal error')
}

/**
 * The params of `initialize` that matter here. Everything else is left out, so that a client with capabilities nobody
 * knows yet is still served: nothing is ever asked of a client. Without a version it gets the newest.
 */
function readInitialize(params: Params | undefined): Params {
  const info = isRecord(params?.clientInfo) ? params.clientInfo : {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    protocolVersion: text(params?.protocolVersion),
    capabilities: {},
    clientInfo: { name: text(info.name), version: text(info.version) },
  }
}
