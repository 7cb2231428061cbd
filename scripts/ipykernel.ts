// A Python with ipykernel for the tests. `npx tsx scripts/ipykernel.ts` prints its path.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { unpackedFromDebian, wrapProgram } from './debian.ts'

const run = promisify(execFile)

/**
 * The path of a Python that has ipykernel: `IPYKERNEL_PYTHON` when that is set, else from the cache, else fetched now
 * (half a minute).
 * @throws Error with a sentence that says what to install.
 */
export async function ipykernelPython(): Promise<string> {
  const named = process.env['IPYKERNEL_PYTHON']
  if (named) return named
  const folder = await unpackedFromDebian({
    name: 'ipykernel',
    packages: ['python3-ipykernel'],
    recipe: 2,
    // Debian's packages ask for them, but no kernel needs them: a quarter of the size.
    unneeded: /^(gdb|dpkg|perl-base|debconf|tar|python3-debugpy|libpython3[.\d]+|libsource-highlight[^_]*)_/,
    finish: (made, target, machine) => wrapProgram('python3', made, target, machine),
  })
  if (folder === undefined) {
    throw new Error('Set IPYKERNEL_PYTHON to a Python that has ipykernel: it can only be fetched with apt-get.')
  }
  const python = join(folder, 'usr', 'bin', 'python3')
  await run(python, ['-c', 'import ipykernel'])
  return python
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${await ipykernelPython()}\n`)
