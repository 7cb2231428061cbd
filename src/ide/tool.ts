// What a tool is: a name, a schema of its arguments, and a function that answers.
import type { z } from 'zod'
import type { Client } from './client.ts'

/** One item of a tool's answer, as MCP has it. */
export type ToolContent = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string }

/** A tool's answer (protocol document, "Available MCP Tools": every result is a content array). */
export interface ToolResult {
  content: ToolContent[]
  isError?: boolean
}

/** Who asked, and the signal that says nobody waits for the answer any more (cancelled, or the client is gone). */
export interface ToolCall {
  readonly client: Client
  readonly signal: AbortSignal
}

/** A tool as the server lists and calls it. Its arguments have passed `input` before `call` sees them. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  /** False: it answers who calls it, but is not in `tools/list`. */
  readonly isListed?: boolean
  /** Answers, or throws a `ProtocolError` for the client to see. Anything else that it throws is a bug of ours (-32603). */
  call(input: unknown, call: ToolCall): Promise<ToolResult>
}

/** Makes a tool whose `call` gets the type that its schema promises. */
export function defineTool<Schema extends z.ZodObject>(tool: {
  name: string
  description: string
  input: Schema
  call(input: z.infer<Schema>, call: ToolCall): Promise<ToolResult>
}): Tool {
  return { ...tool, call: (input, call) => tool.call(input as z.infer<Schema>, call) }
}

/** An answer of text items, one for each argument. */
export function textResult(...texts: string[]): ToolResult {
  return { content: texts.map(text => ({ type: 'text' as const, text })) }
}

/** An answer of one text item that holds `value` as JSON, as most tools of the protocol document answer. */
export function jsonResult(value: unknown): ToolResult {
  return textResult(JSON.stringify(value))
}
