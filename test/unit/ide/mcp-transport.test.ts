// What can't happen over a socket: answers of the SDK that can't be written, or that come when nobody waits.
import { expect, test } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import { McpTransport } from '../../../src/ide/mcp-transport.ts'

/** A transport with a pretended SDK that collects the numbers of the requests that it gets. */
function createTransport() {
  const written: unknown[] = []
  const numbers: number[] = []
  const log: string[] = []
  const transport = new McpTransport({
    write: text => written.push(JSON.parse(text)),
    onInitialize: () => undefined,
    log: createLog(
      line => log.push(line),
      () => 'trace',
    ),
  })
  transport.onmessage = message => 'id' in message && numbers.push(Number(message.id))
  return { transport, written, numbers, log }
}

const request = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'x' })
const unwritable = { jsonrpc: '2.0', result: { big: 1n } } as const

test('an answer that can not be written becomes an internal error, for the id that the client gave', async () => {
  const { transport, written, numbers, log } = createTransport()
  transport.receive(JSON.stringify(request('mine')))
  const [id = NaN] = numbers
  await transport.send({ ...unwritable, id })
  expect(written).toEqual([{ jsonrpc: '2.0', id: 'mine', error: { code: -32603, message: 'Internal error' } }])
  expect(log[0]).toContain('ERROR')
})

test('and so do all answers of its batch', async () => {
  const { transport, written, numbers } = createTransport()
  transport.receive(JSON.stringify([request('a'), request('b')]))
  const [one = NaN, other = NaN] = numbers
  await transport.send({ ...unwritable, id: one })
  expect(written).toEqual([])
  await transport.send({ jsonrpc: '2.0', id: other, result: {} })
  expect(written).toMatchObject([
    [
      { id: 'a', error: { code: -32603 } },
      { id: 'b', error: { code: -32603 } },
    ],
  ])
})

test('a second answer to a request, one to no request, and one after the end go nowhere', async () => {
  const { transport, written, numbers } = createTransport()
  transport.receive(JSON.stringify(request(1)))
  transport.receive(JSON.stringify(request(2)))
  const [one = NaN, other = NaN] = numbers
  const answer = { jsonrpc: '2.0', result: {} } as const
  await transport.send({ ...answer, id: one })
  await transport.send({ ...answer, id: one })
  await transport.send({ ...answer, id: 77 })
  await transport.close()
  await transport.send({ ...answer, id: other })
  transport.notify('x', {})
  expect(written).toEqual([{ ...answer, id: 1 }])
})
