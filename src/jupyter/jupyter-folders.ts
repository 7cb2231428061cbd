// Where Jupyter looks for kernels (Jupyter documentation, "Common Directories and File Locations", Data files).
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { findProgram, programAt } from '../base/find-program.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A folder that has kernels in folders named after them, and the Python installation that it belongs to. */
export interface KernelFolder {
  path: string
  /** Such as a virtual environment; undefined for the user's own folder and the system's. */
  prefix: string | undefined
}

/** All folders that may have kernels, whether they exist or not; a kernel of an earlier one hides its namesakes. */
export function kernelFolders(env: Environment = process.env): KernelFolder[] {
  const user = { path: join(userData(env), 'kernels'), prefix: undefined }
  const active = activePrefixes(env).map(ofPrefix)
  const reachable = prefixesOnPath(env).map(ofPrefix)
  const system = process.platform === 'win32' ? [join(env['PROGRAMDATA'] ?? 'C:\\ProgramData', 'jupyter')] : systemData
  const named = (env['JUPYTER_PATH'] ?? '').split(delimiter).filter(path => path !== '')
  // An active environment comes before the user's own folder, any other Python behind it: so does Jupyter.
  const folders = [
    ...named.map(path => ({ path: join(path, 'kernels'), prefix: undefined })),
    ...active,
    user,
    ...reachable,
    ...system.map(path => ({ path: join(path, 'kernels'), prefix: undefined })),
    { path: join(env['IPYTHONDIR'] || join(home(env), '.ipython'), 'kernels'), prefix: undefined },
  ]
  return folders.filter(({ path }, index) => folders.findIndex(other => other.path === path) === index)
}

const systemData = ['/usr/local/share/jupyter', '/usr/share/jupyter']

function ofPrefix(prefix: string): KernelFolder {
  return { path: join(prefix, 'share', 'jupyter', 'kernels'), prefix }
}

function home(env: Environment): string {
  return env['HOME'] || homedir()
}

function userData(env: Environment): string {
  if (env['JUPYTER_DATA_DIR']) return env['JUPYTER_DATA_DIR']
  if (process.platform === 'darwin') return join(home(env), 'Library', 'Jupyter')
  if (process.platform === 'win32') return join(env['APPDATA'] ?? home(env), 'jupyter')
  return join(env['XDG_DATA_HOME'] || join(home(env), '.local', 'share'), 'jupyter')
}

/** The environments that the user has activated. */
function activePrefixes(env: Environment): string[] {
  return [env['VIRTUAL_ENV'], env['CONDA_PREFIX']].filter(prefix => prefix !== undefined && prefix !== '') as string[]
}

/** The installations whose `jupyter` or Python the user would run. */
function prefixesOnPath(env: Environment): string[] {
  return ['jupyter', ...pythonNames].flatMap(name => {
    const program = findProgram(name, env)
    return program === undefined ? [] : [dirname(dirname(program))]
  })
}

const pythonNames = process.platform === 'win32' ? ['python'] : ['python3', 'python']

/** The Python of an installation. */
export function pythonOf(prefix: string): string | undefined {
  const places = process.platform === 'win32' ? [['Scripts'], []] : [['bin']]
  return places.flatMap(place => pythonNames.map(name => programAt(join(prefix, ...place, name)))).find(Boolean)
}

/** The Python that the user would run: of the active environment, else the one on PATH. */
export function usualPython(env: Environment = process.env): string | undefined {
  for (const prefix of activePrefixes(env)) {
    const python = pythonOf(prefix)
    if (python !== undefined) return python
  }
  return pythonNames.map(name => findProgram(name, env)).find(Boolean)
}
