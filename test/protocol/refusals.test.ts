// Who is refused before the upgrade, and what they learn from it: the status, and nothing else.
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ClaudeClient } from '../support/claude-client.ts'
import { RawClient, upgradeRequest } from '../support/raw-client.ts'
import { waitFor } from '../support/wait-for.ts'
import { type SpawnedServer, spawnServer } from './support/spawn-server.ts'

let server: SpawnedServer

beforeAll(async () => {
  server = await spawnServer()
})
afterAll(() => server.stop())
afterEach(() => server.expectUnharmed())

/** Sends an upgrade request with other headers than the CLI's and returns the answer. */
async function upgrade(headers: Record<string, string | undefined>) {
  return ask(upgradeRequest(server.port, server.token, headers))
}

async function ask(request: string | Buffer) {
  const client = await RawClient.connect(server.port)
  client.write(request)
  const answer = await client.httpAnswer()
  if (answer.status === 101) client.destroy()
  return answer
}

const bare = (status: number) => ({ status, headers: { connection: 'close', 'content-length': '0' }, body: '' })
const tokenName = 'X-Claude-Code-Ide-Authorization'

describe('W-14: a browser page', () => {
  test.each(['https://evil.example', 'http://localhost', 'http://127.0.0.1:3000', 'null', 'file://', ''])(
    'with the origin %j is refused, although it has the token',
    async origin => expect(await upgrade({ Origin: origin })).toEqual(bare(403)),
  )

  test('learns the same with and without a token, with and without an upgrade', async () => {
    const answers = await Promise.all([
      upgrade({ Origin: 'https://evil.example' }),
      upgrade({ Origin: 'https://evil.example', [tokenName]: undefined }),
      upgrade({ Origin: 'https://evil.example', [tokenName]: 'wrong' }),
      upgrade({ Origin: 'https://evil.example', Upgrade: undefined, Connection: 'keep-alive' }),
      upgrade({ Host: 'rebound.example' }),
    ])
    for (const answer of answers) expect(answer).toEqual(bare(403))
  })

  test('is told nothing by a preflight request', async () => {
    const request = `OPTIONS / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: ${tokenName}\r\n\r\n`
    expect(await ask(request)).toEqual(bare(403))
  })
})

describe('W-14: a Host', () => {
  test.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.example#127.0.0.1',
    '127.0.0.1@evil.example',
    '0.0.0.0',
    '192.168.1.2',
    '[::2]',
    '::1',
    '',
  ])('of %j is refused', async host => expect(await upgrade({ Host: host })).toEqual(bare(403)))

  test.each(['127.0.0.1', '127.0.0.1:1', 'localhost', 'LocalHost:65535', '[::1]', '[::1]:8080'])(
    'of %j is this machine',
    async host => expect(await upgrade({ Host: host })).toMatchObject({ status: 101 }),
  )

  test('that is missing is refused', async () => {
    expect(await ask('GET / HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')).toEqual(bare(403))
  })
})

describe('W-14: a token', () => {
  test('that is missing is refused', async () => {
    expect(await upgrade({ [tokenName]: undefined })).toEqual(bare(401))
  })

  test('that is wrong is refused, whatever it has in common with the right one', async () => {
    const { token } = server
    const wrong = ['', 'x', token.slice(1), `${token}0`, token.toUpperCase(), `${token}, ${token}`, 'f'.repeat(32)]
    for (const given of wrong) expect(await upgrade({ [tokenName]: given })).toEqual(bare(401))
  })

  test('that was sent twice is refused', async () => {
    const request = upgradeRequest(server.port, server.token)
    expect(await ask(request.replace('\r\n\r\n', `\r\n${tokenName}: ${server.token}\r\n\r\n`))).toEqual(bare(401))
  })

  test('in the URL or as a cookie does not count', async () => {
    const request = upgradeRequest(server.port, server.token, {
      [tokenName]: undefined,
      Cookie: `${tokenName}=${server.token}`,
    })
    expect(await ask(request.replace('GET / ', `GET /?${tokenName}=${server.token} `))).toEqual(bare(401))
  })

  test('that is right is let in, and answered with the subprotocol that the CLI asks for and no compression', async () => {
    const answer = await upgrade({ 'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits' })
    expect(answer.status).toBe(101)
    expect(answer.headers).toMatchObject({ 'sec-websocket-protocol': 'mcp', upgrade: 'websocket' })
    expect(answer.headers).not.toHaveProperty('sec-websocket-extensions')
  })

  test('is not to be found in the log', async () => {
    await upgrade({})
    await upgrade({ [tokenName]: `${server.token}0` })
    await waitFor(() => server.log.some(line => line.includes('401')), 'the refusal in the log')
    expect(server.log.join('\n')).not.toContain(server.token)
  })
})

