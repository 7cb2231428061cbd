// Where the hooks of our Claudes post to: a small HTTP server on the loopback, apart from the IDE's, since it must not go away
// while a Claude runs that was told of it: the CLI shows its user each hook that fails.
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../base/clock.ts'
import type { Disposable } from '../base/disposable.ts'
import { parseIfJson } from '../base/json.ts'
import { inBackground, type Log } from '../base/log.ts'
import { isToken, strangerReason } from '../ide/auth.ts'
import { listen, type PortRange } from '../ide/listen.ts'
import { HookBody, type HookName, hookNames } from './hook-events.ts'
import * as limits from './limits.ts'

/** What a hook has told. */
export interface HookEvent {
  session: string
  name: HookName
  body: HookBody
}

/** What the server is made of. */
export interface HookServerOptions {
  portRange: PortRange
  /** That of the host before this one, where its Claudes post to. */
  preferredPort: number | undefined
  /** What all tokens are made from; it never leaves this process and the editor. */
  secret: string
  receive: (event: HookEvent) => void
  log: Log
  clock: Clock
  maxKeptBytes?: number
  maxBodyBytes?: number
}

/** A server that listens. */
export interface HookServer extends Disposable {
  readonly port: number
  /** The address for the hooks of a session, without the event's name behind it. */
  urlFor(session: string): string
  /** The token of a session. It opens this session's path and no other. */
  tokenFor(session: string): string
  /** Resolves when every socket is closed. */
  dispose(): Promise<void>
}

const path = /^\/hooks\/([\w-]{1,64})\/(\w{1,40})$/

/**
 * Listens on 127.0.0.1. Every hook gets an empty answer as soon as it is read: whatever comes, Claude goes on as it would without us.
 * @throws {UserError} no port of the range is free.
 */
export async function startHookServer(options: HookServerOptions): Promise<HookServer> {
  const { secret, log, clock, receive } = options
  const maxKept = options.maxKeptBytes ?? limits.maxKeptBytes
  const maxBody = options.maxBodyBytes ?? limits.maxBodyBytes
  const sockets = new Set<Socket>()
  const http = createServer(
    { headersTimeout: limits.requestMs, requestTimeout: limits.requestMs },
    (request, response) => inBackground(log, answer(request, response), 'a hook'),
  )
  http.maxConnections = limits.maxSockets
  http.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()) // a peer that went away is no fault
    socket.once('close', () => sockets.delete(socket))
  })

  function tokenFor(session: string): string {
    return createHmac('sha256', secret).update(`hooks of ${session}`).digest('hex')
  }

  /** Why a request gets nothing, in the order in which strangers learn the least. */
  function refusalOf(request: IncomingMessage): { status: number; reason: string } | { session: string; name: string } {
    const stranger = strangerReason(request)
    if (stranger !== undefined) return { status: 403, reason: stranger }
    const [, session = '', name = ''] = path.exec(request.url ?? '') ?? []
    const given = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (!isToken(given ?? '', tokenFor(session))) return { status: 401, reason: given ? 'a wrong token' : 'no token' }
    if (request.method !== 'POST') return { status: 405, reason: `the method ${request.method}` }
    return { session, name }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.sendDate = false
    const checked = refusalOf(request)
    if ('status' in checked) {
      log.warn(`refused a hook with ${checked.status}: ${checked.reason}`)
      response.writeHead(checked.status, { 'Content-Length': 0, Connection: 'close' }).end()
      return
    }
    const { socket } = request
    const text = await readBody(request, maxKept, maxBody)
    if (text === undefined) {
      log.warn('refused a hook with 413')
      response.writeHead(413, { 'Content-Length': 0, Connection: 'close' }).end(() => socket.destroy())
      return
    }
    response.writeHead(200, { 'Content-Length': 0 }).end()
    const name = hookNames.find(known => known === checked.name)
    if (name !== undefined) receive({ session: checked.session, name, body: parseBody(text) })
  }

  const port = await listen(http, options.portRange, options.preferredPort, clock)
  http.on('error', error => log.error('the server for hooks failed', error))
  return {
    port,
    urlFor: session => `http://127.0.0.1:${port}/hooks/${session}`,
    tokenFor,
    dispose: () =>
      new Promise(resolve => {
        http.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** The body, or as much of it as is kept; undefined when it is longer than any may be, or breaks off. */
async function readBody(request: IncomingMessage, maxKept: number, maxBody: number): Promise<string | undefined> {
  const kept: Buffer[] = []
  let length = 0
  try {
    for await (const piece of request) {
      const bytes = piece as Buffer
      if (length < maxKept) kept.push(bytes.subarray(0, maxKept - length))
      length += bytes.length
      if (length > maxBody) return undefined
    }
  } catch {
    return undefined // the other side has gone away
  }
  return Buffer.concat(kept).toString('utf8')
}

/** What can be read; a body that was cut says nothing, but which event it is. */
function parseBody(text: string): HookBody {
  return HookBody.safeParse(parseIfJson(text)).data ?? HookBody.parse({})
}
