// The name under which Claude lists a Neovim (`/ide`).
import { basename, dirname, join, resolve } from 'node:path'
import { readTextNow } from '../base/read-if-there.ts'

/**
 * The option `ide_name` with its words filled in: `{folder}`, the name of the first folder of the workspace, and
 * `{branch}`, the git branch there. Brackets around nothing go.
 * @example fillIdeName('Neovim {folder} ({branch})', ['/home/me/app']) // 'Neovim app (main)'
 */
export function fillIdeName(template: string, [folder]: readonly string[]): string {
  return template
    .replaceAll('{folder}', () => (folder === undefined ? '' : basename(folder)))
    .replaceAll('{branch}', () => (folder === undefined ? '' : (branchOf(folder) ?? '')))
    .replaceAll(/\(\s*\)|\[\s*\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** What is checked out in the repository that has the folder, as its file HEAD says; a commit by its first digits. */
function branchOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const head = readText(join(at, '.git', 'HEAD')) ?? readWorktreeHead(at)
    if (head !== undefined) return /^ref: refs\/heads\/(.+)/.exec(head)?.[1]?.trim() ?? head.slice(0, 7)
    if (dirname(at) === at) return undefined
  }
}

/** In a worktree or a submodule `.git` is a file that says where the repository is. */
function readWorktreeHead(folder: string): string | undefined {
  const where = /^gitdir: (.+)/.exec(readText(join(folder, '.git')) ?? '')?.[1]
  return where === undefined ? undefined : readText(join(resolve(folder, where.trim()), 'HEAD'))
}

function readText(path: string): string | undefined {
  return readTextNow(path, 'EISDIR', 'EACCES', 'EPERM')
}
