// The list of tools, and calls that answer, wait or fail.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createToken } from '../../src/ide/token.ts'
import { defineTool, type Tool, textResult } from '../../src/ide/tool.ts'
import { ClaudeClient } from '../support/claude-client.ts'
import { waitFor } from '../support/wait-for.ts'
import { createWaitingTool, echo, failingTools, repeat, secretOfTheBug } from './support/sample-tools.ts'
import { startTestServer } from './support/test-server.ts'

test('tools/list has the tools as they are at that moment, with JSON schemas that allow more than they know', async () => {
  const tools = [echo]
  const client = await (await startTestServer({ tools })).connect()
  expect(client.tools).toEqual([
    {
      name: 'echo',
      description: 'Answers what it was asked',
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: {
          text: { type: 'string' },
          times: { type: 'integer', default: 1, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
        },
        required: ['text'],
      },
    },
  ])
  tools.push(repeat as typeof echo)
  expect(await client.request('tools/list')).toMatchObject({ tools: [{ name: 'echo' }, { name: 'repeat' }] })
})

describe('tools/call', () => {
  test('gives a tool its arguments with their defaults, without those that it does not know', async () => {
    const client = await (await startTestServer()).connect()
    expect(await client.callTool('echo', { text: 'ü😀\0', unknown: [1] })).toEqual(
      textResult('{"text":"ü😀\\u0000","times":1}'),
    )
  })

  test.each([undefined, null, {}])('takes arguments of %j as none', async none => {
    const { tool, calls } = createWaitingTool()
    const client = await (await startTestServer({ tools: [tool] })).connect()
    const answer = client.request('tools/call', { name: 'wait', ...(none !== undefined && { arguments: none }) })
    ;(await waitFor(() => calls[0], 'the call')).answer('done')
    expect(await answer).toEqual(textResult('done'))
  })

  test.each<[Record<string, unknown>, string]>([
    [{ name: 'echo', arguments: {} }, 'text: expected string, received undefined'],
    [{ name: 'echo', arguments: { text: 5 } }, 'text: expected string, received number'],
    [{ name: 'echo', arguments: { text: 'a', times: 'b' } }, 'times: expected number, received string'],
    [
      { name: 'echo', arguments: { text: 1, times: 1.5 } },
      'text: expected string, received number; times: expected int, received number',
    ],
    [{ name: 'echo', arguments: [] }, 'arguments: expected an object'],
    [{ name: 'echo', arguments: 'text' }, 'arguments: expected an object'],
    [{ name: 'deep', arguments: { list: [{ at: 1 }, {}] } }, 'list.1.at: expected number, received undefined'],
    [{ arguments: {} }, 'name: expected string, received undefined'],
    [{ name: 5 }, 'name: expected string, received number'],
    [{}, 'name: expected string, received undefined'],
    [{ name: 'nope' }, 'Unknown tool: nope'],
    [{ name: '__proto__' }, 'Unknown tool: __proto__'],
  ])('answers %j with invalid params and says which', async (params, message) => {
    const deep = defineTool({
      name: 'deep',
      description: '',
      input: z.object({ list: z.array(z.object({ at: z.number() })) }),
      call: async () => textResult(),
    })
    const client = await (await startTestServer({ tools: [echo, deep] })).connect()
    await expect(client.request('tools/call', params)).rejects.toMatchObject({ code: -32602, message, data: undefined })
  })

  test('has nothing to do with the keys of a prototype', async () => {
    const { connectRaw } = await startTestServer()
    const client = await connectRaw()
    const text = '{"text":"a","__proto__":{"times":7},"constructor":{"prototype":{"times":7}}}'
    client.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${text}}}`)
    expect(await client.nextMessage()).toMatchObject({ result: { content: [{ text: '{"text":"a","times":1}' }] } })
    client.destroy()
  })

  test('passes on what a tool refuses', async () => {
    const client = await (await startTestServer({ tools: failingTools })).connect()
    await expect(client.callTool('refuse')).rejects.toMatchObject({
      code: -32000,
      message: 'That diff is open',
      data: { tab: 'a' },
    })
    await expect(client.callTool('refuseWithCycle')).rejects.toMatchObject({
      code: -32000,
      message: 'In a circle',
      data: undefined,
    })
  })

  test.each(['throw', 'throwAtOnce', 'throwUserError', 'throwNothing', 'throwWithCode', 'answerNonsense'])(
    'answers a bug (%s) with one neutral sentence, and logs it with its stack',
    async name => {
      const { connect, log } = await startTestServer({ tools: failingTools })
      const client = await connect()
      const error = await client.callTool(name).catch((thrown: Error) => thrown)
      expect(error).toMatchObject({
        code: -32603,
        message: 'Internal error. :ClaudeCodeLog says more.',
        data: undefined,
      })
      const entry = log.find(line => line.includes(`the tool ${name} failed`))
      expect(entry).toContain('ERROR')
      if (name !== 'throwNothing') expect(entry).toMatch(/\n {4}at /)
      if (name.startsWith('throw') && name !== 'throwNothing') expect(entry).toContain(secretOfTheBug)
    },
  )

  test('and tools/list answer a bug in the list of tools in the same way', async () => {
    const { port, token, log } = await startTestServer({
      tools: new Proxy<Tool[]>([], {
        get() {
          throw new Error(secretOfTheBug)
        },
      }),
    })
    await expect(ClaudeClient.connect({ port, token })).rejects.toMatchObject({
      code: -32603,
      message: 'Internal error. :ClaudeCodeLog says more.',
    })
    expect(log.some(line => line.includes('tools/list failed') && line.includes(secretOfTheBug))).toBe(true)
  })

  test('never shows the token in the log, whatever goes wrong', async () => {
    const token = createToken()
    const leak = defineTool({
      name: 'leak',
      description: '',
      input: z.object({}),
      call: () => Promise.reject(new Error(`the token is ${token}`)),
    })
    const { connect, log } = await startTestServer({ tools: [leak], token })
    await expect((await connect()).callTool('leak')).rejects.toMatchObject({ code: -32603 })
    expect(log.join('\n')).toContain('the token is [token]')
    expect(log.join('\n')).not.toContain(token)
  })

  test('waits while others are answered', async () => {
    const { tool, calls } = createWaitingTool()
    const client = await (await startTestServer({ tools: [tool, echo] })).connect()
    const first = client.callTool('wait')
    const second = client.callTool('wait')
    await client.callTool('echo', { text: 'in between' })
    calls[1]?.answer('second')
    expect(await second).toEqual(textResult('second'))
    calls[0]?.answer('first')
    expect(await first).toEqual(textResult('first'))
  })
})

test('a request with the id of one that still runs is refused, and the first is answered all the same', async () => {
  const { tool, calls } = createWaitingTool()
  const { connectRaw } = await startTestServer({ tools: [tool] })
  const client = await connectRaw()
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } }
  client.send(call)
  client.send(call)
  expect(await client.nextMessage()).toMatchObject({ id: 1, error: { code: -32600 } })
  expect(calls).toHaveLength(1)
  calls[0]?.answer('done')
  expect(await client.nextMessage()).toMatchObject({ id: 1, result: textResult('done') })
  client.destroy()
})

test('1000 calls may wait, one more is refused', async () => {
  const { tool, calls } = createWaitingTool()
  const client = await (await startTestServer({ tools: [tool] })).connect()
  const waiting = Array.from({ length: 1000 }, () => client.callTool('wait'))
  await expect(client.callTool('wait')).rejects.toMatchObject({ code: -32000 })
  for (const call of calls) call.answer('done')
  expect(await Promise.all(waiting)).toHaveLength(1000)
})

test('what is sent is always well-formed, whatever a tool or an event says', async () => {
  const half = defineTool({
    name: 'half',
    description: '',
    input: z.object({}),
    call: async () => textResult('\ud83d', 'a\udc00b', '\\ud83d 😀'),
  })
  const { connect, server } = await startTestServer({ tools: [half] })
  const client = await connect()
  expect(await client.callTool('half')).toEqual(textResult('\ufffd', 'a\ufffdb', '\\ud83d 😀'))
  server.broadcast('selection_changed', { text: '\ud83d', '\udfff': 1 })
  expect(await client.waitForNotification('selection_changed')).toMatchObject({
    params: { text: '\ufffd', '\ufffd': 1 },
  })
})

test('a notification that can not be written is logged and harms nobody', async () => {
  const { connect, server, log } = await startTestServer()
  const client = await connect()
  server.broadcast('bad', { big: 1n })
  server.broadcast('good', {})
  await client.waitForNotification('good')
  expect(client.notifications.map(({ method }) => method)).toEqual(['good'])
  expect(log.some(line => line.includes('ERROR') && line.includes('JSON'))).toBe(true)
})
