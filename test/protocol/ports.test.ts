// Which port a server takes.
import { createServer, type Server } from 'node:net'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/base/errors.ts'
import { atTestEnd } from '../support/at-test-end.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { waitFor } from '../support/wait-for.ts'
import { startTestServer } from './support/test-server.ts'

/** Takes a port, any one or that one. */
async function take(port = 0): Promise<{ port: number; free(): Promise<void> }> {
  const server: Server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const free = () => new Promise<void>(resolve => server.close(() => resolve()))
  await atTestEnd(free)
  return { port: (server.address() as { port: number }).port, free }
}

describe('a range', () => {
  test('of one free port gives that port', async () => {
    const taken = await take()
    await taken.free()
    const { port } = await startTestServer({ portRange: { min: taken.port, max: taken.port } })
    expect(port).toBe(taken.port)
  })

  test('whose ports are all taken is an error that names the option', async () => {
    const { port } = await take()
    const started = startTestServer({ portRange: { min: port, max: port } })
    await expect(started).rejects.toThrow(UserError)
    await expect(started).rejects.toThrow(/port_range/)
  })

  test('is searched from end to end: the only free port is found, wherever the search begins', async () => {
    for (let round = 0; round < 10; round += 1) {
      const first = await take()
      const around = [first.port - 2, first.port - 1, first.port + 1, first.port + 2]
      const taken = await Promise.all(around.map(port => take(port).catch(() => undefined))) // or by someone else
      await first.free()
      const { port, server } = await startTestServer({ portRange: { min: first.port - 2, max: first.port + 2 } })
      expect(port).toBe(first.port)
      await server.dispose()
      await Promise.all(taken.map(one => one?.free()))
    }
  })

  test('is entered anywhere: servers one after the other do not take one port after the other', async () => {
    const ports = new Set<number>()
    for (let round = 0; round < 10; round += 1) {
      const { port, server } = await startTestServer({ portRange: { min: 20_000, max: 60_000 } })
      expect(port).toBeGreaterThanOrEqual(20_000)
      expect(port).toBeLessThanOrEqual(60_000)
      ports.add(port)
      await server.dispose()
    }
    expect(ports.size).toBeGreaterThan(5)
  })

  test('that makes no sense is an error, not a search', async () => {
    await expect(startTestServer({ portRange: { min: 70_000, max: 70_001 } })).rejects.toThrow(RangeError)
  })
})

test('20 servers started at once get 20 ports', async () => {
  const servers = await Promise.all(
    Array.from({ length: 20 }, () => startTestServer({ portRange: { min: 30_000, max: 30_099 } })),
  )
  expect(new Set(servers.map(({ port }) => port)).size).toBe(20)
  const clients = await Promise.all(servers.map(({ connect }) => connect()))
  for (const client of clients) await client.close()
})

describe('a preferred port', () => {
  test('that is free is taken, in the range or not', async () => {
    const taken = await take()
    await taken.free()
    const { port } = await startTestServer({ preferredPort: taken.port, portRange: { min: 20_000, max: 20_100 } })
    expect(port).toBe(taken.port)
  })

  test('that gets free a little later is waited for', async () => {
    const taken = await take()
    const clock = new ManualClock()
    const started = startTestServer({ preferredPort: taken.port, clock })
    await waitFor(() => clock.timers > 0, 'the first try')
    clock.advance(100)
    await waitFor(() => clock.timers > 0, 'the second try')
    await taken.free()
    clock.advance(100)
    expect((await started).port).toBe(taken.port)
  })

  test('that stays taken is given up after 2 s', async () => {
    const taken = await take()
    const clock = new ManualClock()
    const began = clock.now()
    let port: number | undefined
    const started = startTestServer({ preferredPort: taken.port, clock }).then(server => {
      port = server.port
    })
    await waitFor(() => {
      if (port === undefined && clock.timers > 0) clock.advance(100)
      return port
    }, 'another port')
    await started
    expect(port).not.toBe(taken.port)
    expect(clock.now() - began).toBe(2000)
  })
})
