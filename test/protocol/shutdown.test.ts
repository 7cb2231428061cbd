// The end of the server, and of many clients at once.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { RawClient, upgradeRequest } from '../support/raw-client.ts'
import { waitFor } from '../support/wait-for.ts'
import { startInManualTime } from './support/manual-time.ts'
import { createWaitingTool, echo } from './support/sample-tools.ts'
import { startTestServer } from './support/test-server.ts'

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

test('W-02: 20 clients that die at once are gone once each, and a broadcast in the middle of it harms nobody', async () => {
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
