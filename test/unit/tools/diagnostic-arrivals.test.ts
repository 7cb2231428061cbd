// Waiting for new diagnostics, on a clock of the test's.
import { expect, test } from 'vitest'
import type { Editor } from '../../../src/neovim/editor.ts'
import { DiagnosticArrivals } from '../../../src/tools/diagnostic-arrivals.ts'
import { ManualClock } from '../../support/manual-clock.ts'

function setUp() {
  const clock = new ManualClock()
  const listeners = new Set<(payload: unknown) => void>()
  const events: Pick<Editor, 'on'> = {
    on(_event, schema, listener) {
      const own = (payload: unknown) => listener(schema.parse(payload))
      listeners.add(own)
      return { dispose: () => void listeners.delete(own) }
    },
  }
  const come = (buffer: number, count = 1) => {
    for (const listener of listeners) listener({ buffer, count })
  }
  return { clock, listeners, come, arrivals: new DiagnosticArrivals(events, clock) }
}

const { signal } = new AbortController()

/** Whether a promise has been fulfilled after everything that is due has happened. */
async function isDone(promise: Promise<void>): Promise<boolean> {
  let done = false
  void promise.then(() => {
    done = true
  })
  await new Promise(resolve => setImmediate(resolve))
  return done
}

test('the diagnostics of the buffer come: a moment later the wait is over', async () => {
  const { clock, come, arrivals } = setUp()
  const settled = arrivals.expect().settled([{ buffer: 1, since_read_ms: 0 }], signal)
  clock.advance(400)
  come(2)
  clock.advance(200)
  expect(await isDone(settled)).toBe(false)
  come(1)
  clock.advance(50)
  come(1) // another source of the same buffer
  clock.advance(50)
  expect(await isDone(settled)).toBe(false)
  clock.advance(30)
  expect(await isDone(settled)).toBe(true)
  expect(clock.timers).toBe(0)
})

test('"none" counts only when nothing follows', async () => {
  const { clock, come, arrivals } = setUp()
  const settled = arrivals.expect().settled([{ buffer: 1, since_read_ms: 0 }], signal)
  come(1, 0)
  clock.advance(300)
  expect(await isDone(settled)).toBe(false)
  clock.advance(150)
  expect(await isDone(settled)).toBe(true)
})

test('what comes before the wait begins counts too', async () => {
  const { clock, come, arrivals } = setUp()
  const arrival = arrivals.expect()
  come(1)
  const settled = arrival.settled([{ buffer: 1, since_read_ms: 0 }], signal)
  clock.advance(80)
  expect(await isDone(settled)).toBe(true)
})

test('all buffers are waited for', async () => {
  const { clock, come, arrivals } = setUp()
  const stale = [
    { buffer: 1, since_read_ms: 0 },
    { buffer: 2, since_read_ms: 0 },
  ]
  const settled = arrivals.expect().settled(stale, signal)
  come(1)
  clock.advance(500)
  expect(await isDone(settled)).toBe(false)
  come(2)
  clock.advance(80)
  expect(await isDone(settled)).toBe(true)
})

test.each([
  ['a second after the file was read', [{ buffer: 1, since_read_ms: 0 }], 1000],
  ['what is left of that second', [{ buffer: 1, since_read_ms: 600 }], 400],
  ['less after other changes', [{ buffer: 1 }], 300],
  ['less when the file was read long ago', [{ buffer: 1, since_read_ms: 5000 }], 300],
  ['the longest of several', [{ buffer: 1 }, { buffer: 2, since_read_ms: 100 }], 900],
])('nothing comes: %s', async (_, stale, ms) => {
  const { clock, arrivals } = setUp()
  const settled = arrivals.expect().settled(stale, signal)
  clock.advance(ms - 1)
  expect(await isDone(settled)).toBe(false)
  clock.advance(1)
  expect(await isDone(settled)).toBe(true)
})

test('an abort ends the wait, and nothing stays', async () => {
  const { clock, listeners, come, arrivals } = setUp()
  const abort = new AbortController()
  const arrival = arrivals.expect()
  const settled = arrival.settled([{ buffer: 1, since_read_ms: 0 }], abort.signal)
  come(1)
  abort.abort('enough')
  await expect(settled).rejects.toBe('enough')
  await expect(arrival.settled([{ buffer: 1 }], abort.signal)).rejects.toBe('enough')
  arrival.dispose()
  expect([clock.timers, listeners.size]).toEqual([0, 0])
})
