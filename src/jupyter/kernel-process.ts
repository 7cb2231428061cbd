// A kernel as a process: started in a group of its own, interrupted and ended with all that it has started.
import { type ChildProcess, spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { createDeferred } from '../base/deferred.ts'
import { hasErrorCode } from '../base/errors.ts'

/** How to start the process of a kernel. */
export interface KernelLaunch {
  argv: readonly string[]
  /** All of its environment. */
  env: NodeJS.ProcessEnv
  cwd: string
  connectionFile: string
}

/** How a kernel ended, in words such as "exit code 1". */
export type KernelEnd = string

/** A running process. */
export interface KernelProcess {
  readonly pid: number
  /** Resolves when it has ended. */
  readonly ended: Promise<KernelEnd>
  readonly hasEnded: boolean
  /** The end of what it wrote to stdout and stderr itself, which is not what the user's code prints. */
  output(): string
  /** Interrupts what runs, as Ctrl-C does, also in what the code has started. */
  interrupt(): void
  /** Ends it at once, with all that it has started. */
  kill(): void
}

const keptOutput = 4000 // characters: the end of a Python traceback
const isWindows = process.platform === 'win32'

/**
 * Outlives us by an instant: when its stdin ends, by whatever end of ours, it kills the kernel's group and removes the
 * folder of the connection file. JPY_PARENT_PID alone leaves kernels behind where orphans have another parent than
 * process 1, as in a session of systemd (ipykernel before 6.30 looks for exactly that).
 */
const guard = 'read -r _; kill -9 "-$1"; rm -rf -- "$2"' // dash's `kill` knows no `--`

/** Starts a kernel. @throws when the program can't be started. */
export async function startKernelProcess(launch: KernelLaunch): Promise<KernelProcess> {
  const [program = '', ...args] = launch.argv
  const child = spawn(program, args, {
    cwd: launch.cwd,
    // On Windows it would have to be a handle.
    env: isWindows ? launch.env : { ...launch.env, JPY_PARENT_PID: String(process.pid) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
    windowsHide: true,
  })
  const ended = createDeferred<KernelEnd>()
  child.once('exit', (code, signal) => ended.resolve(signal === null ? `exit code ${code}` : signal))
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  child.on('error', () => undefined) // a signal that could not be sent: it has ended, or will
  const pid = child.pid as number
  const output = collectOutput(child)
  const watcher = isWindows ? undefined : startGuard(pid, dirname(launch.connectionFile))

  function signalGroup(signal: NodeJS.Signals): void {
    try {
      if (isWindows) child.kill(signal)
      else process.kill(-pid, signal)
    } catch (error) {
      if (!hasErrorCode(error, 'ESRCH', 'EPERM')) throw error // nobody is left in it, or only what may not be signalled
    }
  }

  void ended.promise.then(() => {
    watcher?.kill('SIGKILL') // before anything else can get the number of the kernel
    signalGroup('SIGKILL')
  })
  return {
    pid,
    ended: ended.promise,
    get hasEnded() {
      return ended.isSettled
    },
    output,
    interrupt: () => {
      if (!ended.isSettled) signalGroup('SIGINT')
    },
    kill: () => {
      if (!ended.isSettled) signalGroup('SIGKILL')
    },
  }
}

function startGuard(pid: number, folder: string): ChildProcess {
  const watcher = spawn('/bin/sh', ['-c', guard, 'claudecode-kernel-guard', String(pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // what ends our own group must not end this first
    cwd: '/',
  })
  watcher.on('error', () => undefined) // without it, the kernel's own look at its parent remains
  watcher.unref()
  return watcher
}

function collectOutput(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', piece => {
      text = (text + piece).slice(-keptOutput)
    })
  }
  return () => text.trim()
}
