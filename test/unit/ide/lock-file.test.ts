// The lock file: who may read it, when it comes back, and when it stays away.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { UserError } from '../../../src/base/errors.ts'
import { createLog } from '../../../src/base/log.ts'
import { LockFile, type LockFileOptions } from '../../../src/ide/lock-file.ts'
import { atTestEnd } from '../../support/at-test-end.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

vi.setConfig({ testTimeout: 20_000 }) // longer than the deadlines inside, which say what was waited for

const content = {
  pid: 4242,
  workspaceFolders: ['/project', '/other ü'],
  ideName: 'Neovim',
  transport: 'ws',
  authToken: '0123456789abcdef0123456789abcdef',
}

/** A lock file on port 12345 in a folder that does not exist before. */
async function createLockFile(options: Partial<LockFileOptions> = {}) {
  const folder = options.folder ?? join((await makeTemporaryFolder()).path, 'config', 'ide')
  const log: string[] = []
  const lock = await LockFile.create({
    folder,
    port: 12_345,
    processId: content.pid,
    workspaceFolders: content.workspaceFolders,
    ideName: content.ideName,
    token: content.authToken,
    log: createLog(
      line => log.push(line),
      () => 'trace',
    ),
    clock: systemClock,
    ...options,
  })
  await atTestEnd(() => lock.dispose())
  const read = async () => JSON.parse(await readFile(lock.path, 'utf8'))
  return { lock, folder, log, read }
}

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test.each(['.claude', '.claude/ide'])('where the file %s is in the way, the user is told to move it', async name => {
  const { path } = await makeTemporaryFolder()
  await mkdir(join(path, name, '..'), { recursive: true })
  await writeFile(join(path, name), 'kept')
  const created = createLockFile({ folder: join(path, '.claude', 'ide') })
  await expect(created).rejects.toThrow('There is a file where a folder should be: move it away')
  expect(await readFile(join(path, name), 'utf8')).toBe('kept')
})

describe('L-16: a lock file', () => {
  test('says what the protocol document wants to know, on its port', async () => {
    const { lock, folder, read } = await createLockFile()
    expect(lock.path).toBe(join(folder, '12345.lock'))
    expect(await read()).toEqual(content)
    expect(await readdir(folder)).toEqual(['12345.lock'])
  })

  test.each([0o000, 0o022, 0o077, 0o777])('is for the user only, whatever the umask (%o) is', async umask => {
    const before = process.umask(umask)
    await atTestEnd(() => {
      process.umask(before)
    })
    const home = await makeTemporaryFolder()
    const folder = join(home.path, 'ide')
    if (umask === 0o777) await mkdir(folder, { mode: 0o700 }).then(() => chmod(folder, 0o755))
    const { lock } = await createLockFile({ folder })
    expect(await mode(folder)).toBe('700')
    expect(await mode(lock.path)).toBe('600')
  })

  test('makes a folder private that others could read', async () => {
    const { path } = await makeTemporaryFolder()
    await chmod(path, 0o777)
    await createLockFile({ folder: path })
    expect(await mode(path)).toBe('700')
  })

  test('takes the place of what a dead server left on its port', async () => {
    const { path } = await makeTemporaryFolder()
    await writeFile(join(path, '12345.lock'), JSON.stringify({ ...content, authToken: 'old' }), { mode: 0o644 })
    const { read, lock } = await createLockFile({ folder: path })
    expect(await read()).toEqual(content)
    expect(await mode(lock.path)).toBe('600')
  })

  test('that can not be written is an error that names the folder and what to do', async () => {
    const { path } = await makeTemporaryFolder()
    await writeFile(join(path, 'file'), '')
    const folder = join(path, 'file', 'ide')
    const created = createLockFile({ folder })
    await expect(created).rejects.toThrow(UserError)
    await expect(created).rejects.toThrow(folder)
    await expect(created).rejects.toThrow(/CLAUDE_CONFIG_DIR/)
  })

  test('is never seen half written', async () => {
    const { lock } = await createLockFile()
    const reader = spawn(process.execPath, ['-e', readUntilTold, lock.path], { stdio: ['ignore', 'pipe', 'inherit'] })
    let told = ''
    reader.stdout.on('data', data => {
      told += data
    })
    await waitFor(() => told.includes('reading'), 'the reader')
    for (let round = 0; round < 200; round += 1) {
      lock.update({ workspaceFolders: Array.from({ length: round % 50 }, (_, at) => `/${'x'.repeat(1000)}/${at}`) })
    }
    lock.update({ workspaceFolders: ['the end'] })
    const [code] = await once(reader, 'exit')
    expect({ code, told }).toEqual({ code: 0, told: expect.stringMatching(/^reading \d+ times/) })
  })
})

/** A program that reads the lock file as often as it can, and fails when it ever is missing or half there. */
const readUntilTold = `
  const { readFileSync } = require('node:fs')
  process.stdout.write('reading ')
  for (let times = 1; ; times += 1) {
    const { workspaceFolders, authToken } = JSON.parse(readFileSync(process.argv[1], 'utf8'))
    if (authToken !== '${content.authToken}') process.exit(1)
    if (workspaceFolders[0] === 'the end') { process.stdout.write(times + ' times'); break }
  }`

