// Interruptions, found in what Claude keeps of a conversation.
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import { Interruptions } from '../../../src/hooks/interruptions.ts'
import { lookMs } from '../../../src/hooks/limits.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const line = (type: string, text: string) =>
  `${JSON.stringify({ type, message: { role: type, content: [{ type: 'text', text }] } })}\n`
const interrupted = line('user', '[Request interrupted by user for tool use]')

let clock: ManualClock
let file: string
let found: string[]
let interruptions: Interruptions
const errors: string[] = []

beforeEach(async () => {
  clock = new ManualClock()
  file = join((await makeTemporaryFolder()).path, 'conversation.jsonl')
  found = []
  const log = createLog(
    text => errors.push(text),
    () => 'trace',
  )
  interruptions = new Interruptions({ clock, log, onInterrupted: session => found.push(session) })
})

/** Looks until it is found; what is not found by a later line never is. */
async function look(): Promise<void> {
  await waitFor(() => {
    clock.advance(lookMs)
    return found.length > 0
  }, 'the interruption')
}

test('is told once it is written, and what was written before does not count', async () => {
  await writeFile(file, interrupted)
  interruptions.watch('one', file)
  await waitFor(() => clock.timers === 1, 'the watch')
  await appendFile(file, line('assistant', 'They wrote "text":"[Request interrupted by user'))
  clock.advance(lookMs)
  interruptions.forget('one')
  interruptions.watch('two', file)
  await new Promise(resolve => setImmediate(resolve))
  await appendFile(file, line('user', 'go on'))
  clock.advance(lookMs)
  await appendFile(file, interrupted)
  await look()
  expect(new Set(found)).toEqual(new Set(['two']))
  expect(errors).toEqual([])
})

test('a file that is not there yet is waited for', async () => {
  interruptions.watch('one', file)
  clock.advance(lookMs)
  await writeFile(file, line('user', 'hello'))
  clock.advance(lookMs)
  await appendFile(file, interrupted)
  await look()
  interruptions.forget('one')
  expect(clock.timers).toBe(0)
})
