// Where Claude's hooks post to: who is let in, what is read, and that Claude always gets an empty answer at once.
import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createLog } from '../../src/base/log.ts'
import { type HookEvent, type HookServer, startHookServer } from '../../src/hooks/hook-server.ts'
import { atTestEnd } from '../support/at-test-end.ts'
import { RawClient } from '../support/raw-client.ts'
import { waitFor } from '../support/wait-for.ts'

const maxKeptBytes = 1000
const maxBodyBytes = 100_000
const secret = 'the secret'

let server: HookServer
let received: HookEvent[]
let log: string[]

beforeEach(async () => {
  received = []
  log = []
  server = await startHookServer({
    portRange: { min: 20_000, max: 60_000 },
    preferredPort: undefined,
    secret,
    receive: event => received.push(event),
    log: createLog(
      line => log.push(line),
      () => 'trace',
    ),
    clock: systemClock,
    maxKeptBytes,
    maxBodyBytes,
  })
  await atTestEnd(() => server.dispose())
})

interface Post {
  path?: string
  token?: string | undefined
  method?: string
  body?: string
  headers?: Record<string, string>
}

async function post({
  path = '/Stop',
  token = server.tokenFor('one'),
  method = 'POST',
  body = '{}',
  ...rest
}: Post = {}) {
  const response = await fetch(`${server.urlFor('one')}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...rest.headers },
    ...(method === 'POST' ? { body } : {}),
  })
  return { status: response.status, text: await response.text() }
}

test('an event is answered with nothing, and passed on', async () => {
  const body = { notification_type: 'idle_prompt', tool_name: 7, transcript_path: '/t.jsonl', prompt: 'secret words' }
  expect(await post({ path: '/Notification', body: JSON.stringify(body) })).toEqual({ status: 200, text: '' })
  expect(received).toEqual([
    {
      session: 'one',
      name: 'Notification',
      body: { notification_type: 'idle_prompt', tool_name: undefined, transcript_path: '/t.jsonl' },
    },
  ])
})

describe('nobody else learns anything', () => {
  test.each<[string, Post, number]>([
    ['a wrong token', { token: '0'.repeat(64) }, 401],
    ['an empty token', { token: '' }, 401],
    ['another session’s token', { token: undefined, headers: {} }, 401],
    ['another path', { path: '/Stop/more' }, 401],
    ['a wrong method without a token', { method: 'GET', token: 'no' }, 401],
    ['a wrong method', { method: 'GET' }, 405],
    ['a browser', { headers: { Origin: 'http://127.0.0.1' } }, 403],
  ])('%s', async (what, request, status) => {
    const token = what === 'another session’s token' ? server.tokenFor('two') : request.token
    expect(await post({ ...request, ...(token === undefined ? {} : { token }) })).toEqual({ status, text: '' })
    expect(received).toEqual([])
    expect(log.join('\n')).not.toContain(server.tokenFor('one'))
  })

  test('who turned a name to this machine', async () => {
    const client = await RawClient.connect(server.port)
    client.write(`POST /hooks/one/Stop HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n`)
    expect(await client.httpAnswer()).toEqual({
      status: 403,
      headers: { connection: 'close', 'content-length': '0' },
      body: '',
    })
  })
})

describe('a body', () => {
  test('that is large is not kept, and its event counts', async () => {
    const body = JSON.stringify({ tool_name: 'AskUserQuestion', tool_response: 'x'.repeat(50_000) })
    expect(await post({ path: '/PostToolUse', body })).toEqual({ status: 200, text: '' })
    expect(received).toEqual([{ session: 'one', name: 'PostToolUse', body: {} }])
  })

  test('that is huge is cut off', async () => {
    const answer = await post({ body: 'x'.repeat(300_000) }).catch(() => ({ status: 413, text: '' })) // cut while it writes
    expect(answer).toEqual({ status: 413, text: '' })
    expect(received).toEqual([])
  })

  test.each(['', '{', 'null', '[]', '"text"'])('%j is no fault of Claude’s', async body => {
    expect(await post({ body })).toEqual({ status: 200, text: '' })
    expect(received).toEqual([{ session: 'one', name: 'Stop', body: {} }])
    expect(log.join('\n')).not.toContain('ERROR')
  })

  test('of an event that is not known is answered, and that is all', async () => {
    expect(await post({ path: '/SomethingNew' })).toEqual({ status: 200, text: '' })
    expect(received).toEqual([])
  })

  test('that breaks off harms nobody', async () => {
    const client = await RawClient.connect(server.port)
    const authorization = `Authorization: Bearer ${server.tokenFor('one')}`
    client.write(`POST /hooks/one/Stop HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}\r\nContent-Length: 10\r\n\r\n{`)
    client.destroy()
    await waitFor(() => log.some(line => line.includes('413')), 'the end of it')
    expect(await post()).toEqual({ status: 200, text: '' })
  })
})

test('a host that comes after another one listens where that did, with the same tokens', async () => {
  const { port } = server
  const token = server.tokenFor('one')
  await server.dispose()
  const next = await startHookServer({
    portRange: { min: 20_000, max: 60_000 },
    preferredPort: port,
    secret,
    receive: () => {},
    log: createLog(
      () => {},
      () => 'error',
    ),
    clock: systemClock,
  })
  await atTestEnd(() => next.dispose())
  expect([next.port, next.tokenFor('one')]).toEqual([port, token])
})
