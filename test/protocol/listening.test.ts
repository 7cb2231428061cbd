// When a client takes in what it is told. Time is the test's own.
import { describe, expect, test } from 'vitest'
import { atTestEnd } from '../support/at-test-end.ts'
import { waitFor } from '../support/wait-for.ts'
import { startInManualTime } from './support/manual-time.ts'

const second = 1000

describe('a client listens', () => {
  /** A server that notes when clients listen, and a client that has said that it is initialized. */
  async function begin() {
    const started = await startInManualTime()
    const heard: number[] = []
    started.server.clientListening(({ id }) => heard.push(id))
    const client = await started.connectRaw()
    async function ask(method: string): Promise<void> {
      client.send({ jsonrpc: '2.0', id: method, method })
      expect(await client.nextMessage()).toMatchObject({ id: method })
    }
    const initialized = () => client.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await atTestEnd(() => client.destroy())
    return { ...started, heard, client, ask, initialized }
  }

  test('900 ms after it was told the tools, once', async () => {
    const { heard, ask, initialized, clock } = await begin()
    await ask('initialize')
    initialized()
    await ask('tools/list')
    clock.advance(899)
    expect(heard).toEqual([])
    await ask('tools/list')
    await ask('initialize')
    clock.advance(1)
    expect(heard).toEqual([1])
    await ask('tools/list')
    initialized()
    await ask('ping')
    clock.advance(10 * second)
    expect(heard).toEqual([1])
  })

  test('1 s after it was initialized, when it does not ask for the tools', async () => {
    const { heard, ask, initialized, clock } = await begin()
    await ask('initialize')
    initialized()
    await ask('ping')
    clock.advance(999)
    expect(heard).toEqual([])
    clock.advance(1)
    expect(heard).toEqual([1])
    await ask('tools/list')
    clock.advance(5 * second)
    expect(heard).toEqual([1])
  })

  test('not before it is initialized, even when it was told the tools long ago', async () => {
    const { heard, ask, initialized, clock } = await begin()
    await ask('initialize')
    await ask('tools/list')
    clock.advance(5 * second)
    expect(heard).toEqual([])
    initialized()
    await ask('ping')
    clock.advance(900)
    expect(heard).toEqual([1])
  })

  test('not when it is gone', async () => {
    const { heard, ask, initialized, clock, client, server } = await begin()
    await ask('initialize')
    initialized()
    await ask('tools/list')
    client.destroy()
    await waitFor(() => server.clients.length === 0, 'its end')
    clock.advance(10 * second)
    expect(heard).toEqual([])
  })
})
