// MCP: the handshake, the list of tools, and calls that answer, wait, fail or are cancelled.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Client } from '../../src/ide/client.ts'
import { createToken } from '../../src/ide/token.ts'
import { defineTool, type Tool, textResult } from '../../src/ide/tool.ts'
import { ClaudeClient } from '../support/claude-client.ts'
import { waitFor } from '../support/wait-for.ts'
import { createWaitingTool, echo, failingTools, repeat, secretOfTheBug } from './support/sample-tools.ts'
import { startTestServer } from './support/test-server.ts'

/** Sends `initialize` with these params as the first message; returns what is answered. */
async function initialize(params: unknown): Promise<unknown> {
  const { connectRaw } = await startTestServer({ instructions: 'Be kind' })
  const client = await connectRaw()
  client.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  const answer = await client.nextMessage()
  client.destroy()
  return answer
}

describe('initialize', () => {
  const clientInfo = { name: 'claude-code', version: '2.1.332' }
  const agreed = (protocolVersion: string) => ({
    jsonrpc: '2.0',
    id: 0,
    result: {
      protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'test', version: '1.2.3' },
      instructions: 'Be kind',
    },
  })

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('agrees to %s', async protocolVersion => {
    expect(await initialize({ protocolVersion, capabilities: {}, clientInfo })).toEqual(agreed(protocolVersion))
  })

  test.each(['2026-07-28', '2099-01-01', '1.0', ''])('offers its newest to one who wants %j', async protocolVersion => {
    expect(await initialize({ protocolVersion, capabilities: {}, clientInfo })).toEqual(agreed('2025-11-25'))
  })

  test.each([
    undefined,
    {},
    { protocolVersion: 5 },
    { protocolVersion: '2025-11-25', capabilities: true, clientInfo: 'me' },
    {
      protocolVersion: '2025-11-25',
      capabilities: { roots: 1, elicitation: [], sampling: 'x' },
      clientInfo: { name: 1 },
    },
  ])('is answered whatever the client says of itself: %j', async params => {
    expect(await initialize(params)).toEqual(agreed('2025-11-25'))
  })
})

test('a client goes from connected to ready to known, each once', async () => {
  const { server, connect, connectRaw } = await startTestServer()
  const events: string[] = []
  const note = (what: string) => (client: Client) =>
    events.push(`${what} ${client.id} ${client.isReady} ${client.processId}`)
  server.clientReady(note('ready'))
  server.ideConnected(note('known'))
  server.clientGone(note('gone'))
  const silent = await connectRaw()
  await waitFor(() => server.clients.length === 1, 'the silent client')
  const client = await connect()
  client.notify('notifications/initialized')
  await client.request('ping')
  expect(events).toEqual(['ready 2 true undefined', `known 2 true ${process.pid}`])
  expect(server.clients.map(({ id, isReady }) => [id, isReady])).toEqual([
    [1, false],
    [2, true],
  ])
  await client.close()
  silent.destroy()
  await waitFor(() => server.clients.length === 0, 'both to be gone')
  expect(events.slice(2)).toEqual([`gone 2 false ${process.pid}`, 'gone 1 false undefined'])
})

test.each([{}, { pid: 'x' }, { pid: -1 }, { pid: 1.5 }])('ide_connected with %j says no process id', async params => {
  const { server, connect } = await startTestServer()
  const client = await connect()
  const heard = new Promise<Client>(resolve => server.ideConnected(resolve))
  client.notify('ide_connected', params)
  expect((await heard).processId).toBeUndefined()
})

test('a client that skips the handshake is served too', async () => {
  const { connectRaw } = await startTestServer()
  const client = await connectRaw()
  client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'a' } } })
  expect(await client.nextMessage()).toMatchObject({ id: 1, result: { content: [{ text: '{"text":"a","times":1}' }] } })
  client.destroy()
})

test('prompts and resources are empty lists, and setting a level of logging harms nobody', async () => {
  const client = await (await startTestServer()).connect()
  expect(await client.request('prompts/list')).toEqual({ prompts: [] })
  expect(await client.request('resources/list')).toEqual({ resources: [] })
  expect(await client.request('resources/templates/list', {})).toEqual({ resourceTemplates: [] })
  expect(await client.request('logging/setLevel', { level: 'debug' })).toEqual({})
})

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

