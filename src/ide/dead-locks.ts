// Lock files that Neovims left behind when they died.
import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describeError, hasErrorCode } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { temporaryName } from '../base/private-file.ts'
import { parseLockFile } from './lock-file.ts'

const maxLockFileBytes = 64 * 1024 // what is longer is no lock file

/**
 * Removes the lock files whose Neovim is dead, and the temporary files of dead hosts. What another IDE wrote, what is
 * no lock file, and what belongs to a process that lives, even if that is another program by now, stays.
 */
export async function sweepDeadLocks(folder: string, log: Log): Promise<void> {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) log.warn(`the lock files in ${folder} can't be listed: ${describeError(error)}`)
    return
  }
  for (const name of names) {
    const path = join(folder, name)
    try {
      if (!isDead(name, path)) continue
      rmSync(path)
      log.info(`removed ${path}: its Neovim is gone`)
    } catch (error) {
      log.debug(`${path} stays: ${describeError(error)}`) // not ours to read or to remove, or gone already
    }
  }
}

function isDead(name: string, path: string): boolean {
  const [, base = name, writer] = temporaryName.exec(name) ?? []
  const stats = lstatSync(path)
  if (!/^\d+\.lock$/.test(base) || !stats.isFile() || stats.size > maxLockFileBytes) return false
  if (writer !== undefined) return !isAlive(Number(writer))
  const lock = parseLockFile(readFileSync(path, 'utf8'))
  return lock?.transport === 'ws' && lock.ideName.startsWith('Neovim') && !isAlive(lock.pid)
}

/** Whether there is a process with this id, ours (EPERM: someone else's) or not. */
function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return !hasErrorCode(error, 'ESRCH')
  }
}
