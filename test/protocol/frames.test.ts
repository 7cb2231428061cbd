// What the frames of a client may be, and how it is let go when they are something else (RFC 6455).
import { deflateRawSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ClaudeClient } from '../support/claude-client.ts'
import { type FrameOptions, frame, RawClient, upgradeRequest } from '../support/raw-client.ts'
import { waitFor } from '../support/wait-for.ts'
import { type SpawnedServer, spawnServer } from './support/spawn-server.ts'

const mebibyte = 1024 * 1024
let server: SpawnedServer

beforeAll(async () => {
  server = await spawnServer()
})
afterAll(() => server.stop())
afterEach(() => server.expectUnharmed())

const connect = (headers: Record<string, string> = {}) => RawClient.upgrade(server.port, server.token, headers)

/** Sends these bytes on a new connection; returns the code with which it is closed. */
async function codeFor(...frames: Buffer[]): Promise<number> {
  const client = await connect()
  for (const bytes of frames) client.write(bytes)
  const code = await client.closeCode()
  client.destroy()
  return code
}

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
const pong = { jsonrpc: '2.0', id: 1, result: {} }

describe('W-05: a frame against the protocol closes with 1002', () => {
  test.each<[string, string, FrameOptions]>([
    ['without a mask', ping, { isMasked: false }],
    ['with the first reserved bit', ping, { reserved: 4 }],
    ['with the second reserved bit', ping, { reserved: 2 }],
    ['with the third reserved bit', ping, { reserved: 1 }],
    ['with a reserved opcode', ping, { opcode: 3 }],
    ['with a reserved control opcode', '', { opcode: 11 }],
    ['that continues nothing', ping, { opcode: 0 }],
    ['of a ping in fragments', 'x', { opcode: 9, isLast: false }],
    ['of a ping with more than 125 bytes', 'x'.repeat(126), { opcode: 9 }],
    ['of a close with half a code', 'x', { opcode: 8 }],
    ['of a close with a code that never is sent', '\x03\xed', { opcode: 8 }],
  ])('%s', async (_what, payload, options) => {
    expect(await codeFor(frame(Buffer.from(payload, 'latin1'), options))).toBe(1002)
  })

  test('and so does a message that begins inside another', async () => {
    const before = server.log.length
    expect(await codeFor(frame('{', { isLast: false }), frame(ping))).toBe(1002)
    const gone = await waitFor(() => server.log.slice(before).find(line => line.includes('is gone')), 'the end')
    expect(gone).toContain('Invalid WebSocket frame: invalid opcode 1') // the log says why
  })
})

describe('W-05: text that is not UTF-8 closes with 1007', () => {
  const invalid = Buffer.from([0x22, 0xc3, 0x28, 0x22])
  test('in a text message', async () => expect(await codeFor(frame(invalid))).toBe(1007))
  test('in a binary message', async () => expect(await codeFor(frame(invalid, { opcode: 2 }))).toBe(1007))
  test('in a surrogate', async () => expect(await codeFor(frame(Buffer.from('22eda08022', 'hex')))).toBe(1007))
  test('in the reason of a close', async () =>
    expect(await codeFor(frame(Buffer.from([0x03, 0xe8, 0xff]), { opcode: 8 }))).toBe(1007))
  test('but not when only a fragment ends inside a character', async () => {
    const message = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 'ü€😀', method: 'ping' }))
    const client = await connect()
    message.forEach((byte, at) => {
      client.write(frame(Buffer.of(byte), { opcode: at === 0 ? 1 : 0, isLast: at === message.length - 1 }))
    })
    expect(await client.nextMessage()).toEqual({ ...pong, id: 'ü€😀' })
    client.destroy()
  })
})

describe('a message', () => {
  test('in a binary frame is as good as text', async () => {
    const client = await connect()
    client.write(frame(ping, { opcode: 2 }))
    expect(await client.nextMessage()).toEqual(pong)
    client.destroy()
  })

  test('in fragments, with pings in between, is one message', async () => {
    const client = await connect()
    client.write(frame(ping.slice(0, 9), { isLast: false }))
    client.write(frame('are you there?', { opcode: 9 }))
    client.write(frame('', { opcode: 0, isLast: false }))
    client.write(frame(ping.slice(9), { opcode: 0 }))
    expect(await client.nextFrame()).toEqual({ opcode: 10, payload: Buffer.from('are you there?') })
    expect(await client.nextMessage()).toEqual(pong)
    client.destroy()
  })

  test('byte by byte is one message', async () => {
    const client = await connect()
    for (const byte of frame(ping)) client.write(Buffer.of(byte))
    expect(await client.nextMessage()).toEqual(pong)
    client.destroy()
  })

  test('in the same packet as the upgrade is a message', async () => {
    const client = await RawClient.connect(server.port)
    client.write(Buffer.concat([Buffer.from(upgradeRequest(server.port, server.token)), frame(ping)]))
    expect(await client.httpAnswer()).toMatchObject({ status: 101 })
    expect(await client.nextMessage()).toEqual(pong)
    client.destroy()
  })

  test('many in one packet are many messages', async () => {
    const client = await connect()
    const many = Array.from({ length: 50 }, (_, id) => frame(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })))
    client.write(Buffer.concat(many))
    for (let id = 0; id < 50; id += 1) expect(await client.nextMessage()).toEqual({ ...pong, id })
    client.destroy()
  })
})

