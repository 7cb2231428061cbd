// Files that may not be there, which is no fault.
import { readFileSync, type Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { hasErrorCode } from './errors.ts'

const notThere = ['ENOENT', 'ENOTDIR']

/** The bytes of a file; undefined when there is none. */
export function readIfThere(path: string): Promise<Buffer | undefined> {
  return ifThere(readFile(path))
}

/** What the system knows of a file; undefined when there is none. */
export function statIfThere(path: string): Promise<Stats | undefined> {
  return ifThere(stat(path))
}

/**
 * The text of a small file, read without a pause; undefined when there is none.
 * @param codes other system errors that count as that, such as `EACCES`.
 */
export function readTextIfThere(path: string, ...codes: string[]): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (hasErrorCode(error, ...notThere, ...codes)) return undefined
    throw error
  }
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (hasErrorCode(error, ...notThere)) return undefined
    throw error
  }
}
