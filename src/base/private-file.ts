// Files and folders that only the user can read.
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** What `writeAtomically` leaves behind when the process dies in the middle: the name, the process id, a random part. */
export const temporaryName = /^(.+)\.(\d+)\.[\da-f]{12}$/

/** Makes the folder if it isn't there, and private in any case: who can read a token can use it. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}

/**
 * Writes a file that nobody ever sees half written or readable for others: under another name first (`temporaryName`),
 * then renamed.
 */
export function writeAtomically(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  try {
    const file = openSync(temporary, 'wx', 0o600)
    try {
      fchmodSync(file, 0o600) // whatever the umask says
      writeFileSync(file, text)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
