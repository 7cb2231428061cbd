// The watchdog against an editor that does as the test says, on a clock of the test's.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createDeferred } from '../../../src/base/deferred.ts'
import type { Editor, EditorMode } from '../../../src/neovim/editor.ts'
import { createWatchdog, EditorBusyError } from '../../../src/neovim/watchdog.ts'
import { ManualClock } from '../../support/manual-clock.ts'

/** An editor that answers when the test says so; `mode` is what it says of itself, nothing while it is silent. */
function createEditor() {
  const answer = createDeferred<unknown>()
  const state = {
    answer,
    mode: undefined as EditorMode | undefined,
    expiresAfterMs: undefined as number | undefined,
    probes: 0,
  }
  const editor: Editor = {
    channel: 1,
    gone: new Promise(() => undefined),
    async call(_name, _args, result, expiresAfterMs) {
      state.expiresAfterMs = expiresAfterMs
      return result.parse(await answer.promise)
    },
    readMode() {
      state.probes += 1
      return state.mode ? Promise.resolve(state.mode) : new Promise(() => undefined)
    },
    on: () => ({ dispose: () => undefined }),
  }
  return { editor, state }
}

const waitsForKey = { mode: 'r', blocking: true }
const works = { mode: 'n', blocking: false }
const patient = new AbortController().signal

/** Moves the clock in small steps, with time for what was caused in between. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    clock.advance(50)
    await new Promise(resolve => setImmediate(resolve))
  }
}

/** The outcome of a promise so far. */
function follow(promise: Promise<unknown>) {
  const seen: { value?: unknown; error?: unknown } = {}
  promise.then(
    value => {
      seen.value = value
    },
    error => {
      seen.error = error
    },
  )
  return seen
}

test('an answer in time is the answer, and the call says for how long it is good', async () => {
  const clock = new ManualClock()
  const { editor, state } = createEditor()
  const seen = follow(createWatchdog(editor, clock).call('a.b', {}, z.string(), { signal: patient }))
  await pass(clock, 3900)
  state.answer.resolve('late, but there')
  await pass(clock, 50)
  expect(seen).toEqual({ value: 'late, but there' })
  expect(state.expiresAfterMs).toBe(4000)
})

test.each([
  [waitsForKey, /waits for a key/],
  [works, /too busy to answer within 4 s/],
  [undefined, /has not answered for 4 s/],
])('no answer: an error within 5 s that says why (%o)', async (mode, reason) => {
  const clock = new ManualClock()
  const { editor, state } = createEditor()
  state.mode = mode
  const seen = follow(createWatchdog(editor, clock).call('a.b', {}, z.string(), { signal: patient }))
  await pass(clock, 4200)
  expect(seen).toEqual({})
  await pass(clock, 400)
  expect(seen.error).toBeInstanceOf(EditorBusyError)
  expect(String(seen.error)).toMatch(reason)
})

test('who has something else to say does not wait for a key, but for a busy editor', async () => {
  const clock = new ManualClock()
  const { editor, state } = createEditor()
  state.mode = waitsForKey
  const watchdog = createWatchdog(editor, clock)
  const seen = follow(watchdog.call('a.b', {}, z.string(), { signal: patient, forMs: 1000, forKeyMs: 200 }))
  await pass(clock, 200)
  expect(seen).toEqual({})
  await pass(clock, 300)
  expect(seen.error).toBeInstanceOf(EditorBusyError)

  state.mode = works
  const busy = follow(watchdog.call('a.b', {}, z.string(), { signal: patient, forMs: 1000, forKeyMs: 200 }))
  await pass(clock, 1200)
  expect(busy).toEqual({})
  await pass(clock, 300)
  expect(busy.error).toBeInstanceOf(EditorBusyError)
})

test('one key that is awaited for an instant is no reason to give up', async () => {
  const clock = new ManualClock()
  const { editor, state } = createEditor()
  const watchdog = createWatchdog(editor, clock)
  const seen = follow(watchdog.call('a.b', {}, z.string(), { signal: patient, forMs: 2000, forKeyMs: 150 }))
  for (let round = 0; round < 8; round++) {
    state.mode = round % 2 === 0 ? waitsForKey : works
    await pass(clock, 100)
  }
  expect(seen).toEqual({})
})

test('an abort ends the wait with its reason, before or while it lasts', async () => {
  const clock = new ManualClock()
  const { editor } = createEditor()
  const watchdog = createWatchdog(editor, clock)
  const abort = new AbortController()
  const seen = follow(watchdog.call('a.b', {}, z.string(), { signal: abort.signal }))
  abort.abort('nobody waits')
  await pass(clock, 50)
  expect(seen).toEqual({ error: 'nobody waits' })
  await expect(watchdog.call('a.b', {}, z.string(), { signal: abort.signal })).rejects.toBe('nobody waits')
})

test('nothing is asked of the editor any more when the wait is over', async () => {
  const clock = new ManualClock()
  const { editor, state } = createEditor()
  state.mode = works
  const watchdog = createWatchdog(editor, clock)
  const call = watchdog.call('a.b', {}, z.string(), { signal: patient })
  await pass(clock, 500)
  state.answer.resolve('done')
  await call
  await pass(clock, 100)
  const { probes } = state
  await pass(clock, 2000)
  expect(state.probes).toBe(probes)
})

test('an editor that says nothing is asked for its mode once, not again and again', async () => {
  const clock = new ManualClock()
  const { editor, state } = createEditor()
  const watchdog = createWatchdog(editor, clock)
  const calls = [1, 2, 3].map(() => follow(watchdog.call('a.b', {}, z.string(), { signal: patient })))
  await pass(clock, 4500)
  expect(state.probes).toBe(1)
  for (const { error } of calls) expect(error).toBeInstanceOf(EditorBusyError)
})

test.each([
  [waitsForKey, true],
  [undefined, true],
  [works, false],
])('work with calls of its own is waited for, unless Neovim answers nobody (%o)', async (mode, isOver) => {
  const clock = new ManualClock()
  const { editor, state } = createEditor()
  state.mode = mode
  const work = createDeferred<string>()
  const seen = follow(createWatchdog(editor, clock).watch(work.promise, patient))
  await pass(clock, 4600)
  if (isOver) expect(seen.error).toBeInstanceOf(EditorBusyError)
  else expect(seen).toEqual({})
  work.resolve('done')
  await pass(clock, 50)
  if (!isOver) expect(seen).toEqual({ value: 'done' })
})

test('a look that is answered late does not overrule the one before: the reason is still the key', async () => {
  const clock = new ManualClock()
  const { editor, state } = createEditor()
  state.mode = waitsForKey
  const seen = follow(createWatchdog(editor, clock).call('a.b', {}, z.string(), { signal: patient }))
  await pass(clock, 3900)
  state.mode = undefined
  await pass(clock, 600)
  expect(seen.error).toMatchObject({ name: 'EditorBusyError', message: expect.stringMatching(/waits for a key/) })
})
