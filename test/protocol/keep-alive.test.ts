// Which connections live on, and which silence ends them. Time is the test's own.
import { describe, expect, test } from 'vitest'
import { frame, RawClient, upgradeRequest } from '../support/raw-client.ts'
import { waitFor } from '../support/wait-for.ts'
import { startInManualTime } from './support/manual-time.ts'

const second = 1000

describe('a client', () => {
  test('W-04: that answers pings lives for ever, and is sent nothing but pings', async () => {
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
    expect(server.clients.length).toBe(1)
    client.destroy()
  })

  test('that was not heard for 60 s is dead', async () => {
    const { pass, connectRaw, server, log } = await startInManualTime()
    const client = await connectRaw()
    client.send({ jsonrpc: '2.0', id: 1, method: 'initialize' })
    await client.nextMessage()
    await pass(50)
    expect(server.clients.length).toBe(1)
    expect(await client.nextFrame()).toMatchObject({ opcode: 9 })
    await pass(10)
    expect(server.clients.length).toBe(0)
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
    expect(server.clients.length).toBe(1)
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
    expect(server.clients.length).toBe(1)
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
    expect(server.clients.length).toBe(1)
    await client.end()
  })

  test('W-03: is forgiven its silence while this machine slept', async () => {
    const { clock, pass, connect, connectRaw, server } = await startInManualTime()
    const client = await connectRaw()
    client.send({ jsonrpc: '2.0', id: 1, method: 'initialize' })
    await client.nextMessage()
    const other = await connect()
    await pass(10, [other])
    clock.sleep(8 * 60 * 60 * second)
    expect(server.clients.length).toBe(2)
    expect(await client.nextFrame()).toMatchObject({ opcode: 9 }) // asked, and given its time
    await pass(50, [other])
    expect(server.clients.length).toBe(2)
    await pass(10, [other])
    expect(server.clients.length).toBe(1)
    await client.end()
  })

  test('that never says initialize is let go after 60 s of silence', async () => {
    const { clock, connect, connectRaw, server } = await startInManualTime()
    const client = await connectRaw()
    const talker = await connectRaw()
    await waitFor(() => server.clients.length === 2, 'the clients')
    for (let passed = 0; passed < 60; passed += 10) {
      client.write(frame('', { opcode: 10 })) // alive, but it says nothing
      talker.send({ jsonrpc: '2.0', id: passed, method: 'ping' })
      await talker.nextMessage()
      await (await connect()).close()
      clock.advance(10 * second)
    }
    expect(await client.closeCode()).toBe(1008)
    expect(server.clients.length).toBe(1)
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
