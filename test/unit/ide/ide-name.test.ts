// What the name of a Neovim is made of.
import { expect, test } from 'vitest'
import { fillIdeName } from '../../../src/ide/ide-name.ts'
import { makeTemporaryFolder, writeFiles } from '../../support/temporary-folder.ts'

const files = {
  'app/.git/HEAD': 'ref: refs/heads/feature/x\n',
  'app/src/a.txt': '',
  'app/.git/worktrees/tree/HEAD': '0123456789abcdef0123456789abcdef01234567\n',
  'tree/.git': 'gitdir: ../app/.git/worktrees/tree\n',
  'bare/a.txt': '',
}

test.each([
  ['Neovim', 'app', 'Neovim'],
  ['Neovim {folder} ({branch})', 'app', 'Neovim app (feature/x)'],
  ['Neovim {folder} ({branch})', 'app/src', 'Neovim src (feature/x)'],
  ['Neovim {folder} ({branch})', 'tree', 'Neovim tree (0123456)'],
  ['Neovim {folder} ({branch})', 'bare', 'Neovim bare'],
  ['Neovim [{branch}] {other}', 'bare', 'Neovim {other}'],
])('L-04: %j in %s is %j', async (template, folder, name) => {
  const { path } = await makeTemporaryFolder()
  await writeFiles(path, files)
  expect(fillIdeName(template, [`${path}/${folder}`])).toBe(name)
})

test('without a folder there is nothing to fill in', () => {
  expect(fillIdeName('Neovim {folder} ({branch})', [])).toBe('Neovim')
})
