// Files that may not be there, which is no fault.
import { readFileSync, type Stats, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { hasErrorCode } from './errors.ts'

/** No file can be there: also at the end of links that lead in a circle, and under a name that is too long for one. */
const notThere = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']

/** The bytes of a file; undefined when there is none. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    return nothingFor(error)
  }
}

/** What the system knows of a file; undefined when there is none. */
export async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    return nothingFor(error)
  }
}

/**
 * The text of a small file, read without a pause; undefined when there is none.
 * @param codes other system errors that count as that, such as `EACCES`.
 */
export function readTextNow(path: string, ...codes: string[]): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return nothingFor(error, codes)
  }
}

/** As `statIfThere`, without a pause. @param codes other system errors that count as "not there". */
export function statNow(path: string, ...codes: string[]): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    return nothingFor(error, codes)
  }
}

function nothingFor(error: unknown, codes: readonly string[] = []): undefined {
  if (!hasErrorCode(error, ...notThere, ...codes)) throw error
}
