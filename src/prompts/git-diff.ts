// What is not committed, for a prompt's `@diff`.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasErrorCode } from '../base/errors.ts'

const run = promisify(execFile)
const patienceMs = 10_000
const mostBytes = 64 * 1024 * 1024
/** Longer diffs are cut: Claude can look for itself. */
const mostLines = 2000

/**
 * The difference between the last commit and the files, of those that Git knows.
 * @param isPrivate of an absolute path: its file is left out.
 * @returns the lines, or a sentence that says why there are none.
 */
export async function readGitDiff(
  folder: string,
  isPrivate: (paths: string[]) => Promise<boolean[]>,
): Promise<string[] | string> {
  const git = (...args: string[]) =>
    run('git', ['-c', 'core.quotePath=false', ...args], { cwd: folder, timeout: patienceMs, maxBuffer: mostBytes })
  let root: string
  try {
    root = (await git('rev-parse', '--show-toplevel')).stdout.trimEnd()
  } catch (error) {
    return hasErrorCode(error, 'ENOENT') ? 'git was not found' : 'this folder is in no Git repository'
  }
  const head = await git('rev-parse', '--verify', '-q', 'HEAD').then(
    () => 'HEAD',
    () => '4b825dc642cb6eb9a060e54bf8d69288fbee4904', // the empty tree: nothing was committed yet
  )
  const { stdout } = await git('diff', '--name-only', '-z', '--no-renames', head)
  const names = stdout.split('\0').filter(name => name !== '')
  const hidden = await isPrivate(names.map(name => join(root, name)))
  const without = names.filter((_name, index) => hidden[index])
  if (without.length === names.length)
    return names.length === 0 ? 'nothing is changed' : 'only private files are changed'
  const paths = [':(top)', ...without.map(name => `:(top,exclude,literal)${name}`)]
  const { stdout: diff } = await git(
    'diff',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--no-renames',
    head,
    '--',
    ...paths,
  )
  const lines = diff.trimEnd().split('\n')
  if (lines.length <= mostLines) return lines
  return [...lines.slice(0, mostLines), `(and ${lines.length - mostLines} more lines)`]
}