describe('other workspace folders', () => {
  test('are in the file at once, with the same token, and nothing else is left in the folder', async () => {
    const { lock, folder, read } = await createLockFile()
    lock.update({ workspaceFolders: ['/elsewhere'] })
    expect(await read()).toEqual({ ...content, workspaceFolders: ['/elsewhere'] })
    expect(await readdir(folder)).toEqual(['12345.lock'])
    expect(await mode(lock.path)).toBe('600')
  })

  test('come back too when the file was deleted', async () => {
    const { lock, read } = await createLockFile()
    lock.update({ workspaceFolders: ['/elsewhere'] })
    await rm(lock.path)
    expect(await waitFor(() => read().catch(() => undefined), 'the file')).toMatchObject({
      workspaceFolders: ['/elsewhere'],
    })
  })
})

describe.each([
  ['by the report of the system', (): { clock?: ManualClock; pass(): void } => ({ pass: () => undefined })],
  [
    'without any report, within 5 s',
    (): { clock?: ManualClock; pass(): void } => {
      const clock = new ManualClock() // the report's pause never ends on its own: only the poll is left
      return { clock, pass: () => clock.advance(5_000) }
    },
  ],
])('comes back %s', (_how, time) => {
  test.each<[string, (path: string) => Promise<void>]>([
    ['deleted', path => rm(path)],
    ['deleted with its folder', path => rm(join(path, '..'), { recursive: true })],
    ['emptied', path => writeFile(path, '')],
    ['cut off', path => writeFile(path, JSON.stringify(content).slice(0, 20))],
    ['overwritten with something else', path => writeFile(path, '{"a":1}')],
    ['changed', path => writeFile(path, JSON.stringify({ ...content, pid: 1 }))],
  ])('when it is %s', async (_what, harm) => {
    const { clock, pass } = time()
    const { lock, read } = await createLockFile(clock ? { clock } : {})
    for (let round = 0; round < 2; round += 1) {
      await harm(lock.path)
      await waitFor(async () => {
        pass()
        const found = await read().catch(() => undefined)
        return found?.pid === content.pid && found.authToken === content.authToken
      }, 'the file to come back')
      expect(await mode(lock.path)).toBe('600')
    }
  })
})

describe('a lock file of someone else on the same name', () => {
  test('is left alone, at every look and at the end, and mentioned once', async () => {
    const clock = new ManualClock()
    const { lock, log, read } = await createLockFile({ clock })
    const foreign = { ...content, authToken: 'another token' }
    await writeFile(lock.path, JSON.stringify(foreign))
    clock.advance(30_000)
    expect(await read()).toEqual(foreign)
    expect(log.filter(line => line.includes('WARN'))).toHaveLength(1)
    lock.removeNow()
    expect(await read()).toEqual(foreign)
  })

  test('is taken over again when it goes away', async () => {
    const clock = new ManualClock()
    const { lock, read } = await createLockFile({ clock })
    await writeFile(lock.path, JSON.stringify({ ...content, authToken: 'another token' }))
    clock.advance(5_000)
    await rm(lock.path)
    clock.advance(5_000)
    expect(await read()).toEqual(content)
  })
})

describe('the end', () => {
  test.each(['removeNow', 'dispose'] as const)('(%s) removes the file, at once and for good', async how => {
    const clock = new ManualClock()
    const { lock, folder } = await createLockFile({ clock })
    void lock[how]()
    expect(await readdir(folder)).toEqual([])
    lock.update({ workspaceFolders: [] })
    clock.advance(30_000)
    expect(await readdir(folder)).toEqual([])
    expect(clock.timers).toBe(0)
    await writeFile(lock.path, JSON.stringify(content)) // the next host, with the same port and token
    lock.removeNow()
    await lock.dispose()
    expect(await readdir(folder)).toEqual(['12345.lock'])
  })

  test('removes a damaged file too, and is not disturbed by a missing one', async () => {
    const one = await createLockFile()
    await writeFile(one.lock.path, 'rubbish')
    one.lock.removeNow()
    expect(await readdir(one.folder)).toEqual([])
    const other = await createLockFile()
    await rm(other.folder, { recursive: true })
    other.lock.removeNow()
    expect(other.log.filter(line => /WARN|ERROR/.test(line))).toEqual([])
  })
})

test('a file that can not be written any more is reported once, and written when it can be again', async () => {
  const clock = new ManualClock()
  const { lock, folder, log, read } = await createLockFile({ clock })
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file in the way')
  lock.update({ workspaceFolders: ['/elsewhere'] })
  clock.advance(30_000)
  expect(log.filter(line => line.includes('WARN'))).toHaveLength(1)
  await rm(folder)
  clock.advance(5_000)
  expect(await read()).toMatchObject({ workspaceFolders: ['/elsewhere'] })
})
