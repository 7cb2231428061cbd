// Which session a process belongs to. Process ids are a hint for names and for whom a mention goes to, never for who owns a
// diff (protocol document, "How Discovery Works" 4): another machine's or container's mean nothing here.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { sessionVariable } from './session.ts'

/** A tree that is deeper is none of ours. */
const maxDepth = 64

/** A `ps` that takes longer will not answer (ms). */
const psMs = 2000

/** The process of a session's terminal, as far as the editor knows it. */
export interface SessionProcess {
  session: string
  pid: number
}

/**
 * The session that a process was started in, as its environment says, or the processes above it.
 * @param listProcesses asked only when the environment says nothing.
 */
export async function findSession(
  pid: number,
  listProcesses: () => Promise<readonly SessionProcess[]>,
): Promise<string | undefined> {
  const named = await sessionInEnvironment(pid)
  if (named !== undefined) return named
  const processes = await listProcesses()
  if (processes.length === 0) return undefined
  for (const ancestor of await ancestry(pid)) {
    const found = processes.find(process => process.pid === ancestor)
    if (found !== undefined) return found.session
  }
  return undefined
}

/** Undefined where an environment can't be read. */
async function sessionInEnvironment(pid: number): Promise<string | undefined> {
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '') // no Linux, or another user's
  const start = `${sessionVariable}=`
  return environment
    .split('\0')
    .find(entry => entry.startsWith(start))
    ?.slice(start.length)
}

/** The process and those above it, as far as they can be found. */
async function ancestry(pid: number): Promise<number[]> {
  const line = [pid]
  while (line.length < maxDepth) {
    const parent = await parentOf(line.at(-1) as number)
    if (parent === undefined || parent <= 1) break
    line.push(parent)
  }
  return line
}

async function parentOf(pid: number): Promise<number | undefined> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '') // it has ended
    return numberIn(/^.*\) \S (\d+)/s.exec(stat)?.[1]) // behind the name, which may have any character
  }
  if (process.platform === 'win32') return undefined // it has no cheap way to ask
  const asked = promisify(execFile)('ps', ['-o', 'ppid=', '-p', String(pid)], { timeout: psMs })
  return numberIn(
    await asked.then(
      ({ stdout }) => stdout.trim(),
      () => undefined, // it has ended
    ),
  )
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}
