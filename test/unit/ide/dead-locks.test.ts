// What is swept away at the start, and what is not.
import { spawnSync } from 'node:child_process'
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import { sweepDeadLocks } from '../../../src/ide/dead-locks.ts'
import { atTestEnd } from '../../support/at-test-end.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

/** The id of a process that has ended, and was waited for. */
function deadProcess(): number {
  return spawnSync(process.execPath, ['-e', '0']).pid
}

const log: string[] = []
const quietLog = createLog(
  line => log.push(line),
  () => 'trace',
)

/** Sweeps a folder with these files; returns the names of those that are left. */
async function sweep(files: Record<string, unknown>): Promise<string[]> {
  const { path } = await makeTemporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(path, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  await sweepDeadLocks(path, quietLog)
  return readdir(path)
}

const dead = deadProcess()
const lock = (pid: unknown, more: object = {}) => ({
  pid,
  workspaceFolders: [],
  ideName: 'Neovim',
  transport: 'ws',
  authToken: 'x',
  ...more,
})

test('the locks of dead Neovims go', async () => {
  expect(await sweep({ '1.lock': lock(dead), '65535.lock': lock(dead, { ideName: 'Neovim (project)' }) })).toEqual([])
})

test('what was half written by a host that died goes', async () => {
  expect(await sweep({ [`123.lock.${dead}.0123456789ab`]: 'half a' })).toEqual([])
})

test("a process that may not be signalled, because it is another user's, lives", async () => {
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' }) // root, who may run the tests, never sees that
  })
  await atTestEnd(() => kill.mockRestore())
  expect(await sweep({ '1.lock': lock(dead) })).toEqual(['1.lock'])
})

test.each<[string, string, unknown]>([
  ['of a Neovim that lives', '1.lock', lock(process.pid)],
  ['of a process of another user', '1.lock', lock(1)],
  ['of another IDE that is dead', '1.lock', lock(dead, { ideName: 'VS Code' })],
  ['of another transport', '1.lock', lock(dead, { transport: 'sse' })],
  ['that is no JSON', '1.lock', 'pid: 5'],
  ['that is empty', '1.lock', ''],
  ['without a process', '1.lock', lock(undefined)],
  ['with a process 0, which would be our own group', '1.lock', lock(0)],
  ['with a negative process, which would be a group', '1.lock', lock(-dead)],
  ['with a process that is a text', '1.lock', lock(`${dead}`)],
  ['with a process that can not be', '1.lock', lock(2 ** 40 + 0.5)],
  ['with a name that is no port', 'a.lock', lock(dead)],
  ['with another ending', '1.lock.bak', lock(dead)],
  ['that is too long to be one', '1.lock', { ...lock(dead), more: 'x'.repeat(70_000) }],
  ['half written by a host that lives', `123.lock.${process.pid}.0123456789ab`, 'half a'],
  ['with a name that only looks half written', `secrets.${dead}.0123456789ab`, 'mine'],
])('a file %s stays', async (_what, name, content) => {
  expect(await sweep({ [name]: content })).toEqual([name])
})

test('what is no file stays, and what can not be swept does not stop the rest', async () => {
  const { path } = await makeTemporaryFolder()
  await mkdir(join(path, '1.lock'))
  await mkdir(join(path, 'elsewhere'))
  await writeFile(join(path, 'elsewhere', 'lock'), JSON.stringify(lock(dead)))
  await symlink(join(path, 'elsewhere', 'lock'), join(path, '2.lock'))
  await symlink('/nowhere', join(path, '3.lock'))
  await writeFile(join(path, '4.lock'), JSON.stringify(lock(dead)))
  await sweepDeadLocks(path, quietLog)
  expect(await readdir(path)).toEqual(['1.lock', '2.lock', '3.lock', 'elsewhere'])
})

test('a folder that is not there is nothing to talk about', async () => {
  const before = log.length
  await sweepDeadLocks('/nowhere/ide', quietLog)
  expect(log.slice(before)).toEqual([])
})
