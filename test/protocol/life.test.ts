// How long a connection lives: pings, silence, sleep, and the end of the server. Time is the test's own.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { atTestEnd } from '../support/at-test-end.ts'
import { frame, RawClient, upgradeRequest } from '../support/raw-client.ts'
import { waitFor } from '../support/wait-for.ts'
import { ManualClock } from './support/manual-clock.ts'
import { createWaitingTool, echo } from './support/sample-tools.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const second = 1000

/** A server whose time stands still. `pass` lets seconds pass in steps, and others speak in between. */
async function startInManualTime(options: Parameters<typeof startTestServer>[0] = {}) {
  const clock = new ManualClock()
  const started = await startTestServer({ ...options, clock })
  await atTestEnd(async () => {
    const ended = started.server.dispose()
    await nextTurn()
    clock.advance(second) // for clients that don't answer the close
    await ended
  })
  async function pass(seconds: number, alive: { request(method: string): Promise<unknown> }[] = []): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 10) {
      clock.advance(Math.min(10, seconds - passed) * second)
      for (const client of alive) await client.request('ping')
    }
  }
  return { ...started, clock, pass }
}

/** The number of clients, when the server has read everything that was sent to it. */
const count = ({ server }: Pick<TestServer, 'server'>) => server.clients.length

describe('a client', () => {
  test('that answers pings lives for ever', async () => {
    const { clock, connect, connectRaw, server } = await startInManualTime()
    const client = await connectRaw()
    client.send({ jsonrpc: '2.0', id: 1, method: 'initialize' })
    await client.nextMessage()
    for (let round = 0; round < 20; round += 1) {
      clock.advance(30 * second)
      const { opcode, payload } = await client.nextFrame()
      expect(opcode).toBe(9)
      client.write(frame(payload, { opcode: 10 }))
      await (await connect()).close() // everything before it has been read
    }
    expect(count({ server })).toBe(1)
    client.destroy()
  })

  test('that was not heard for 60 s is dead', async () => {
    const { pass, connectRaw, server, log } = await startInManualTime()
    const client = await connectRaw()
    client.send({ jsonrpc: '2.0', id: 1, method: 'initialize' })
    await client.nextMessage()
    await pass(50)
    expect(count({ server })).toBe(1)
    expect(await client.nextFrame()).toMatchObject({ opcode: 9 })
    await pass(10)
    expect(count({ server })).toBe(0)
    await client.end()
    expect(log.at(-1)).toContain('no sign of life')
  })

  test.each([
    ['a pong', frame('', { opcode: 10 })],
    ['a ping', frame('', { opcode: 9 })],
    ['a message', frame('{"jsonrpc":"2.0","method":"x"}')],
  ])('lives by %s, even if it never answers a ping', async (_what, sign) => {
    const { clock, connectRaw, connect, server } = await startInManualTime()
    const client = await connectRaw()
    client.send({ jsonrpc: '2.0', id: 1, method: 'initialize' })
    await client.nextMessage()
    for (let passed = 0; passed < 200; passed += 20) {
      client.write(sign)
      await (await connect()).close() // everything before it has been read
      clock.advance(20 * second)
    }
    expect(count({ server })).toBe(1)
    client.destroy()
  })

  test('with half a frame and then silence is dead after 60 s, others are not', async () => {
    const { pass, connect, connectRaw, server } = await startInManualTime()
    const other = await connect()
    const client = await connectRaw()
    client.send({ jsonrpc: '2.0', id: 1, method: 'initialize' })
    await client.nextMessage()
    client.write(frame('{"jsonrpc":"2.0"'.repeat(100)).subarray(0, 700))
    await pass(60, [other])
    await client.end()
    expect(count({ server })).toBe(1)
    expect(other.isOpen).toBe(true)
  })

  test('that sends a frame byte by byte gives no sign of life with it', async () => {
    const { clock, connect, connectRaw, server } = await startInManualTime()
    const other = await connect()
    const client = await connectRaw()
    client.send({ jsonrpc: '2.0', id: 1, method: 'initialize' })
    await client.nextMessage()
    const bytes = frame('x'.repeat(100))
    for (let at = 0; at < 6; at += 1) {
      client.write(bytes.subarray(at, at + 1))
      await other.request('ping')
      clock.advance(10 * second)
      await other.request('ping')
    }
    expect(count({ server })).toBe(1)
    await client.end()
  })

  test('is forgiven its silence while this machine slept', async () => {
    const { clock, pass, connect, connectRaw, server } = await startInManualTime()
    const client = await connectRaw()
    client.send({ jsonrpc: '2.0', id: 1, method: 'initialize' })
    await client.nextMessage()
    const other = await connect()
    await pass(10, [other])
    clock.sleep(8 * 60 * 60 * second)
    expect(count({ server })).toBe(2)
    expect(await client.nextFrame()).toMatchObject({ opcode: 9 }) // asked, and given its time
    await pass(50, [other])
    expect(count({ server })).toBe(2)
    await pass(10, [other])
    expect(count({ server })).toBe(1)
    await client.end()
  })

  test('that never says initialize is let go after 60 s of silence', async () => {
    const { clock, connect, connectRaw, server } = await startInManualTime()
    const client = await connectRaw()
    const talker = await connectRaw()
    await waitFor(() => count({ server }) === 2, 'the clients')
    for (let passed = 0; passed < 60; passed += 10) {
      client.write(frame('', { opcode: 10 })) // alive, but it says nothing
      talker.send({ jsonrpc: '2.0', id: passed, method: 'ping' })
      await talker.nextMessage()
      await (await connect()).close()
      clock.advance(10 * second)
    }
    expect(await client.closeCode()).toBe(1008)
    expect(count({ server })).toBe(1)
    client.destroy()
    talker.destroy()
  })

  test('that does not answer a close is cut after 2 s', async () => {
    const { clock, connectRaw } = await startInManualTime()
    const client = await connectRaw()
    client.write(frame(Buffer.of(0xff), { opcode: 2 }))
    expect(await client.closeCode()).toBe(1007)
    expect(client.isClosed).toBe(false)
    clock.advance(2 * second)
    await client.end()
  })
})

