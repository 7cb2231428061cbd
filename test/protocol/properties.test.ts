// Whatever comes in, however it is cut: each request has one answer, and the connection lives.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { frame, RawClient } from '../support/raw-client.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer
let client: RawClient

beforeAll(async () => {
  server = await startTestServer()
  client = await RawClient.upgrade(server.port, server.token)
})
afterAll(async () => {
  client.destroy()
  await server.server.dispose()
})

/** All text messages up to the answer to a last call. No other answer takes longer than that of a call. */
async function answersUpTo(id: string): Promise<unknown[]> {
  client.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { text: 'the last' } } })
  const answers: unknown[] = []
  for (;;) {
    const { opcode, payload } = await client.nextFrame()
    if (opcode === 10) continue
    expect(opcode, 'opcode').toBe(1)
    const answer = JSON.parse(payload.toString())
    if (answer.id === id) return answers
    answers.push(answer)
  }
}

/** Cuts `bytes` at these places, given as parts of the whole. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map(place => Math.floor(place * bytes.length)), bytes.length].sort((a, b) => a - b)
  return ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
}

const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })
const text = fc.string({ unit: 'binary', maxLength: 300 }).map(value => value.toWellFormed())
const control = fc.option(fc.record({ opcode: fc.constantFrom(9, 10), payload: fc.uint8Array({ maxLength: 125 }) }))

test('valid messages, in any fragments and any packets, are answered once each', async () => {
  let run = 0
  const messages = fc.array(fc.record({ text, places, control, isBinary: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(messages, places, async (all, packets) => {
      run += 1
      const frames = all.flatMap(({ text, places, control, isBinary }, id) => {
        const call = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { text } } }
        const fragments = cut(Buffer.from(JSON.stringify(call)), places)
        return fragments.flatMap((fragment, at) => {
          const opcode = at > 0 ? 0 : isBinary ? 2 : 1
          const one = frame(fragment, { opcode, isLast: at === fragments.length - 1 })
          return control ? [one, frame(Buffer.from(control.payload), control)] : [one]
        })
      })
      for (const packet of cut(Buffer.concat(frames), packets)) client.write(packet)
      const answers = (await answersUpTo(`framing ${run}`)) as { id: number; result: { content: { text: string }[] } }[]
      expect(answers.map(({ id }) => id).sort()).toEqual(all.map((_, id) => id))
      for (const { id, result } of answers) {
        expect(JSON.parse(result.content[0]?.text ?? '')).toEqual({ text: all[id]?.text, times: 1 })
      }
    }),
    { numRuns: 150 },
  )
})

const member = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    '2.0',
    'ping',
    'tools/list',
    'tools/call',
    'initialize',
    'notifications/initialized',
    'ide_connected',
    {},
  ),
)
const envelope = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 5, arbitrary: fc.constant('2.0') }, member),
    id: fc.oneof(fc.integer(), fc.string(), fc.double(), member),
    method: member,
    params: fc.oneof(fc.dictionary(fc.string(), member), fc.record({ name: member, arguments: member }), member),
    result: member,
    error: member,
    [' ']: member,
  },
  { requiredKeys: [] },
)
const single = fc.oneof({ weight: 3, arbitrary: envelope }, fc.jsonValue({ maxDepth: 3 }))

/** What JSON-RPC 2.0 says about a message, written down apart from the code: an id that is answered, or `nothing`. */
function expectedId(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return null
  const { jsonrpc, id, method, params } = message as Record<string, unknown>
  const isExact = typeof id === 'string' || (typeof id === 'number' && Math.abs(id) <= 2 ** 53 - 1)
  const usable = isExact ? id : null
  if (jsonrpc !== '2.0') return usable
  if (method === undefined) return 'result' in message || 'error' in message ? 'nothing' : usable
  if (typeof method !== 'string') return usable
  if (id !== undefined) return usable
  return typeof params === 'object' || params === undefined ? 'nothing' : null
}

test('any JSON is answered or not, as JSON-RPC says, and nothing breaks', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof(single, fc.array(single, { maxLength: 4 })), async value => {
      run += 1
      const sent = JSON.stringify(value)
      const seen: unknown = JSON.parse(sent) // -0 and the like
      client.send(sent)
      const answers = (await answersUpTo(`json ${run}`)) as { id: unknown; error?: { code: number } }[]
      const messages = Array.isArray(seen) ? seen : [seen]
      const ids = messages.map(expectedId).filter(id => id !== 'nothing')
      const byText = (one: unknown, other: unknown) =>
        String(JSON.stringify(one)).localeCompare(String(JSON.stringify(other)))
      if (Array.isArray(seen) && seen.length > 0 && ids.length > 0) {
        expect(answers).toHaveLength(1)
        expect((answers[0] as unknown as { id: unknown }[]).map(({ id }) => id).sort(byText)).toEqual(ids.sort(byText))
      } else {
        expect(answers.map(({ id }) => id)).toEqual(Array.isArray(seen) && seen.length === 0 ? [null] : ids)
      }
      for (const { error } of answers) expect([undefined, -32600, -32601, -32602]).toContain(error?.code)
    }),
    { numRuns: 1000 },
  )
  expect(server.log.filter(line => line.includes(' ERROR '))).toEqual([])
})

test('any bytes end in an answer or in the end of that connection, and of no other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async bytes => {
      const other = await RawClient.upgrade(server.port, server.token)
      other.write(Buffer.from(bytes))
      expect(await answersUpTo('bytes')).toEqual([])
      other.destroy()
    }),
    { numRuns: 100 },
  )
  expect(server.log.filter(line => line.includes(' ERROR '))).toEqual([])
})
