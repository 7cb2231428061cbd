// Folders that live as long as one test.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { atTestEnd } from './at-test-end.ts'

/** Files by their path in a folder. */
export type Files = Record<string, string | Buffer>

export interface TemporaryFolder {
  /** Absolute, without symbolic links: Neovim, the CLI and the system agree on such a path. */
  path: string
  /** Removes it with all that is in it. At the end of the test this happens by itself. */
  remove(): Promise<void>
}

/** Makes an empty folder with a short name: the path of a socket in it must stay below 108 bytes. */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const made = await mkdtemp(path.join(await realpath(os.tmpdir()), 'ccn-'))
  const folder = {
    path: made,
    // Retries: a process that was ended a moment ago may just be writing its last file.
    remove: () => rm(made, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }),
  }
  await atTestEnd(() => folder.remove())
  return folder
}

/** Writes the files, and the folders that they need, into `folder`. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content)
  }
}