describe('a call that is cancelled', () => {
  test('is aborted and never answered, and its id is free again', async () => {
    const { tool, calls } = createWaitingTool()
    const { connectRaw, log } = await startTestServer({ tools: [tool, echo] })
    const client = await connectRaw()
    const call = { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'wait' } }
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'x', reason: 'enough' } }
    client.send(call)
    const { signal, answer } = await waitFor(() => calls[0], 'the call')
    client.send(cancel)
    await waitFor(() => signal.aborted, 'the abort')
    answer('too late')
    client.send({ ...call, method: 'ping' })
    expect(await client.nextMessage()).toEqual({ jsonrpc: '2.0', id: 'x', result: {} })
    expect(log.filter(line => line.includes(' ERROR '))).toEqual([]) // a tool that gives up as it was told to is no bug
    client.destroy()
  })

  test('in one packet with its successor of the same id does not take it along', async () => {
    const { tool, calls } = createWaitingTool()
    const { connectRaw } = await startTestServer({ tools: [tool] })
    const client = await connectRaw()
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } }
    client.send([call, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, call])
    await waitFor(() => calls.length === 2 && calls[0]?.signal.aborted, 'two calls')
    expect(calls[1]?.signal.aborted).toBe(false)
    calls[1]?.answer('second')
    expect(await client.nextMessage()).toEqual([{ jsonrpc: '2.0', id: 1, result: textResult('second') }])
    client.destroy()
  })

  test('does not keep others waiting when the tool does not listen', async () => {
    const deaf = defineTool({
      name: 'deaf',
      description: '',
      input: z.object({}),
      call: () => new Promise(() => undefined),
    })
    const client = await (await startTestServer({ tools: [deaf, echo] })).connect()
    const cancelling = new AbortController()
    const call = client.callTool('deaf', {}, { signal: cancelling.signal })
    cancelling.abort()
    await expect(call).rejects.toThrow('cancelled')
    await client.request('ping')
  })

  test('belongs to its own client: another one can not cancel it', async () => {
    const { tool, calls } = createWaitingTool()
    const { connect } = await startTestServer({ tools: [tool] })
    const [one, other] = [await connect(), await connect()]
    const call = one.callTool('wait')
    await waitFor(() => calls[0], 'the call')
    for (let requestId = 0; requestId < 10; requestId += 1) other.notify('notifications/cancelled', { requestId })
    await other.request('ping')
    expect(calls[0]?.signal.aborted).toBe(false)
    calls[0]?.answer('mine')
    expect(await call).toEqual(textResult('mine'))
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

test('the end of a connection aborts its calls, and only its own', async () => {
  const { tool, calls } = createWaitingTool()
  const { connect, server } = await startTestServer({ tools: [tool] })
  const [one, other] = [await connect(), await connect()]
  const abandoned = [one.callTool('wait'), one.callTool('wait')].map(call => call.catch(() => 'nobody answered'))
  const kept = other.callTool('wait')
  await waitFor(() => calls.length === 3, 'the calls')
  one.terminate()
  await waitFor(() => calls[0]?.signal.aborted && calls[1]?.signal.aborted, 'the abort')
  expect(server.clients).toHaveLength(1)
  calls[2]?.answer('still here')
  expect(await kept).toEqual(textResult('still here'))
  expect(await Promise.all(abandoned)).toEqual(['nobody answered', 'nobody answered'])
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

test('notifications go to those who are ready, in order, and to nobody who is gone', async () => {
  const { server, connect, connectRaw } = await startTestServer()
  const [one, other] = [await connect(), await connect()]
  const silent = await connectRaw()
  const [first] = server.clients
  for (let at = 0; at < 100; at += 1) server.broadcast('count', { at })
  for (const client of [one, other]) {
    await client.waitForNotification('count', ({ at }) => at === 99)
    expect(client.notifications.map(({ params }) => params.at)).toEqual(Array.from({ length: 100 }, (_, at) => at))
  }
  silent.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
  expect(await silent.nextMessage()).toMatchObject({ id: 1 })
  silent.destroy()
  await one.close()
  await waitFor(() => first?.isReady === false, 'the end of the first')
  first?.notify('count', { at: 100 })
  other.terminate()
})

test('a client can be told things in the very moment in which it gets ready', async () => {
  const { server, port, token } = await startTestServer()
  server.clientReady(client => client.notify('welcome', { id: client.id }))
  const client = await ClaudeClient.connect({ port, token })
  expect(await client.waitForNotification('welcome')).toEqual({ method: 'welcome', params: { id: 1 } })
})
