// Tools for the protocol tests: one that answers, one that waits, and some that go wrong.
import { z } from 'zod'
import { createDeferred } from '../../../src/base/deferred.ts'
import { ProtocolError, UserError } from '../../../src/base/errors.ts'
import { defineTool, jsonResult, type Tool, type ToolResult, textResult } from '../../../src/ide/tool.ts'

/** What the tools say when they go wrong in a way that no client may hear of. */
export const secretOfTheBug = 'the secret in /home/user/private'

/** Answers its arguments as JSON. */
export const echo = defineTool({
  name: 'echo',
  description: 'Answers what it was asked',
  input: z.object({ text: z.string(), times: z.int().default(1) }),
  call: async input => jsonResult(input),
})

/** Answers `text`, repeated: a small question with a big answer. */
export const repeat = defineTool({
  name: 'repeat',
  description: 'Answers a text many times over',
  input: z.object({ text: z.string(), times: z.int() }),
  call: async ({ text, times }) => textResult(text.repeat(times)),
})

/** A tool that waits until it is told to answer, heeds its signal, and remembers its calls. */
export function createWaitingTool() {
  const calls: { signal: AbortSignal; answer(text: string): void }[] = []
  const tool = defineTool({
    name: 'wait',
    description: 'Answers when it is told to',
    input: z.object({}),
    call(_input, { signal }) {
      const answer = createDeferred<ToolResult>()
      signal.addEventListener('abort', () => answer.reject(signal.reason), { once: true })
      calls.push({ signal, answer: text => answer.resolve(textResult(text)) })
      return answer.promise
    },
  })
  return { tool, calls }
}

function failing(name: string, call: () => Promise<ToolResult>): Tool {
  return defineTool({ name, description: 'Goes wrong', input: z.object({}), call })
}

/** Tools that go wrong, by how. */
export const failingTools: Tool[] = [
  failing('refuse', async () => {
    throw new ProtocolError(-32000, 'That diff is open', { tab: 'a' })
  }),
  failing('refuseWithCycle', async () => {
    const data: unknown[] = []
    data.push(data)
    throw new ProtocolError(-32000, 'In a circle', data)
  }),
  failing('throw', async () => {
    throw new Error(secretOfTheBug)
  }),
  failing('throwAtOnce', () => {
    throw new TypeError(secretOfTheBug)
  }),
  failing('throwUserError', async () => {
    throw new UserError(secretOfTheBug)
  }),
  failing('throwNothing', () => Promise.reject(undefined)),
  failing('throwWithCode', async () => {
    throw Object.assign(new Error(secretOfTheBug), { code: -32000, data: secretOfTheBug })
  }),
  failing('answerNonsense', async () => ({ content: [{ type: 'text' }] }) as unknown as ToolResult),
]
