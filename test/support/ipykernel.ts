// Kernels for tests: the fetched Python with ipykernel, registered as Jupyter would, and notebooks that name them.
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLog } from '../../src/base/log.ts'
import type { KernelSpec } from '../../src/jupyter/kernel-spec.ts'

export { ipykernelPython } from '../../scripts/ipykernel.ts'

/** Time to fetch ipykernel, the first time that a test needs it. */
export const fetchTimeoutMs = 300_000

/** A log that a test can look at. */
export function createKeptLog(): { log: ReturnType<typeof createLog>; lines: string[] } {
  const lines: string[] = []
  return {
    lines,
    log: createLog(
      line => lines.push(line),
      () => 'trace',
    ),
  }
}

/** What `python` is started with as a kernel. */
export function kernelArguments(python: string): string[] {
  return [python, '-m', 'ipykernel_launcher', '-f', '{connection_file}']
}

/** A kernel of that Python, which nobody has registered. */
export function specOf(python: string): KernelSpec {
  return {
    name: 'python3',
    argv: kernelArguments(python),
    env: {},
    language: 'python',
    interruptMode: 'signal',
    folder: undefined,
    prefix: undefined,
  }
}

/** Registers a kernel in `data`, a folder for JUPYTER_PATH. */
export async function registerKernel(data: string, name: string, kernel: Record<string, unknown>): Promise<void> {
  const folder = join(data, 'kernels', name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'kernel.json'), JSON.stringify({ display_name: name, language: 'python', ...kernel }))
}

/** A `python3` in `folder` that has no packages, ipykernel among them. */
export async function makeBarePython(folder: string, python: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const program = join(folder, 'python3')
  await writeFile(program, `#!/bin/sh\nexec '${python}' -I -S "$@"\n`)
  await chmod(program, 0o755)
  return program
}

/** An .ipynb file that names this kernel. */
export function notebookFile(kernel: string): string {
  const metadata = { kernelspec: { name: kernel, display_name: kernel, language: 'python' } }
  return JSON.stringify({ cells: [], metadata, nbformat: 4, nbformat_minor: 5 })
}
