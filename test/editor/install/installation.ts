// A copy of the plugin as a user has it on disk: just cloned, with its packages, or built.
import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { copyFile, cp, mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { repository } from '../../support/places.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

export interface Parts {
  /** `dist/host.cjs`, as it is here. */
  bundle?: boolean
  /** `node_modules`, as a link to those here. */
  packages?: boolean
}

/** Copies what a fresh clone would have, uncommitted changes too, and the parts. Returns the folder. */
export async function copyPlugin({ bundle = false, packages = false }: Parts = {}): Promise<string> {
  const { path: folder } = await makeTemporaryFolder()
  for (const name of filesOfClone()) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await copyFile(path.join(repository, name), path.join(folder, name), constants.COPYFILE_FICLONE)
  }
  if (packages) await symlink(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'))
  if (bundle) await cp(path.join(repository, 'dist'), path.join(folder, 'dist'), { recursive: true })
  return folder
}

function filesOfClone(): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', ['ls-files', '-z', ...args], { cwd: repository, encoding: 'utf8' })
      .split('\0')
      .filter(Boolean)
  const deleted = new Set(git('--deleted'))
  return git('--cached', '--others', '--exclude-standard').filter(
    name => !deleted.has(name) && !/^(test|bench)\//.test(name),
  )
}

/** Lua for init.lua that puts the copy on 'runtimepath' and sets it up. */
export function useCopy(folder: string, setup = '{}'): string {
  return `vim.opt.runtimepath:prepend(${JSON.stringify(folder)})\nrequire('claudecode').setup(${setup})\n`
}
