// `tools/call`: from params that may be anything to a result that is one, or an error that says no more than it must.
import { z } from 'zod'
import { errorCodes, ProtocolError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { isRecord } from './envelope.ts'
import type { Tool, ToolCall, ToolResult } from './tool.ts'

const CallParams = z.object({
  name: z.string(),
  arguments: z
    .custom<Record<string, unknown>>(isRecord, 'expected an object')
    .nullish()
    .transform(value => value ?? {}),
})

const Result = z.object({
  content: z.array(
    z.union([
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
    ]),
  ),
  isError: z.boolean().optional(),
})

/**
 * Calls the tool that `params` name. Missing arguments are `{}`; arguments that the tool does not know are ignored.
 * Rejects when the call's signal is aborted, whether the tool heeds it or not.
 * @throws {ProtocolError} -32602 for an unknown tool (MCP, "Tools", Error Handling) and for wrong arguments, with the
 * name of each; what the tool threw, if it was one; -32603 for everything else, which is in the log.
 */
export async function callTool(tools: readonly Tool[], params: unknown, call: ToolCall, log: Log): Promise<ToolResult> {
  const request = parse(CallParams, params ?? {})
  const tool = tools.find(({ name }) => name === request.name)
  if (tool === undefined) {
    throw new ProtocolError(errorCodes.invalidParams, `Unknown tool: ${request.name.slice(0, 100)}`)
  }
  const input = parse(tool.input, request.arguments)
  log.trace(`client ${call.client.id} calls ${tool.name}`)
  try {
    const result = await untilAborted(call.signal, tool.call(input, call))
    Result.parse(result)
    return result
  } catch (error) {
    if (call.signal.aborted) throw error // nobody hears it
    if (error instanceof ProtocolError) throw sendable(error)
    log.error(`the tool ${tool.name} failed`, error)
    throw new ProtocolError(errorCodes.internalError, 'Internal error. :ClaudeCodeLog says more.')
  }
}

const shownIssues = 5 // enough to mend a call; a message is not a dump

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.slice(0, shownIssues).map(({ path, message }) => {
    const name = path.length === 0 ? 'arguments' : path.map(String).join('.')
    return `${name}: ${message.replace(/^Invalid input: /, '')}`
  })
  throw new ProtocolError(errorCodes.invalidParams, issues.join('; '))
}

/** Settles as `work` does, or rejects when `signal` is aborted first. */
function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** The same error, without data that JSON can't hold. */
function sendable(error: ProtocolError): ProtocolError {
  try {
    JSON.stringify(error.data)
    return error
  } catch {
    return new ProtocolError(error.code, error.message)
  }
}
