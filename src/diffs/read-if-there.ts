// Files that may not be there, which is no fault.
import type { Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { hasErrorCode } from '../base/errors.ts'

/** The bytes of a file; undefined when there is none. */
export function readIfThere(path: string): Promise<Buffer | undefined> {
  return ifThere(readFile(path))
}

/** What the system knows of a file; undefined when there is none. */
export function statIfThere(path: string): Promise<Stats | undefined> {
  return ifThere(stat(path))
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
