// The files of a folder, for completion: those that Git knows or would, else what is found by looking.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A longer list is slow to match against, and nobody looks at its end. */
const most = 20_000
const gitPatienceMs = 5000
const gitBytes = 16 * 1024 * 1024
/** What is never looked into without Git to say what belongs to the project. */
const skipped = new Set(['.git', 'node_modules', '.hg', '.svn', '__pycache__', '.venv', 'target', 'dist', 'build'])

/** Paths relative to `folder`, with the folders that they are in (those end in `/`), sorted. */
export async function listWorkspaceFiles(folder: string): Promise<string[]> {
  const files = (await gitFiles(folder)) ?? (await foundFiles(folder))
  const folders = new Set<string>()
  for (const file of files)
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const above = file.slice(0, end + 1)
      if (folders.has(above)) break
      folders.add(above)
    }
  return [...files, ...folders].sort().slice(0, most)
}

async function gitFiles(folder: string): Promise<string[] | undefined> {
  try {
    const { stdout } = await run('git', ['ls-files', '-z', '-co', '--exclude-standard', '--deduplicate'], {
      cwd: folder,
      timeout: gitPatienceMs,
      maxBuffer: gitBytes,
    })
    return stdout.split('\0').filter(name => name !== '' && !name.includes('\uFFFD'))
  } catch {
    return undefined // no Git, no repository, or too many files
  }
}

/** The nearest first. What can't be read is left out. */
async function foundFiles(folder: string): Promise<string[]> {
  const found: string[] = []
  const waiting = ['']
  for (let below = waiting.shift(); below !== undefined && found.length < most; below = waiting.shift()) {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = below + entry.name
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) waiting.push(`${path}/`)
      } else found.push(path)
    }
  }
  return found
}
