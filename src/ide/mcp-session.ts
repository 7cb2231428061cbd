// MCP with one client, over the SDK: which methods there are, and what they answer.
import { Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { errorCodes, ProtocolError } from '../base/errors.ts'
import { inBackground, type Log } from '../base/log.ts'
import { callTool } from './call-tool.ts'
import type { Client } from './client.ts'
import type { McpTransport } from './mcp-transport.ts'
import type { Tool } from './tool.ts'

/** What a session is made of. */
export interface McpSessionOptions {
  client: Client
  transport: McpTransport
  /** Asked at each `tools/list` and `tools/call`. */
  tools: () => readonly Tool[]
  serverInfo: { name: string; version: string }
  log: Log
  /** `notifications/initialized` has come. */
  onReady(): void
  /** `tools/list` is being answered. */
  onToolsListed(): void
  /** `ide_connected` has come; the process id is undefined when it made no sense. */
  onIdeConnected(processId: number | undefined): void
}

/**
 * What is listed but never there. Only `tools` is advertised: a client that hears of resources, even of none, offers
 * its model tools to read them.
 */
const emptyAnswers: Readonly<Record<string, Record<string, unknown>>> = {
  'prompts/list': { prompts: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
  'logging/setLevel': {},
}

const IdeConnected = z.object({ pid: z.int().positive().optional().catch(undefined) })

/** Answers the client's messages until the transport is closed. */
export function openSession(options: McpSessionOptions): void {
  const { client, transport, tools, serverInfo, log } = options
  const server = new Server(serverInfo, { capabilities: { tools: { listChanged: true } } })
  server.oninitialized = options.onReady
  server.onerror = error => log.debug(`client ${client.id}: ${error.message.slice(0, 200)}`)
  server.fallbackNotificationHandler = async ({ method, params }) => {
    // Everything else is ignored: MCP and the CLI have notifications that mean nothing here.
    if (method === 'ide_connected') options.onIdeConnected(IdeConnected.parse(params ?? {}).pid)
  }
  // Not the SDK's own handlers for tools: they answer wrong params with a dump of the schema's issues.
  server.fallbackRequestHandler = async ({ method, params }, context) => {
    const { signal } = context.mcpReq
    try {
      if (method === 'tools/list') {
        options.onToolsListed()
        return {
          tools: tools()
            .filter(({ isListed }) => isListed !== false)
            .map(describeTool),
        }
      }
      if (method === 'tools/call') return { ...(await callTool(tools(), params, { client, signal }, log)) }
      const empty = Object.hasOwn(emptyAnswers, method) ? emptyAnswers[method] : undefined
      if (empty !== undefined) return empty
      throw new ProtocolError(errorCodes.methodNotFound, `Method not found: ${method.slice(0, 100)}`)
    } catch (error) {
      if (signal.aborted) throw error // nobody hears it
      throw answerable(error, method === 'tools/call' ? `the tool ${params?.name}` : method, log)
    }
  }
  inBackground(log, server.connect(transport), 'opening a session')
}

const descriptions = new WeakMap<Tool, Record<string, unknown>>() // a schema never changes, and every client asks

function describeTool(tool: Tool): Record<string, unknown> {
  const known = descriptions.get(tool)
  if (known !== undefined) return known
  // As what comes in is seen: members with a default are optional, and unknown members are allowed, for we ignore them.
  const inputSchema = z.toJSONSchema(tool.input, { target: 'draft-7', io: 'input' })
  const description = { name: tool.name, description: tool.description, inputSchema }
  descriptions.set(tool, description)
  return description
}

/** What the client hears of an error: a `ProtocolError` as it is, of everything else only that it is in the log. */
function answerable(error: unknown, what: string, log: Log): ProtocolError {
  if (!(error instanceof ProtocolError)) {
    log.error(`${what} failed`, error)
    return new ProtocolError(errorCodes.internalError, 'Internal error. :ClaudeCodeLog says more.')
  }
  try {
    JSON.stringify(error.data)
    return error
  } catch {
    return new ProtocolError(error.code, error.message) // data that JSON can't hold
  }
}
