// The envelope: what is a request, what is answered with an error, and what with nothing (JSON-RPC 2.0).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RawClient } from '../support/raw-client.ts'
import { echo } from './support/sample-tools.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.server.dispose())

const sentinel = { jsonrpc: '2.0', id: 'the last', method: 'ping' }

/** Sends these texts on a new connection; returns everything that is answered. */
async function answersTo(...texts: string[]): Promise<unknown[]> {
  const client = await server.connectRaw()
  for (const text of texts) client.send(text)
  const answers = await answersSoFar(client)
  client.destroy()
  return answers
}

/** All answers up to now. Answers keep their order here, for nothing in these tests waits. */
async function answersSoFar(client: RawClient): Promise<unknown[]> {
  client.send(sentinel)
  const answers: unknown[] = []
  for (;;) {
    const answer = (await client.nextMessage()) as { id?: unknown }
    if (answer.id === sentinel.id) return answers
    answers.push(answer)
  }
}

const error = (id: unknown, code: number, message = expect.any(String)) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
const pong = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} })

describe('what is not JSON is a parse error, with the id null', () => {
  test.each([
    '',
    ' ',
    '{',
    '{"jsonrpc":"2.0","id":1,"method":"ping"',
    "{'a':1}",
    'undefined',
    'NaN',
    '01',
    '"\n"',
    '\ufeff{}',
    '{}{}',
  ])('%j', async text => expect(await answersTo(text)).toEqual([error(null, -32700)]))
})

describe('what is no request object is invalid', () => {
  test.each<[string, unknown]>([
    ['5', null],
    ['-0.5', null],
    ['"ping"', null],
    ['true', null],
    ['null', null],
    ['{}', null],
    ['{"id":7}', 7],
    ['{"jsonrpc":"2.0","id":7}', 7],
    ['{"id":7,"method":"ping"}', 7],
    ['{"jsonrpc":"1.0","id":7,"method":"ping"}', 7],
    ['{"jsonrpc":2.0,"id":"a","method":"ping"}', 'a'],
    ['{"jsonrpc":"2.0","id":7,"method":5}', 7],
    ['{"jsonrpc":"2.0","id":7,"method":null}', 7],
    ['{"jsonrpc":"2.0","id":7,"method":{"a":1}}', 7],
    ['{"jsonrpc":"2.0","method":1,"params":"bar"}', null],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":5}', 7],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":"a"}', 7],
    ['{"jsonrpc":"2.0","method":"ping","params":true}', null],
  ])('%s', async (text, id) => expect(await answersTo(text)).toEqual([error(id, -32600)]))
})

