// Programs of the user's own.
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Places } from '../../support/places.ts'

/** Writes a program into `bin` in the user's home, and returns its path. */
export async function writeProgram(places: Places, name: string, text: string): Promise<string> {
  const file = path.join(places.home, 'bin', name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
  await chmod(file, 0o755)
  return file
}
