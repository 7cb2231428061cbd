// What a prompt can know of a folder: its files, for completion, and what is not committed.
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readGitDiff } from '../../../src/prompts/git-diff.ts'
import { listWorkspaceFiles } from '../../../src/prompts/workspace-files.ts'
import { makeTemporaryFolder, writeFiles } from '../../support/temporary-folder.ts'

async function makeFolder(files: Record<string, string>): Promise<string> {
  const { path } = await makeTemporaryFolder()
  await writeFiles(path, files)
  return path
}

function git(folder: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd: folder, stdio: 'ignore' })
}

async function commitAll(folder: string): Promise<void> {
  git(folder, 'init', '-q')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-qm', 'x')
}

describe('the files', () => {
  const files = { 'a.txt': '', 'src/deep/b.ts': '', '日本 語.txt': '', 'node_modules/x/i.js': '', '.hidden': '' }

  test('without Git are all, but for what others have installed there', async () => {
    const folder = await makeFolder(files)
    expect(await listWorkspaceFiles(folder)).toEqual([
      '.hidden',
      'a.txt',
      'src/',
      'src/deep/',
      'src/deep/b.ts',
      '日本 語.txt',
    ])
    expect(await listWorkspaceFiles(join(folder, 'nothing'))).toEqual([])
  })

  test('with Git are those that it knows or would take, from the folder that one is in', async () => {
    const folder = await makeFolder({ ...files, '.gitignore': 'node_modules\n*.txt\n', 'src/new file.ts': '' })
    git(folder, 'init', '-q')
    git(folder, 'add', 'src/deep')
    expect(await listWorkspaceFiles(folder)).toEqual([
      '.gitignore',
      '.hidden',
      'src/',
      'src/deep/',
      'src/deep/b.ts',
      'src/new file.ts',
    ])
    expect(await listWorkspaceFiles(join(folder, 'src'))).toEqual(['deep/', 'deep/b.ts', 'new file.ts'])
  })
})

describe('what is not committed', () => {
  const nonePrivate = async (paths: string[]) => paths.map(() => false)

  test('is that of the whole repository, also from a folder in it, staged or not, whatever the names are', async () => {
    const folder = await makeFolder({ 'a.txt': 'one\n', 'src/日本 [x].txt': 'two\n' })
    await commitAll(folder)
    expect(await readGitDiff(join(folder, 'src'), nonePrivate)).toBe('nothing is changed')
    await writeFile(join(folder, 'a.txt'), 'ONE\n')
    git(folder, 'add', 'a.txt')
    await writeFile(join(folder, 'src/日本 [x].txt'), 'TWO\n')
    const lines = await readGitDiff(join(folder, 'src'), nonePrivate)
    expect(lines).toEqual(expect.arrayContaining(['-one', '+ONE', '-two', '+TWO']))
    const asked: string[] = []
    const without = await readGitDiff(folder, async paths => {
      asked.push(...paths)
      return paths.map(path => path.endsWith('[x].txt'))
    })
    expect(asked).toEqual([join(folder, 'a.txt'), join(folder, 'src/日本 [x].txt')])
    expect(without).toEqual(expect.arrayContaining(['-one', '+ONE']))
    expect(without).not.toEqual(expect.arrayContaining(['-two']))
    expect(await readGitDiff(folder, async paths => paths.map(() => true))).toBe('only private files are changed')
  })

  test('before the first commit is all that is staged', async () => {
    const folder = await makeFolder({ 'a.txt': 'one\n' })
    git(folder, 'init', '-q')
    git(folder, 'add', '-A')
    expect(await readGitDiff(folder, nonePrivate)).toEqual(expect.arrayContaining(['+one']))
  })

  test('is cut when it is long', async () => {
    const folder = await makeFolder({ 'a.txt': 'one\n' })
    await commitAll(folder)
    await writeFile(join(folder, 'a.txt'), 'x\n'.repeat(5000))
    const lines = await readGitDiff(folder, nonePrivate)
    expect(lines).toHaveLength(2001)
    expect(lines.at(-1)).toBe('(and 3006 more lines)')
  })

  test('needs a repository', async () => {
    const folder = await makeFolder({})
    await mkdir(join(folder, 'x'))
    expect(await readGitDiff(folder, nonePrivate)).toBe('this folder is in no Git repository')
  })
})