describe('before the upgrade', () => {
  test.each([
    ['nothing', () => ''],
    ['half a request', (request: string) => request.slice(0, 100)],
  ])('%s and silence is cut after 10 s, others are not', async (_what, sent) => {
    const { clock, port, token, connect } = await startInManualTime()
    const other = await connect()
    const client = await RawClient.connect(port)
    client.write(sent(upgradeRequest(port, token)))
    await connect() // the server knows of the connections before this one
    clock.advance(9 * second)
    await other.request('ping')
    expect(client.isClosed).toBe(false)
    clock.advance(1 * second)
    await client.end()
    await other.request('ping')
  })

  test('there is room for 256 sockets, and again after 10 s', async () => {
    const { clock, port, connect } = await startInManualTime()
    const other = await connect()
    const silent = await Promise.all(Array.from({ length: 255 }, () => RawClient.connect(port)))
    const late = await RawClient.connect(port)
    await late.end()
    expect(silent.every(client => !client.isClosed)).toBe(true)
    await other.request('ping')
    clock.advance(10 * second)
    await Promise.all(silent.map(client => client.end()))
    await (await connect()).close()
  })

  test('an upgrade ends that limit', async () => {
    const { clock, connect } = await startInManualTime()
    const client = await connect()
    clock.advance(20 * second)
    await client.request('ping')
  })
})

describe('the end of the server', () => {
  test('lets every client go with 1001, aborts what runs, and says so once for each', async () => {
    const { tool, calls } = createWaitingTool()
    const { server, connect, connectRaw, port } = await startTestServer({ tools: [tool] })
    const gone: number[] = []
    server.clientGone(client => gone.push(client.id))
    const clients = [await connect(), await connect()]
    const silent = await connectRaw()
    const abandoned = clients.map(client => client.callTool('wait').catch((error: Error) => error.message))
    await waitFor(() => calls.length === 2, 'the calls')
    await Promise.all([server.dispose(), server.dispose()])
    expect(gone).toEqual([1, 2, 3])
    expect(calls.every(({ signal }) => signal.aborted)).toBe(true)
    expect(await Promise.all(clients.map(client => client.closed))).toEqual([
      { code: 1001, reason: 'Neovim lets go' },
      { code: 1001, reason: 'Neovim lets go' },
    ])
    expect(await silent.closeCode()).toBe(1001)
    expect(await Promise.all(abandoned)).toEqual(Array.from({ length: 2 }, () => 'the connection was closed with 1001'))
    await expect(RawClient.connect(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await server.dispose()
    expect(gone).toHaveLength(3)
    expect(server.clients).toEqual([])
  })

  test('sends what was answered just before', async () => {
    const { tool, calls } = createWaitingTool()
    const { server, connect } = await startTestServer({ tools: [tool] })
    const client = await connect()
    const answered = client.callTool('wait')
    const call = await waitFor(() => calls[0], 'the call')
    call.answer('DIFF_REJECTED')
    await server.dispose()
    expect(await answered).toEqual({ content: [{ type: 'text', text: 'DIFF_REJECTED' }] })
    expect(await client.closed).toMatchObject({ code: 1001 })
  })

  test('waits 150 ms for the others, and then no longer', async () => {
    const { server, clock, connectRaw, port, connect } = await startInManualTime()
    const deaf = await connectRaw()
    deaf.stopReading()
    const half = await RawClient.connect(port)
    half.write('GET / HTTP/1.1\r\n')
    const idle = await RawClient.connect(port)
    const polite = await connect() // the server knows of those before it
    let hasEnded = false
    const ended = server.dispose().then(() => {
      hasEnded = true
    })
    await polite.closed
    clock.advance(149)
    await nextTurn() // what has ended would say so by now
    expect(hasEnded).toBe(false)
    clock.advance(1)
    await Promise.all([ended, half.end(), idle.end()])
    deaf.destroy()
  })

  test('leaves no timer behind', async () => {
    const { server, connect, clock, pass } = await startInManualTime()
    const client = await connect()
    await pass(30, [client])
    await server.dispose()
    await waitFor(() => clock.timers === 0, 'the last timer to go')
  })

  test('refuses who comes in between', async () => {
    const { server, port, token } = await startTestServer()
    const late = await RawClient.connect(port)
    const early = await RawClient.upgrade(port, token) // so that the server knows of both
    const ended = server.dispose()
    late.write(upgradeRequest(port, token))
    await ended
    await late.end()
    expect(server.clients).toEqual([])
    early.destroy()
  })
})

test('20 clients that die at once are gone once each, and a broadcast in the middle of it harms nobody', async () => {
  const { server, connect, log } = await startTestServer({ tools: [echo] })
  const gone: number[] = []
  server.clientGone(client => gone.push(client.id))
  const clients = await Promise.all(Array.from({ length: 21 }, connect))
  const survivor = clients.pop()
  for (const client of clients) {
    client.terminate()
    server.broadcast('selection_changed', { text: 'x'.repeat(10_000) })
  }
  await waitFor(() => gone.length >= 20, 'the end of 20 clients')
  await survivor?.request('ping')
  expect(new Set(gone).size).toBe(20)
  expect(gone).toHaveLength(20)
  expect(log.filter(line => / (?:ERROR|WARN) /.test(line))).toEqual([])
})
