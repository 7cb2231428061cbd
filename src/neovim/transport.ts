// msgpack-RPC with Neovim that loses no byte, survives its listeners, and leaves no call open.
//
// node-client's own transport changes strings that are not UTF-8, stops reading for ever after one exception in a
// listener, and never settles what is pending when Neovim goes away (measured; test/editor/neovim/transport.test.ts).
import { isUtf8 } from 'node:buffer'
import type { Readable, Writable } from 'node:stream'
import { decode, decodeMultiStream, ExtensionCodec, encode } from '@msgpack/msgpack'
import { NeovimClient } from 'neovim'
import { Transport } from 'neovim/lib/utils/transport.js'

/** The call can't be answered: Neovim ended, or the connection broke. */
export class EditorGoneError extends Error {
  override readonly name = 'EditorGoneError'
}

/** A value as Neovim sent it: strings that are UTF-8 are strings, all others are a `Buffer` with the exact bytes. */
export type Wire = null | boolean | number | bigint | string | Buffer | Wire[] | { [key: string]: Wire }

type Answer = (error: unknown, result: unknown) => void

/** What the transport tells its owner. */
export interface TransportListeners {
  /** A listener threw, or a message made no sense. The connection lives on. */
  onError(error: unknown): void
  /** The connection is over; told once. `cause` is there when it broke. */
  onEnd(cause: unknown): void
}

const handleTypes = [0, 1, 2] // Buffer, Window, Tabpage (:help api-types)

class LosslessTransport extends Transport {
  readonly #listeners: TransportListeners
  readonly #codec = createHandleCodec()
  readonly #open = new Map<number, Answer>()
  #nextId = 1
  #output: Writable | undefined
  #ended = false

  constructor(listeners: TransportListeners) {
    super()
    this.#listeners = listeners
  }

  override attach(writer: NodeJS.WritableStream, reader: NodeJS.ReadableStream): void {
    this.#output = writer as Writable
    const input = reader as Readable
    writer.on('error', error => this.#end(error))
    input.on('error', error => this.#end(error))
    input.once('close', () => this.#end(undefined))
    void this.#read(input)
  }

  async #read(input: Readable): Promise<void> {
    try {
      const messages = decodeMultiStream(input, { extensionCodec: this.#codec, rawStrings: true })
      for await (const message of messages) this.#receive(toWire(message))
      this.#end(undefined)
    } catch (error) {
      // The decoder has lost its place in the stream: nothing after this can be trusted.
      this.#end(error)
    }
  }

  #receive(message: unknown): void {
    try {
      if (!Array.isArray(message)) throw new TypeError('msgpack-RPC message is not an array')
      const [type, a, b, c] = message
      if (type === 0) this.emit('request', String(b), c, this.#responder(a))
      else if (type === 1) this.#answer(a, b, c)
      else if (type === 2) this.emit('notification', String(a), b)
      else throw new TypeError(`msgpack-RPC message of unknown type ${String(type)}`)
    } catch (error) {
      this.#listeners.onError(error)
    }
  }

  #answer(id: number, error: unknown, result: unknown): void {
    const answer = this.#open.get(id)
    this.#open.delete(id)
    answer?.(error, result)
  }

  #responder(id: number) {
    let sent = false
    return {
      send: (value: unknown, isError?: boolean) => {
        if (sent) return
        sent = true
        this.#write([1, id, isError ? value : null, isError ? null : value])
      },
    }
  }

  override request(method: string, args: unknown[], answer: Answer): void {
    if (this.#ended) {
      answer(new EditorGoneError('Neovim is gone'), undefined)
      return
    }
    if (method === 'nvim_get_api_info') {
      // node-client asks for the description of the whole API, to learn one number from it: a fifth of our time to start.
      this.request('nvim_get_chan_info', [0], (error, own) => answer(error, [(own as { id: number } | undefined)?.id]))
      return
    }
    const id = this.#nextId++
    this.#open.set(id, answer)
    try {
      this.#write([0, id, method, args])
    } catch (error) {
      this.#open.delete(id)
      answer(error, undefined)
    }
  }

  override notify(method: string, args: unknown[]): void {
    if (!this.#ended) this.#write([2, method, args])
  }

  override close(): Promise<void> {
    this.#output?.end()
    this.#end(undefined)
    return Promise.resolve()
  }

  #write(message: unknown): void {
    this.#output?.write(encode(clean(message), { extensionCodec: this.#codec }))
  }

  #end(cause: unknown): void {
    if (this.#ended) return
    this.#ended = true
    const open = [...this.#open.values()]
    this.#open.clear()
    for (const answer of open) {
      try {
        answer(new EditorGoneError('Neovim is gone'), undefined)
      } catch (error) {
        this.#listeners.onError(error)
      }
    }
    this.emit('detach')
    this.#listeners.onEnd(cause)
  }
}

/** Buffers, windows and tab pages travel as plain numbers: node-client's objects are event emitters, one for each value. */
function createHandleCodec(): ExtensionCodec {
  const codec = new ExtensionCodec()
  for (const type of handleTypes) codec.register({ type, encode: () => null, decode: data => decode(data) })
  return codec
}

/** Turns byte strings into strings where that loses nothing. Works in place. */
function toWire(value: unknown): Wire {
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return isUtf8(bytes) ? bytes.toString('utf8') : Buffer.from(bytes) // a copy: the decoder reuses its memory
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = toWire(value[i])
  } else if (typeof value === 'object' && value !== null) {
    const table = value as Record<string, unknown>
    for (const key of Object.keys(table)) table[key] = toWire(table[key])
  }
  return value as Wire
}

/** Makes arguments safe to send: absent keys stay absent (else Lua gets `vim.NIL`), strings are well formed. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed()
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (value instanceof Map || value instanceof Set) throw new TypeError('a Map or Set cannot be sent to Neovim')
  const result: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) if (item !== undefined) result[key] = clean(item)
  return result
}

/** node-client's own `request` turns every failure into a new `Error`; this one keeps `EditorGoneError` what it is. */
class Client extends NeovimClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    // biome-ignore lint/suspicious/noExplicitAny: node-client asks for a winston logger and never for more than these methods
    super({ transport, logger: silentLogger as any })
    this.#transport = transport
  }

  override request<T = unknown>(method: string, args: unknown[] = []): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#transport.request(method, args, (error: unknown, result: T) => {
        if (error === null || error === undefined) resolve(result)
        else reject(error instanceof Error ? error : new Error(`${method}: ${messageOf(error)}`))
      })
    })
  }
}

/** Neovim's errors are pairs of a type and a message. */
function messageOf(error: unknown): string {
  return String(Array.isArray(error) ? error[1] : error)
}

const silentLogger = { level: 'error', info() {}, warn() {}, error() {}, debug() {} }

/**
 * A node-client `NeovimClient` over the lossless transport. Its calls are rejected with `EditorGoneError` once the
 * connection is over. Handles in results are numbers.
 */
export function connectNeovim(reader: Readable, writer: Writable, listeners: TransportListeners): NeovimClient {
  const transport = new LosslessTransport(listeners)
  const client = new Client(transport)
  client.attach({ reader, writer })
  return client
}
