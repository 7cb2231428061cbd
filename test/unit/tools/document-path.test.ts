// Paths as clients write them.
import { expect, test } from 'vitest'
import { PathArgument, readPath } from '../../../src/tools/document-path.ts'

test.each([
  ['/a/b.txt', '/a/b.txt', ['/a/b.txt']],
  ['/a b%20c#d', '/a b%20c#d', ['/a b%20c#d']],
  ['relative.txt', 'relative.txt', ['relative.txt']],
  ['file:///a/b.txt', '/a/b.txt', ['/a/b.txt']],
  ['file:///a%20b.txt', '/a b.txt', ['/a b.txt', '/a%20b.txt']],
  ['file:///a b#c?d.txt', '/a b#c?d.txt', ['/a b#c?d.txt']],
  ['file:///100%.txt', '/100%.txt', ['/100%.txt']],
  ['file://localhost/a.txt', '/a.txt', ['/a.txt']],
  ['file:/a.txt', '/a.txt', ['/a.txt']],
  ['FILE:///%C3%BC', '/ü', ['/ü', '/%C3%BC']],
  ['file://elsewhere/a.txt', 'file://elsewhere/a.txt', ['file://elsewhere/a.txt']],
  ['https://example.org/a', 'https://example.org/a', ['https://example.org/a']],
])('%s', (text, name, paths) => {
  expect(readPath(text)).toEqual({ name, paths })
})

test('bytes that are no text stay bytes', () => {
  expect(readPath('file:///caf%E9')).toEqual({ name: '/caf%E9', paths: [Buffer.from('/caf\xe9', 'latin1'), '/caf%E9'] })
})

test('a path has at least one character, no NUL, and an end', () => {
  for (const wrong of ['', 'a\0', 'x'.repeat(16_385), 1, null, undefined, {}, ['/a']]) {
    expect(PathArgument.safeParse(wrong).success, String(wrong).slice(0, 10)).toBe(false)
  }
  expect(PathArgument.safeParse('\n').success).toBe(true)
})
