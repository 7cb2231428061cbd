// Which kernel is meant, and where Jupyter has it.
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kernelFolders } from '../../../src/jupyter/jupyter-folders.ts'
import { findKernelSpec, kernelCommand, kernelEnvironment, readKernelSpecs } from '../../../src/jupyter/kernel-spec.ts'
import { createKeptLog, registerKernel, specOf } from '../../support/ipykernel.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

/** A machine's folders with kernels, each of which says where it is from. */
async function makeMachine() {
  const { path } = await makeTemporaryFolder()
  const at = (...parts: string[]) => join(path, ...parts)
  const env = { HOME: at('home'), PATH: at('usr', 'bin'), JUPYTER_PATH: at('named') }
  for (const [where, ...names] of [
    ['named', 'first'],
    ['venv/share/jupyter', 'first', 'second', 'Third'],
    ['home/.local/share/jupyter', 'second', 'third', 'fourth'],
    ['usr/share/jupyter', 'fourth', 'fifth'],
  ] as const) {
    for (const name of names) await registerKernel(at(where), name, { argv: [where], display_name: name })
  }
  for (const program of ['usr/bin/python3', 'venv/bin/python']) {
    await mkdir(at(program, '..'), { recursive: true })
    await writeFile(at(program), '')
    await chmod(at(program), 0o755)
  }
  return { at, env }
}

describe('kernels are found', () => {
  test.runIf(process.platform === 'linux')(
    'in the order of Jupyter, an active environment before the user',
    async () => {
      const { at, env } = await makeMachine()
      const { log } = createKeptLog()
      const active = { ...env, VIRTUAL_ENV: at('venv') }
      const where = async (name: string, from: typeof env) => (await findKernelSpec(name, from, log)).argv[0]
      expect(await where('first', active)).toBe('named')
      expect(await where('second', active)).toBe('venv/share/jupyter')
      expect(await where('THIRD', active)).toBe('venv/share/jupyter')
      expect(await where('third', env)).toBe('home/.local/share/jupyter')
      expect(await where('fourth', active)).toBe('home/.local/share/jupyter')
      expect(await where('fifth', active)).toBe('usr/share/jupyter')
    },
  )

  test('in the folders that the variables name', () => {
    const paths = (env: Record<string, string>) => kernelFolders(env).map(({ path }) => path)
    expect(paths({ JUPYTER_PATH: '/a:/b', HOME: '/h' }).slice(0, 2)).toEqual(['/a/kernels', '/b/kernels'])
    expect(paths({ JUPYTER_DATA_DIR: '/d', HOME: '/h' })).toContain('/d/kernels')
    expect(paths({ IPYTHONDIR: '/i', HOME: '/h' })).toContain('/i/kernels')
    expect(paths({ CONDA_PREFIX: '/c', HOME: '/h' })).toContain('/c/share/jupyter/kernels')
  })

  test('and what is no kernel is left out, with a line in the log', async () => {
    const { at, env } = await makeMachine()
    await mkdir(at('named', 'kernels', 'broken'), { recursive: true })
    await writeFile(at('named', 'kernels', 'broken', 'kernel.json'), '{')
    await mkdir(at('named', 'kernels', 'empty'))
    const { log, lines } = createKeptLog()
    const names = (await readKernelSpecs(env, log)).map(({ name }) => name)
    expect(names).toContain('first')
    expect(names).not.toContain('broken')
    expect(lines.join('\n')).toContain('named/kernels/broken')
    expect(lines.join('\n')).not.toContain('empty')
  })
})

describe('a kernel that is not there', () => {
  test('is named, with those that are', async () => {
    const { env } = await makeMachine()
    await expect(findKernelSpec('absent', env, createKeptLog().log)).rejects.toThrow(
      /The Jupyter kernel "absent" is not installed. There are "first".*option jupyter.kernel/,
    )
  })

  test('and is python3 is the Python at hand, which may have ipykernel', async () => {
    const { at, env } = await makeMachine()
    const { log } = createKeptLog()
    const command = async (from: typeof env) => (await findKernelSpec(undefined, from, log)).argv.slice(0, 3)
    expect(await command(env)).toEqual([at('usr/bin/python3'), '-m', 'ipykernel_launcher'])
    expect(await command({ ...env, VIRTUAL_ENV: at('venv') } as typeof env)).toEqual([
      at('venv/bin/python'),
      '-m',
      'ipykernel_launcher',
    ])
  })

  test('and without any Python, the error says what to install', async () => {
    const { at, env } = await makeMachine()
    await expect(findKernelSpec(undefined, { ...env, PATH: at('none') }, createKeptLog().log)).rejects.toThrow(
      /There is no Jupyter kernel for Python here. Install one with `python3 -m pip install ipykernel`/,
    )
  })
})

test('a kernel for another language is refused', async () => {
  const { at, env } = await makeMachine()
  await registerKernel(at('named'), 'ir', { argv: ['R'], language: 'R' })
  await expect(findKernelSpec('ir', env, createKeptLog().log)).rejects.toThrow('executeCode runs Python only')
})

test('placeholders are filled in, and a bare python is the one of the installation', async () => {
  const { at, env } = await makeMachine()
  const spec = { ...specOf('python'), argv: ['python', '-f', '{connection_file}', '{resource_dir}/x', '{prefix}'] }
  const venv = { ...spec, prefix: at('venv'), folder: at('venv/share/jupyter/kernels/x') }
  expect(kernelCommand(venv, '/tmp/c.json', env)).toEqual([
    at('venv/bin/python'),
    '-f',
    '/tmp/c.json',
    at('venv/share/jupyter/kernels/x/x'),
    at('venv'),
  ])
  expect(kernelCommand(spec, '/tmp/c.json', env)[0]).toBe(at('usr/bin/python3'))
  expect(kernelCommand({ ...venv, argv: ['/opt/python'] }, '/tmp/c.json', env)[0]).toBe('/opt/python')
})

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: Jupyter's own
test('its environment may use ours', () => {
  const env = { HOME: '/h' }
  const spec = { ...specOf('python'), env: { A: '1', B: '${HOME}/b:${NONE}' } }
  expect(kernelEnvironment(spec, env)).toEqual({ A: '1', B: '/h/b:${NONE}' })
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: Jupyter's own