describe('an id', () => {
  test.each(['0', '-1', '1.5', '9007199254740991', '"1"', '""', '"\\u0000ü"', JSON.stringify('x'.repeat(5000))])(
    'of %s comes back as it is',
    async id => expect(await answersTo(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).toEqual([pong(JSON.parse(id))]),
  )

  test.each(['null', 'true', '{}', '[1]', '{"a":{}}', '9007199254740993', '12345678901234567890', '1e400', '-1e300'])(
    'of %s can not come back, and is refused',
    async id => expect(await answersTo(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).toEqual([error(null, -32600)]),
  )

  test('as a number is another than as a text', async () => {
    const texts = ['1', '"1"'].map(id => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`)
    expect(await answersTo(...texts)).toEqual([pong(1), pong('1')])
  })

  test('that was answered may be used again', async () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const client = await server.connectRaw()
    for (let round = 0; round < 3; round += 1) {
      client.send(text)
      expect(await client.nextMessage()).toEqual(pong(1))
    }
    client.destroy()
  })

  test('in the name of Object.prototype is only a name', async () => {
    const texts = ['__proto__', 'constructor'].map(id => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }))
    expect(await answersTo(...texts)).toEqual([pong('__proto__'), pong('constructor')])
  })
})

describe('params', () => {
  const call = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${params}}`
  const listed = { jsonrpc: '2.0', id: 1, result: { tools: [expect.objectContaining({ name: echo.name })] } }

  test.each(['{}', 'null', '{"cursor":"x"}', '{"_meta":5}', '{"_meta":{"progressToken":{}}}', '{"inputResponses":7}'])(
    'of %s are taken',
    async params => expect(await answersTo(call(params))).toEqual([listed]),
  )

  test.each(['[]', '[1,2]'])('by position (%s) are invalid params', async params => {
    expect(await answersTo(call(params))).toEqual([error(1, -32602, 'params: expected an object')])
  })

  test('with the keys of a prototype change nothing', async () => {
    const params =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"_meta":{"__proto__":{"polluted":1}}}'
    expect(await answersTo(call(params))).toEqual([listed])
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

test('members that nobody knows are no fault', async () => {
  expect(await answersTo('{"jsonrpc":"2.0","id":1,"method":"ping","extra":{"a":1},"__proto__":{"id":2}}')).toEqual([
    pong(1),
  ])
})

describe('W-11: a method that does not exist', () => {
  test.each([
    'nope',
    '',
    'tools',
    'rpc.discover',
    '__proto__',
    'toString',
    'prompts/get',
    'resources/read',
    'completion/complete',
    'server/discover',
    'tasks/list',
    'notifications/initialized',
  ])('%j', async method => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { name: 'x' } })
    expect(await answersTo(text)).toEqual([error(1, -32601)])
  })

  test('is not repeated at length', async () => {
    const [answer] = await answersTo(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(10_000) }))
    expect(JSON.stringify(answer).length).toBeLessThan(300)
  })
})

describe('nothing is answered to', () => {
  test.each([
    '{"jsonrpc":"2.0","method":"nope"}',
    '{"jsonrpc":"2.0","method":"nope","params":[1]}',
    '{"jsonrpc":"2.0","method":"ping"}',
    '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}',
    '{"jsonrpc":"2.0","method":"ide_connected"}',
    '{"jsonrpc":"2.0","method":"ide_connected","params":{"pid":"x"}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized","params":{"_meta":7}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12}}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}',
    '{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}',
  ])('%s', async text => expect(await answersTo(text)).toEqual([]))
})

describe('a batch', () => {
  const one = (id: unknown, method = 'ping') => ({ jsonrpc: '2.0', id, method })

  test('is answered by one array', async () => {
    const batch = [one(1), { jsonrpc: '2.0', method: 'nope' }, 5, one(2, 'nope'), one('three')]
    const [answers, ...more] = await answersTo(JSON.stringify(batch))
    expect(more).toEqual([])
    expect(answers).toHaveLength(4)
    expect(answers).toEqual(expect.arrayContaining([pong(1), error(null, -32600), error(2, -32601), pong('three')]))
  })

  test('of notifications is answered by nothing', async () => {
    expect(
      await answersTo(
        JSON.stringify([
          { jsonrpc: '2.0', method: 'a' },
          { jsonrpc: '2.0', id: 1, result: 1 },
        ]),
      ),
    ).toEqual([])
  })

  test('of rubbish is answered piece by piece', async () => {
    expect(await answersTo('[1,[],null]')).toEqual([Array.from({ length: 3 }, () => error(null, -32600))])
  })

  test('that is empty is invalid', async () => expect(await answersTo('[]')).toEqual([error(null, -32600)]))

  test('of more than 100 is refused as a whole', async () => {
    const batch = (length: number) => JSON.stringify(Array.from({ length }, (_, id) => one(id)))
    expect(await answersTo(batch(101))).toEqual([error(null, -32600)])
    expect(await answersTo(batch(100))).toEqual([expect.objectContaining({ length: 100 })])
  })

  test('with one id twice has an answer for each', async () => {
    const [answers] = await answersTo(JSON.stringify([one(1), one(1)]))
    expect(answers).toHaveLength(2)
    expect(answers).toEqual(expect.arrayContaining([pong(1), error(1, -32600)]))
  })
})
