// A server whose time is the test's own.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { atTestEnd } from '../../support/at-test-end.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { startTestServer } from './test-server.ts'

const second = 1000

/** A server whose time stands still. `pass` lets seconds pass in steps, and others speak in between. */
export async function startInManualTime(options: Parameters<typeof startTestServer>[0] = {}) {
  const clock = new ManualClock()
  const started = await startTestServer({ ...options, clock })
  await atTestEnd(async () => {
    const ended = started.server.dispose()
    await nextTurn()
    clock.advance(second) // for clients that don't answer the close
    await ended
  })
  async function pass(seconds: number, alive: { request(method: string): Promise<unknown> }[] = []): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 10) {
      clock.advance(Math.min(10, seconds - passed) * second)
      for (const client of alive) await client.request('ping')
    }
  }
  return { ...started, clock, pass }
}
