// Looks at processes through /proc, so that a test can say that none is left.
import { readdirSync, readFileSync } from 'node:fs'

/** A process as the system lists it. */
export interface RunningProcess {
  pid: number
  parent: number
  /** Program and arguments. */
  command: string[]
}

/** Whether a process with that number exists and has not ended (one that ended and was not yet collected is not alive). */
export function isAlive(pid: number): boolean {
  return readProcess(pid) !== undefined
}

/** Program and arguments of a process; empty when there is none with that number. */
export function commandOf(pid: number): string[] {
  return readProcess(pid)?.command ?? []
}

/** Every process that `pid` has started, and what those have started. */
export function descendantsOf(pid: number): RunningProcess[] {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => readProcess(Number(name)))
    .filter(found => found !== undefined)
  const below = (parent: number): RunningProcess[] =>
    all.filter(found => found.parent === parent).flatMap(found => [found, ...below(found.pid)])
  return below(pid)
}

/** The numbers of our Node processes below that Neovim: of its own, or the node provider of Neovim. */
export function hostsOf(nvim: number): number[] {
  return descendantsOf(nvim)
    .filter(({ command }) => command.some(part => /\/rplugin\/node\/claudecode$|\/neovim\/bin\/cli\.js$/.test(part)))
    .map(({ pid }) => pid)
}

function readProcess(pid: number): RunningProcess | undefined {
  let status: string
  let commandLine: string
  try {
    status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It ended: the expected case, since processes come and go while the list is read.
    return undefined
  }
  // "pid (name) state parent …", and the name may have spaces and parentheses.
  const [state, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return undefined
  return { pid, parent: Number(parent), command: commandLine.split('\0').slice(0, -1) }
}