describe('what is no WebSocket upgrade', () => {
  const refused = {
    ...bare(426),
    headers: { connection: 'close, Upgrade', upgrade: 'websocket', 'content-length': '0' },
  }

  test.each([
    ['a plain request', { Connection: 'keep-alive', Upgrade: undefined }],
    ['another protocol', { Upgrade: 'h2c' }],
    ['a request without Connection: Upgrade', { Connection: 'keep-alive' }],
  ])('%s is told what to ask for', async (_what, headers) => expect(await upgrade(headers)).toEqual(refused))

  test('a POST with a body is told so too', async () => {
    const request = upgradeRequest(server.port, server.token, {
      Connection: undefined,
      Upgrade: undefined,
      'Content-Length': '3',
    })
    expect(await ask(request.replace('GET', 'POST').concat('abc'))).toEqual(refused)
  })

  test('a CONNECT is cut', async () => {
    const client = await RawClient.connect(server.port)
    client.write('CONNECT example.com:80 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    await client.end()
  })
})

describe('what is no good HTTP', () => {
  test('garbage is a bad request', async () => {
    expect(await ask('\x16\x03\x01\x02\0\x01\0\x01\xfc\r\n\r\n')).toEqual({
      ...bare(400),
      headers: { connection: 'close' },
    })
  })

  test.each([
    ['no key', { 'Sec-WebSocket-Key': undefined }],
    ['a short key', { 'Sec-WebSocket-Key': 'AAAA' }],
    ['another version', { 'Sec-WebSocket-Version': '12' }],
  ])('an upgrade with %s is a bad request', async (_what, headers) =>
    expect(await upgrade(headers)).toMatchObject({ status: 400 }),
  )

  test('1 MB of header is too much, and cut long before its end', async () => {
    const request = upgradeRequest(server.port, server.token, { 'X-Padding': 'x'.repeat(1024 * 1024) })
    expect(await ask(request)).toEqual({ ...bare(431), headers: { connection: 'close' } })
  })

  test('header lines without end are too much', async () => {
    const client = await RawClient.connect(server.port)
    client.write(upgradeRequest(server.port, server.token).slice(0, -2))
    const lines = Array.from({ length: 2000 }, (_, at) => `X-${at}: ${at}\r\n`).join('')
    client.write(lines)
    expect(await client.httpAnswer()).toMatchObject({ status: 431 })
  })

  test('16 KiB of header is not too much', async () => {
    expect(await upgrade({ 'X-Padding': 'x'.repeat(15 * 1024) })).toMatchObject({ status: 101 })
  })
})

test('there is room for 64 clients, and again when one has left', async () => {
  const options = { port: server.port, token: server.token }
  const clients = await Promise.all(Array.from({ length: 63 }, () => ClaudeClient.connect(options))) // and the bystander
  expect(await upgrade({})).toEqual(bare(503))
  expect(await upgrade({ [tokenName]: 'wrong' })).toEqual(bare(401)) // who has no token does not learn how many there are
  await clients[0]?.close()
  const late = await waitFor(() => ClaudeClient.connect(options).catch(() => undefined), 'room for another client')
  expect((await late.callTool('echo', { text: 'here' })).content).toHaveLength(1)
  await Promise.all([late, ...clients.slice(1)].map(client => client.close()))
})

test('L-13: nobody is served at another address of this machine', async () => {
  const others = Object.values(networkInterfaces()).flatMap(found => found ?? [])
  const addresses = ['127.0.0.2', '::1', ...others.map(({ address }) => address)].filter(
    address => address !== '127.0.0.1',
  )
  for (const address of addresses) {
    const code = await new Promise(resolve => {
      const socket = connect(server.port, address, () => resolve('connected'))
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      socket.once('connect', () => socket.destroy())
    })
    expect(code, address).toMatch(/^(?:ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH|EINVAL|EHOSTUNREACH)$/)
  }
})
