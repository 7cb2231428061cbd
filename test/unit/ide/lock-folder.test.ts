// Where lock files are looked for.
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { lockFolder } from '../../../src/ide/lock-folder.ts'

test.each([
  [undefined, '/home/me/.claude/ide'],
  ['', '/home/me/.claude/ide'],
  ['/etc/claude', '/etc/claude/ide'],
  ['/etc/claude/', '/etc/claude/ide'],
  ['~', '/home/me/ide'],
  ['~/my claude', '/home/me/my claude/ide'],
  ['~other/claude', resolve('~other/claude/ide')],
  ['a/~/b', resolve('a/~/b/ide')],
  ['../relative', resolve('../relative/ide')],
])('L-15: CLAUDE_CONFIG_DIR=%j', (configFolder, expected) => {
  expect(lockFolder(configFolder, '/home/me')).toBe(expected)
})

test('a home folder with a dollar sign is taken as it is', () => {
  expect(lockFolder('~/x', '/home/$&')).toBe('/home/$&/x/ide')
})
