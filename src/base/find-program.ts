// Where programs are.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a program that is called by its name; undefined when it is in no folder of PATH. */
export function findProgram(name: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '')
  return folders.map(folder => programAt(join(folder, name))).find(Boolean)
}

/** The file of a program; undefined when there is none. @param path without the suffix that Windows wants. */
export function programAt(path: string): string | undefined {
  const file = process.platform === 'win32' ? `${path}.exe` : path
  return existsSync(file) ? file : undefined
}