describe('a close', () => {
  test('is answered with the same code', async () => {
    expect(await codeFor(frame(Buffer.from([0x03, 0xe8]), { opcode: 8 }))).toBe(1000)
    expect(await codeFor(frame('', { opcode: 8 }))).toBe(1005)
  })

  test('ends the conversation: what follows is not answered', async () => {
    const client = await connect()
    client.write(Buffer.concat([frame(Buffer.from([0x03, 0xe8]), { opcode: 8 }), frame(ping)]))
    expect(await client.nextFrame()).toMatchObject({ opcode: 8 })
    await client.end()
    await expect(client.nextFrame()).rejects.toThrow('closed without a frame')
  })
})

describe('W-05: too much', () => {
  // A process for each, because the most memory that one ever took hides all that comes after it.
  let shared: SpawnedServer
  beforeEach(async () => {
    shared = server
    server = await spawnServer()
  })
  afterEach(async () => {
    await server.expectUnharmed()
    await server.stop()
    server = shared
  })

  test('a frame of 101 MiB is closed with 1009 as soon as it says so', async () => {
    expect(await codeFor(frame('', { length: 101 * mebibyte }).subarray(0, 14))).toBe(1009)
  })

  test('and so is one that goes on and on', async () => {
    const client = await connect()
    client.write(frame('', { length: 101 * mebibyte }))
    const chunk = Buffer.alloc(mebibyte)
    for (let sent = 0; sent < 101 && !client.isClosed; sent += 1) client.write(chunk)
    expect(await client.closeCode()).toBe(1009)
    client.destroy()
  })

  test('a frame of more bytes than there are numbers for is closed with 1009', async () => {
    expect(await codeFor(Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))).toBe(1009)
  })

  test('101 MiB in fragments are closed with 1009, at 100 MiB', async () => {
    const client = await connect()
    const fragment = Buffer.alloc(4 * mebibyte, 0x20)
    client.write(frame(fragment, { isLast: false }))
    for (let sent = 4; sent < 104 && !client.isClosed; sent += 4)
      client.write(frame(fragment, { opcode: 0, isLast: false }))
    expect(await client.closeCode()).toBe(1009)
    client.destroy()
    await server.expectUnharmed({ mebibytes: 250 }) // up to the limit it could be a message
  })

  test('a message of very many fragments is closed with 1008', async () => {
    const fragments = Array.from({ length: 20_000 }, (_, at) => frame('', { opcode: at === 0 ? 1 : 0, isLast: false }))
    expect(await codeFor(Buffer.concat(fragments))).toBe(1008)
  })

  test('a small compressed frame that would be 101 MiB is closed, for compression was not agreed', async () => {
    const client = await connect({ 'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits' })
    client.write(frame(deflateRawSync(Buffer.alloc(101 * mebibyte, 0x20)), { reserved: 4 }))
    expect(await client.closeCode()).toBe(1002)
    client.destroy()
  })

  test('a message that takes gigabytes and minutes to parse is refused without parsing it', async () => {
    for (const hostile of ['[],', '{},', '[', '{"":']) {
      const client = await connect()
      const text = `[${hostile.repeat((20 * mebibyte) / hostile.length)}`
      client.send(text)
      expect(await client.nextMessage()).toMatchObject({ id: null, error: { code: -32600 } })
      client.destroy()
    }
    await server.expectUnharmed({ mebibytes: 200 }) // the text itself: bytes, and again as a string
  })

  test('a client that asks and never reads is cut off', async () => {
    const client = await connect()
    client.stopReading()
    const params = { name: 'repeat', arguments: { text: 'x'.repeat(1024), times: 1024 } }
    for (let id = 0; id < 300; id += 1) client.send({ jsonrpc: '2.0', id, method: 'tools/call', params })
    await waitFor(() => server.log.some(line => line.includes('stopped reading')), 'the cut')
    await server.expectUnharmed({ mebibytes: 200 })
    client.destroy()
  })

  test('a client that pings and never reads is cut off', async () => {
    const client = await connect()
    client.stopReading()
    const pings = Buffer.concat(Array.from({ length: 1000 }, () => frame('x'.repeat(125), { opcode: 9 })))
    await waitFor(() => {
      if (client.unsentBytes < mebibyte) client.write(pings)
      return client.isClosed
    }, 'the cut')
  })

  test('is not a file of 30 MiB, with all its line breaks and quotes', async () => {
    const client = await ClaudeClient.connect({ port: server.port, token: server.token })
    const text = '\tconsole.log("[{,", \'\\\\\')\n'.repeat(1_000_000)
    const { content } = await client.callTool('echo', { text })
    expect(JSON.parse(content[0]?.text ?? '').text === text).toBe(true)
    await client.close()
    await server.expectUnharmed({ mebibytes: 500 })
  })
})

test('W-02: 20 clients that die at once take nobody with them', async () => {
  const options = { port: server.port, token: server.token }
  const clients = await Promise.all(Array.from({ length: 20 }, () => ClaudeClient.connect(options)))
  const before = server.log.length
  for (const client of clients) client.terminate()
  const gone = () => server.log.slice(before).filter(line => line.includes('is gone')).length
  await waitFor(() => gone() === 20, '20 clients to be gone')
  expect(server.log.filter(line => / (?:ERROR|WARN) /.test(line))).toEqual([])
})
