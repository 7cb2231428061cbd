// A stand-in for the model behind the real CLI: answers the Messages API on 127.0.0.1 from a script, and keeps what the CLI asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { type AnswerBlock, answerAsEvents, answerAsJson, say } from './model-stream.ts'

export { type AnswerBlock, say, useTool } from './model-stream.ts'

/** One answer of the model: a block, or several. After an answer with a tool in it the CLI asks again, with the tool's result. */
export type Turn = AnswerBlock | readonly AnswerBlock[]

/** The CLI's main conversation offers the model all of its tools; titles, summaries and the like offer none or few. */
const fewTools = 5

/** What the model says when the script has no turn left, so that a test that goes wrong shows it on the CLI's screen. */
export const scriptIsOver = 'The script is over.'

const ContentBlock = z.looseObject({ type: z.string() })
const Content = z.union([z.string(), z.array(ContentBlock)])
const MessagesRequest = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  system: Content.default([]),
  messages: z.array(z.looseObject({ role: z.string(), content: Content })),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
})

/** What the CLI sent to `POST /v1/messages`. */
export type ModelRequest = z.infer<typeof MessagesRequest>

/** A running stand-in. */
export interface ScriptedModel {
  /** For `ANTHROPIC_BASE_URL`. */
  readonly url: string
  /** The requests of the main conversation, oldest first. */
  readonly requests: readonly ModelRequest[]
  /** Method and path of every request of any kind, oldest first. */
  readonly log: readonly string[]
  /** How many turns of the script are still to be asked for. */
  readonly turnsLeft: number
  /** Adds turns to the end of the script. */
  add(...turns: Turn[]): void
  /** Throws away what is left of the script, so that a test that went wrong does not spoil the next one. */
  clear(): void
  /** Ends the server and its connections. */
  dispose(): Promise<void>
}

/** Starts a stand-in on a free port of 127.0.0.1. Each request of the main conversation takes the next turn of the script. */
export async function startScriptedModel(options: { turns?: readonly Turn[] } = {}): Promise<ScriptedModel> {
  const script: Turn[] = [...(options.turns ?? [])]
  const requests: ModelRequest[] = []
  const log: string[] = []
  let answers = 0

  function answer(request: ModelRequest, response: ServerResponse): void {
    const isMain = request.tools.length > fewTools
    if (isMain) requests.push(request)
    const turn = isMain ? (script.shift() ?? say(scriptIsOver)) : say('A side answer')
    answers += 1
    const full = { number: answers, model: request.model, blocks: 'type' in turn ? [turn] : turn }
    if (request.stream) send(response, 200, 'text/event-stream', answerAsEvents(full))
    else sendJson(response, 200, answerAsJson(full))
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname
    log.push(`${request.method} ${path}`)
    const body = await text(request)
    if (request.method === 'POST' && path === '/v1/messages/count_tokens') {
      sendJson(response, 200, { input_tokens: Math.ceil(body.length / 4) })
    } else if (request.method === 'POST' && path === '/v1/messages') {
      const parsed = MessagesRequest.safeParse(parseJson(body))
      if (parsed.success) answer(parsed.data, response)
      else sendError(response, 400, 'invalid_request_error', z.prettifyError(parsed.error))
    } else if (path === '/') {
      send(response, 200, 'text/plain', '') // asked only to see whether anyone is there
    } else {
      sendError(response, 404, 'not_found_error', `The stand-in has no ${path}.`)
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(error => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    log,
    get turnsLeft() {
      return script.length
    },
    add: (...turns) => void script.push(...turns),
    clear: () => void script.splice(0),
    dispose: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** All text that a request carries in its messages, in order: prompts, reminders, tool results. */
export function textOf(request: ModelRequest): string {
  return request.messages.map(message => contentText(message.content)).join('\n')
}

/** The texts of the tool results in the last message of a request: what came of the tools of the turn before. */
export function toolResultsOf(request: ModelRequest): string[] {
  const content = request.messages.at(-1)?.content ?? []
  if (typeof content === 'string') return []
  return content
    .filter(block => block.type === 'tool_result')
    .map(block => contentText(Content.parse(block.content ?? '')))
}

function contentText(content: z.infer<typeof Content>): string {
  if (typeof content === 'string') return content
  return content
    .map(block => {
      if (typeof block.text === 'string') return block.text
      return block.content === undefined ? '' : contentText(Content.parse(block.content))
    })
    .join('\n')
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type }).end(body)
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, 'application/json', JSON.stringify(body))
}

function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  sendJson(response, status, { type: 'error', error: { type, message } })
}
