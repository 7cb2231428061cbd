// The client writes a file, and says nothing.
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import { awaitWrittenFile, stampNow } from '../../../src/diffs/written-file.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

let path = ''
let clock: ManualClock
let written: number
let held: boolean[]
let logged: string[]

beforeEach(async () => {
  path = join((await makeTemporaryFolder()).path, 'a.txt')
  clock = new ManualClock()
  written = 0
  held = []
  logged = []
})

function begin(text: string, since = stampNow(path)) {
  const log = createLog(
    line => logged.push(line),
    () => 'error',
  )
  const onWritten = async (holdsText: boolean) => {
    held.push(holdsText)
    written += 1
  }
  return awaitWrittenFile({ path, text, since, onWritten, clock, log })
}

/** Lets time pass in the steps in which the file is looked at, with time for the disk in between. */
async function advance(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    clock.advance(50)
    await pause(3)
  }
}

test('a file that comes to hold the text is seen once, and no more looked at', async () => {
  await writeFile(path, 'old')
  begin('new')
  await advance(500)
  expect(written).toBe(0)
  await writeFile(path, 'new')
  await advance(100)
  await expect.poll(() => written).toBe(1)
  expect(clock.timers).toBe(0)
})

test('a file that was written before we look is seen', async () => {
  await writeFile(path, 'old')
  const since = stampNow(path)
  await writeFile(path, 'new!')
  begin('new!', since)
  await advance(100)
  await expect.poll(() => written).toBe(1)
})

test.each([
  ['a link to itself', 'link'],
  ['a name that no file can have', 'x'.repeat(300)],
])('where no file can be, there is none: %s', async (_what, name) => {
  const folder = dirname(path)
  await symlink('link', join(folder, 'link'))
  path = join(folder, name)
  expect(stampNow(path)).toBeUndefined()
  begin('new')
  await advance(100)
  expect([written, logged]).toEqual([0, []])
})

test('a new file in a new folder is seen', async () => {
  const folder = path
  path = join(folder, 'deep', 'a.txt')
  begin('new')
  await advance(100)
  await mkdir(join(folder, 'deep'), { recursive: true })
  await writeFile(path, 'new')
  await advance(100)
  await expect.poll(() => written).toBe(1)
})

test('a file that is replaced by another is seen', async () => {
  await writeFile(path, 'old')
  begin('new')
  await writeFile(`${path}.tmp`, 'new')
  await rename(`${path}.tmp`, path)
  await advance(100)
  await expect.poll(() => written).toBe(1)
})

test('a file with another text is told of when it has come to rest, and looked at further', async () => {
  await writeFile(path, 'old')
  begin('new')
  await writeFile(path, 'ne')
  await advance(200)
  expect(written).toBe(0)
  await advance(300)
  await expect.poll(() => written).toBe(1)
  await writeFile(path, 'new')
  await advance(100)
  await expect.poll(() => written).toBe(2)
  expect(held).toEqual([false, true])
})

test('patience ends after half a minute, and with dispose', async () => {
  await writeFile(path, 'old')
  begin('new')
  await advance(29_900)
  expect(clock.timers).toBe(1)
  await advance(200)
  expect(clock.timers).toBe(0)
  const watch = begin('new')
  await watch.dispose()
  expect(clock.timers).toBe(0)
  expect(written).toBe(0)
})

test('a file that goes away is no fault', async () => {
  await writeFile(path, 'old')
  begin('new')
  await rm(path)
  await advance(500)
  expect(logged).toEqual([])
  expect(written).toBe(0)
})
