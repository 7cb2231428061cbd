// Root may read and write everything, which hides what permissions do. A program under this wrapper may not.
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTemporaryFolder } from './temporary-folder.ts'

const powers = ['dac_override', 'dac_read_search', 'fowner']

/**
 * A program that runs `program` so that permissions count for it: for root, without the capabilities that ignore them
 * (setpriv, of Debian's essential util-linux). The process id stays the same.
 */
export async function asMereUser(program: string): Promise<string> {
  if (process.getuid?.() !== 0) return program
  const folder = await makeTemporaryFolder()
  const wrapper = join(folder.path, 'nvim')
  const without = powers.map(power => `-${power}`).join(',')
  await writeFile(
    wrapper,
    `#!/bin/sh\nexec setpriv --bounding-set=${without} --inh-caps=${without} -- '${program}' "$@"\n`,
  )
  await chmod(wrapper, 0o755)
  return wrapper
}
