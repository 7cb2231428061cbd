// `tools/call`: from params that may be anything to a result that is one.
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
 * @throws {ProtocolError} -32602 for an unknown tool (MCP, "Tools", Error Handling) and for wrong arguments, with the
 * name of each.
 * @throws what the tool throws; an Error when its answer is none.
 */
export async function callTool(tools: readonly Tool[], params: unknown, call: ToolCall, log: Log): Promise<ToolResult> {
  const request = parse(CallParams, params ?? {})
  const tool = tools.find(({ name }) => name === request.name)
  if (tool === undefined) {
    throw new ProtocolError(errorCodes.invalidParams, `Unknown tool: ${request.name.slice(0, 100)}`)
  }
  const input = parse(tool.input, request.arguments)
  log.trace(`client ${call.client.id} calls ${tool.name}`)
  const result = await tool.call(input, call)
  Result.parse(result)
  return result
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
