// The last answers, for the time when Neovim answers nobody.
import { expect, test } from 'vitest'
import { Emitter } from '../../../src/base/emitter.ts'
import { textResult } from '../../../src/ide/tool.ts'
import { EditorBusyError } from '../../../src/neovim/watchdog.ts'
import { LastKnown } from '../../../src/tools/last-known.ts'
import { ManualClock } from '../../support/manual-clock.ts'

const { signal } = new AbortController()
const never = () => ({ dispose: () => undefined })
const busy = () => Promise.reject(new EditorBusyError('It is busy.'))

test('without an earlier answer the error is the answer, after the usual patience', async () => {
  const known = new LastKnown(new ManualClock(), never)
  await expect(known.answer('q', signal, busy)).rejects.toThrow('It is busy.')
  await known.answer('q', signal, async patience => {
    expect(patience).toEqual({ signal })
    return textResult('now')
  })
  await expect(known.answer('other', signal, busy)).rejects.toThrow('It is busy.')
})

test('an earlier answer comes with its age and the reason, after less patience', async () => {
  const clock = new ManualClock()
  const known = new LastKnown(clock, never)
  await known.answer('q', signal, async () => textResult('then'))
  clock.advance(12_345)
  const answer = await known.answer('q', signal, patience => {
    expect(patience.forMs).toBeLessThan(2000)
    expect(patience.forKeyMs).toBeLessThan(500)
    return busy()
  })
  expect(answer).toEqual(textResult('then', 'This is what was known 12 s ago. It is busy.'))
  // The note is not part of what is remembered.
  expect((await known.answer('q', signal, busy)).content).toHaveLength(2)
})

test('other errors are errors', async () => {
  const known = new LastKnown(new ManualClock(), never)
  await known.answer('q', signal, async () => textResult('then'))
  await expect(known.answer('q', signal, () => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug')
})

test('nothing is remembered of what may have become private, also while it was being asked for', async () => {
  const changed = new Emitter<void>(error => {
    throw error
  })
  const known = new LastKnown(new ManualClock(), changed.event)
  await known.answer('q', signal, async () => textResult('then'))
  changed.emit()
  await expect(known.answer('q', signal, busy)).rejects.toThrow('It is busy.')
  await known.answer('q', signal, async () => {
    changed.emit()
    return textResult('before it was private')
  })
  await expect(known.answer('q', signal, busy)).rejects.toThrow('It is busy.')
  await known.answer('q', signal, async () => textResult('then'))
  const late = known.answer('q', signal, () => {
    changed.emit()
    return busy()
  })
  await expect(late).rejects.toThrow('It is busy.')
})

test('only so many answers are remembered, the latest', async () => {
  const known = new LastKnown(new ManualClock(), never)
  for (let index = 0; index < 150; index++) await known.answer(`q${index}`, signal, async () => textResult('a'))
  await expect(known.answer('q0', signal, busy)).rejects.toThrow()
  await expect(known.answer('q149', signal, busy)).resolves.toBeDefined()
})
