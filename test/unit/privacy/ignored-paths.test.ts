// Which paths patterns hide.
import { describe, expect, test } from 'vitest'
import { IgnoredPaths, type IgnoreRules } from '../../../src/privacy/ignored-paths.ts'

function hidden(paths: string[], rules: Partial<IgnoreRules>): string[] {
  const ignored = new IgnoredPaths({ patterns: [], withSecrets: false, folders: ['/p'], homes: ['/home/u'], ...rules })
  return paths.filter(path => ignored.has(path))
}

/** Whether one pattern hides a path. */
const hides = (pattern: string, path: string) => hidden([path], { patterns: [pattern] }).length === 1

describe('what usually holds secrets', () => {
  const secrets = [
    '/p/.env',
    '/p/deep/down/.env.local',
    '/elsewhere/.env.production',
    '/p/.envrc',
    '/p/server.pem',
    '/p/tls/server.key',
    '/home/u/.ssh/id_rsa',
    '/home/u/.ssh/config',
    '/p/id_ed25519',
    '/p/id_ed25519.bak',
    '/home/u/.netrc',
    '/home/u/.aws/credentials',
    '/home/u/.password-store/mail/work.gpg',
    '/home/u/.password-store/.git/config',
    '/home/u/.gnupg/gpg.conf',
    '/p/vault.kdbx',
    '/p/.npmrc',
    '/p/.git-credentials',
    '/p/.ENV',
  ]
  const others = ['/p/a.txt', '/p/env', '/p/environment.ts', '/p/keys.ts', '/p/pem.md', '/p/.aws/config', '/p/a.keys']

  test('is hidden, wherever it is', () => {
    expect(hidden([...secrets, ...others], { withSecrets: true })).toEqual(secrets)
  })

  test('also when the workspace is inside of such a folder', () => {
    expect(hidden(['/home/u/.ssh/config'], { withSecrets: true, folders: ['/home/u/.ssh'] })).toHaveLength(1)
  })

  test('is not, when the user does not want that', () => {
    expect(hidden(secrets, { withSecrets: false })).toEqual([])
  })

  test('is taken back one by one', () => {
    const patterns = ['!.env.example', '!~/.netrc', '!/p/server.pem']
    const paths = ['/p/.env', '/p/.env.example', '/home/u/.netrc', '/p/.netrc', '/p/server.pem', '/p/x/server.pem']
    expect(hidden(paths, { withSecrets: true, patterns })).toEqual(['/p/.env', '/p/.netrc', '/p/x/server.pem'])
  })
})

test.each([
  ['*.sql', '/p/a.sql', '/p/a.sqlite'],
  ['*.sql', '/p/deep/a.sql', '/p/a.txt'],
  ['*.sql', '/elsewhere/a.sql', '/elsewhere/a'],
  ['secret/', '/p/x/secret/a', '/p/x/secret'],
  ['secret/', '/p/secret/deep/a', '/p/secrets/a'],
  ['/secret', '/p/secret', '/p/x/secret'],
  ['/secret', '/p/secret/a', '/p/x/secret/a'],
  ['a/b.txt', '/p/a/b.txt', '/p/x/a/b.txt'],
  ['**/a/b.txt', '/p/x/a/b.txt', '/p/x/a/c/b.txt'],
  ['a/**', '/p/a/x/y', '/p/b/x'],
  ['~/notes', '/home/u/notes/a.md', '/home/v/notes/a.md'],
  ['~/notes/*.md', '/home/u/notes/a.md', '/home/u/notes/x/a.md'],
  ['/etc/secret', '/etc/secret/key', '/var/etc/secret'],
  ['/opt/*.ini', '/opt/a.ini', '/opt/x/a.ini'],
  ['[ab].txt', '/p/a.txt', '/p/c.txt'],
  ['\\!odd', '/p/!odd', '/p/odd'],
  ['Secret.TXT', '/p/secret.txt', '/p/secret.text'],
])('%s hides %s and not %s', (pattern, yes, no) => {
  expect([hides(pattern, yes), hides(pattern, no)]).toEqual([true, false])
})

test('the path of a folder ends in a slash, and a pattern for folders hides it', () => {
  expect(hides('secret/', '/p/secret/')).toBe(true)
  expect(hides('~/notes/', '/home/u/notes/')).toBe(true)
  expect(hides('*', '/p/')).toBe(false)
})

test('folders above the workspace do not count, as in .gitignore', () => {
  expect(hidden(['/private/p/a.txt'], { patterns: ['private/'], folders: ['/private/p'] })).toEqual([])
})

test('the last pattern that says something counts, and an absolute one before the others', () => {
  expect(hidden(['/p/a.sql', '/p/b.sql'], { patterns: ['*.sql', '!b.sql'] })).toEqual(['/p/a.sql'])
  expect(hidden(['/p/a.sql', '/p/b.sql'], { patterns: ['!b.sql', '*.sql'] })).toHaveLength(2)
  expect(hidden(['/p/x/b.sql'], { patterns: ['!/p/x/b.sql', '*.sql'] })).toEqual([])
  expect(hidden(['/p/x/b.sql'], { patterns: ['/p/x/', '!*.sql'] })).toHaveLength(1)
})

test('a file is hidden when it is so from one of the folders that it is in', () => {
  expect(hidden(['/p/sub/a/b'], { patterns: ['/a'], folders: ['/p', '/p/sub'] })).toHaveLength(1)
  expect(hidden(['/p/sub2/a/b'], { patterns: ['/a'], folders: ['/p', '/p/sub'] })).toEqual([])
})

test('a home folder with characters that mean something in patterns', () => {
  const rules = { patterns: ['~/notes'], homes: ['/home/[u] *'] }
  expect(hidden(['/home/[u] */notes', '/home/u x/notes'], rules)).toEqual(['/home/[u] */notes'])
})

test('names that look like relative paths, blanks, and patterns that say nothing', () => {
  expect(hidden(['/p/.../a', '/p/..a'], { patterns: ['a', '', '# a comment', '   ', '!'] })).toEqual(['/p/.../a'])
})
