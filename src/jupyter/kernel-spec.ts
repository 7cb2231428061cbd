// Kernels as Jupyter describes them (Jupyter client documentation, "Kernel specs"), and which one is meant.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasErrorCode, UserError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { type Environment, kernelFolders, pythonOf, usualPython } from './jupyter-folders.ts'

/** How to start a kernel. */
export interface KernelSpec {
  name: string
  /** With placeholders; see `kernelCommand`. */
  argv: string[]
  env: Record<string, string>
  language: string
  interruptMode: 'signal' | 'message'
  /** The folder of its kernel.json; undefined for a kernel that nobody has registered. */
  folder: string | undefined
  prefix: string | undefined
}

const SpecFile = z.object({
  argv: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()).catch({}),
  language: z.string().catch('python'),
  interrupt_mode: z.enum(['signal', 'message']).catch('signal'),
})

const defaultName = 'python3'
export const installHint =
  'Install one with `python3 -m pip install ipykernel` (on Debian and its relatives: `apt install python3-ipykernel`) in the Python that you use for notebooks'

/** Reads the registered kernels, those of earlier folders first. What can't be read is logged and left out. */
export async function readKernelSpecs(env: Environment, log: Log): Promise<KernelSpec[]> {
  const found = new Map<string, KernelSpec>()
  for (const { path, prefix } of kernelFolders(env)) {
    for (const name of await namesIn(path)) {
      const key = name.toLowerCase() // Jupyter's names know no case
      if (found.has(key)) continue
      const spec = await readSpec(join(path, name), name, prefix, log)
      if (spec !== undefined) found.set(key, spec)
    }
  }
  return [...found.values()]
}

/**
 * The kernel of that name; without a name `python3`, for which a Python that may have ipykernel will do.
 * @throws {UserError} there is none, or it is not one for Python.
 */
export async function findKernelSpec(name: string | undefined, env: Environment, log: Log): Promise<KernelSpec> {
  const specs = await readKernelSpecs(env, log)
  const wanted = (name ?? defaultName).toLowerCase()
  const found = specs.find(spec => spec.name.toLowerCase() === wanted) ?? unregistered(wanted, env)
  if (found === undefined) throw new UserError(describeMissing(name, specs))
  if (found.language.toLowerCase() !== 'python') {
    throw new UserError(`The kernel "${found.name}" is one for ${found.language}, and executeCode runs Python only`)
  }
  return found
}

/** ipykernel needs no registration for the Python that it is installed in: Jupyter starts it as `python3`, too. */
function unregistered(wanted: string, env: Environment): KernelSpec | undefined {
  const python = wanted === defaultName ? usualPython(env) : undefined
  if (python === undefined) return undefined
  return {
    name: defaultName,
    argv: [python, '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
    env: {},
    language: 'python',
    interruptMode: 'signal',
    folder: undefined,
    prefix: undefined,
  }
}

function describeMissing(name: string | undefined, specs: readonly KernelSpec[]): string {
  if (name === undefined) return `There is no Jupyter kernel for Python here. ${installHint}`
  const others = specs.map(spec => `"${spec.name}"`).join(', ')
  const choice = others === '' ? installHint : `There are ${others}: choose one with the option jupyter.kernel`
  return `The Jupyter kernel "${name}" is not installed. ${choice}`
}

/**
 * The words that start a kernel. A bare `python` is the one that the kernel was registered by, as Jupyter has it.
 */
export function kernelCommand(spec: KernelSpec, connectionFile: string, env: Environment): string[] {
  const words = spec.argv.map(word =>
    word
      .replaceAll('{connection_file}', connectionFile)
      .replaceAll('{resource_dir}', spec.folder ?? '')
      .replaceAll('{prefix}', spec.prefix ?? ''),
  )
  const [program = '', ...rest] = words
  if (!/^python(3(\.\d+)?)?$/.test(program)) return words
  const python = (spec.prefix === undefined ? undefined : pythonOf(spec.prefix)) ?? usualPython(env)
  return [python ?? program, ...rest]
}

/** The environment that a kernel wants; `${NAME}` in it is a variable of ours. */
export function kernelEnvironment(spec: KernelSpec, env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(spec.env).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+)\}/g, (whole, variable: string) => env[variable] ?? whole),
    ]),
  )
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return []
    throw error
  }
}

async function readSpec(
  folder: string,
  name: string,
  prefix: string | undefined,
  log: Log,
): Promise<KernelSpec | undefined> {
  try {
    const file = SpecFile.parse(JSON.parse(await readFile(join(folder, 'kernel.json'), 'utf8')))
    const { argv, env, language, interrupt_mode: interruptMode } = file
    return { name, argv, env, language, interruptMode, folder, prefix }
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) log.warn(`the kernel in ${folder} can't be read: ${String(error)}`)
    return undefined
  }
}
