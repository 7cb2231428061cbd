// Where Claude's configuration is, and its lock files.
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { configFolder, lockFolder } from '../../../src/ide/claude-folders.ts'

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

test('the configuration is in the folder above', () => {
  expect(configFolder(undefined, '/home/me')).toBe('/home/me/.claude')
  expect(configFolder('~/my claude/', '/home/me')).toBe('/home/me/my claude')
})
