// The editor as the rest of the program sees it: Lua functions that can be called, and events that arrive.
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { createDeferred } from '../base/deferred.ts'
import type { Disposable } from '../base/disposable.ts'
import { Emitter } from '../base/emitter.ts'
import type { Log } from '../base/log.ts'
import { connectNeovim, EditorGoneError, type Wire } from './transport.ts'

/** A Lua function refused, with a sentence for whoever asked. `luaStack` is there when it is a bug of ours. */
export class EditorError extends Error {
  override readonly name = 'EditorError'
  readonly luaStack: string | undefined

  constructor(message: string, luaStack?: string) {
    super(message)
    this.luaStack = luaStack
    if (luaStack !== undefined) this.stack = `${this.stack}\n${luaStack}`
  }
}

/** Whether Lua refused with a sentence for whoever asked, which is no bug of ours. */
export function isRefusal(error: unknown): error is EditorError {
  return error instanceof EditorError && error.luaStack === undefined
}

/** The one way to Neovim. Strings in results that are not UTF-8 are a `Buffer` (see `bytesOrText`). */
export interface Editor {
  /** The channel id that Neovim knows this process by. */
  readonly channel: number
  /** Resolves once Neovim is gone; the value says why, if the connection broke. */
  readonly gone: Promise<unknown>
  /**
   * Calls the function `name` ("module.function") of lua/claudecode/rpc.lua with one table, and checks its result.
   * There is no time limit: Neovim does not answer while the user owes it a key (:help api-fast). See `watchdog.ts`.
   * @param expiresAfterMs Lua refuses a call that Neovim comes to later than that: nothing happens behind the back of
   * those who have been told that it did not
   * @throws {EditorError} when Lua refuses. @throws {EditorGoneError} when Neovim is gone.
   */
  call<T>(name: string, args: Record<string, unknown>, result: z.ZodType<T>, expiresAfterMs?: number): Promise<T>
  /**
   * The mode that Neovim is in (:help mode()), and whether it waits for a key and answers no call until then. It answers
   * this also while it waits (:help nvim_get_mode()), but not while a command keeps it busy.
   */
  readMode(): Promise<EditorMode>
  /** Listens to the notifications that Lua sends under `event`. What does not fit `schema` is logged and dropped. */
  on<T>(event: string, schema: z.ZodType<T>, listener: (value: T) => void): Disposable
}

const EditorMode = z.object({ mode: z.string(), blocking: z.boolean() })
export type EditorMode = z.output<typeof EditorMode>

/** A string of Neovim's: text where it is UTF-8, else its bytes. */
export const bytesOrText = z.union([z.string(), z.instanceof(Buffer)])

/** A string of Neovim's that is only shown or sent on as JSON: bytes that are not UTF-8 become U+FFFD. */
export const shownText = bytesOrText.transform(value => value.toString())

/** A Lua list. An empty Lua table is a list too, as it arrives as `[]`. */
export function luaList<T>(item: z.ZodType<T>): z.ZodType<T[]> {
  return z.preprocess(value => (isEmptyTable(value) ? [] : value), z.array(item))
}

/** A Lua table with string keys. Lua's `{}` arrives as `[]`. */
export function luaTable<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess(value => (Array.isArray(value) && value.length === 0 ? {} : value), schema)
}

function isEmptyTable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
}

/** For calls whose result nobody needs. */
export const nothing = z.unknown().transform(() => undefined)

const LuaAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: bytesOrText, stack: bytesOrText.optional() }),
])

const callLua = 'return require("claudecode.rpc").call(...)'
const eventMethod = 'claudecode' // lua/claudecode/host.lua notifies under this name: (event, payload)

/** Connects to Neovim over two streams. Resolves when Neovim has answered for the first time. */
export async function connectEditor(reader: Readable, writer: Writable, log: Log): Promise<Editor> {
  const gone = createDeferred<unknown>()
  const listeners = new Map<string, Emitter<Wire>>()
  const onError = (error: unknown) => log.error('handling a message of Neovim', error)

  const client = connectNeovim(reader, writer, { onError, onEnd: cause => gone.resolve(cause) })
  client.on('notification', (method: string, args: Wire[]) => {
    if (method !== eventMethod) return
    const [event, payload] = args
    listeners.get(String(event))?.emit(payload ?? null)
  })
  client.on(
    'request',
    (_method: string, _args: unknown, response: { send(value: unknown, isError: boolean): void }) => {
      response.send('claudecode: the editor never waits for this process; use rpcnotify', true)
    },
  )

  const channel = await Promise.race([
    client.channelId,
    gone.promise.then(() => Promise.reject(new EditorGoneError('Neovim is gone'))),
  ])

  return {
    channel,
    gone: gone.promise,
    async call(name, args, result, expiresAfterMs) {
      const deadline = expiresAfterMs === undefined ? [] : [editorTime() + expiresAfterMs]
      const answer = LuaAnswer.parse(await client.request('nvim_exec_lua', [callLua, [name, args, ...deadline]]))
      if (answer.ok) return result.parse(answer.value)
      throw new EditorError(answer.error.toString(), answer.stack?.toString())
    },
    async readMode() {
      return EditorMode.parse(await client.request('nvim_get_mode', []))
    },
    on(event, schema, listener) {
      const emitter = listeners.get(event) ?? new Emitter<Wire>(onError)
      listeners.set(event, emitter)
      return emitter.event(payload => {
        const parsed = schema.safeParse(payload)
        if (parsed.success) listener(parsed.data)
        else log.error(`event ${event} of Lua has the wrong shape: ${z.prettifyError(parsed.error)}`)
      })
    },
  }
}

/** Milliseconds on the clock of `vim.uv.hrtime()`, which is the machine's and not a process's. */
function editorTime(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
