// The handshake, what a client is told of the server, and who is told what.
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createDeferred } from '../../src/base/deferred.ts'
import type { Client } from '../../src/ide/client.ts'
import { ClaudeClient } from '../support/claude-client.ts'
import { waitFor } from '../support/wait-for.ts'
import { startTestServer } from './support/test-server.ts'

/** Sends `initialize` with these params as the first message; returns what is answered. */
async function initialize(params: unknown): Promise<unknown> {
  const { connectRaw } = await startTestServer()
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

test('W-11: prompts and resources are empty lists, and setting a level of logging harms nobody', async () => {
  const client = await (await startTestServer()).connect()
  expect(await client.request('prompts/list')).toEqual({ prompts: [] })
  expect(await client.request('resources/list')).toEqual({ resources: [] })
  expect(await client.request('resources/templates/list', {})).toEqual({ resourceTemplates: [] })
  expect(await client.request('logging/setLevel', { level: 'debug' })).toEqual({})
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

test('a client that comes before the server is open waits, and is let in then', async () => {
  const open = createDeferred<void>()
  const { server, connect } = await startTestServer({ openFrom: open.promise })
  const connecting = connect()
  expect(await Promise.race([connecting, pause(100, 'waits')])).toBe('waits') // a wrong admission would have come
  expect(server.clients).toEqual([])
  open.resolve()
  expect(await (await connecting).request('ping')).toEqual({})
})
