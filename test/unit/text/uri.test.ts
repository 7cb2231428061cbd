// file: URIs, there and back.
import { fileURLToPath, pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileUri, pathOfFileUri } from '../../../src/text/uri.ts'

test('a path is percent-encoded', () => {
  expect(fileUri('/tmp/a b#c%ü.txt')).toBe('file:///tmp/a%20b%23c%25%C3%BC.txt')
  expect(fileUri('/tmp/what?\n\\')).toBe('file:///tmp/what%3F%0A%5C')
})

test('a path that is not UTF-8 keeps each byte', () => {
  const path = Buffer.from('/tmp/caf\xe9 (1)', 'latin1')
  expect(fileUri(path)).toBe('file:///tmp/caf%E9%20%281%29')
  expect(pathOfFileUri(fileUri(path))).toEqual(path)
})

const name = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.constantFrom('a b', '#', '%', '%20', '?', 'ü', '日本', '\\', '\n', 'a:b', '~', '[x]', '...', '&='),
)
const path = fc
  .array(name, { minLength: 1, maxLength: 5 })
  .map(names => `/${names.map(each => each.replace(/[/\0]/g, '_')).join('/')}`)
  .filter(each => !/\/\.{1,2}(\/|$)/.test(each)) // Neovim's names have no such parts

test('every path comes back the same, for us and for Node', () => {
  fc.assert(
    fc.property(path, each => {
      expect(pathOfFileUri(fileUri(each))).toBe(each)
      expect(fileURLToPath(fileUri(each))).toBe(each)
      expect(fileUri(each)).toMatch(/^file:\/\/\/[\x21-\x7e]*$/)
    }),
    { numRuns: 2000 },
  )
})

test('a path is encoded as Node encodes it', () => {
  const plain = fc.stringMatching(/^[\w~.-]{1,8}$/).filter(each => each !== '.' && each !== '..')
  const any = fc.oneof(
    path,
    fc.array(plain, { minLength: 1, maxLength: 5 }).map(names => `/${names.join('/')}`),
  )
  fc.assert(
    fc.property(any, each => {
      expect(fileUri(each)).toBe(pathToFileURL(each).href)
    }),
    { numRuns: 2000 },
  )
})

test('bytes of any kind come back the same', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), bytes => {
      const each = Buffer.concat([Buffer.from('/'), Buffer.from(bytes).map(byte => (byte === 47 ? 48 : byte))])
      expect(Buffer.from(pathOfFileUri(fileUri(Buffer.from(each))) as string)).toEqual(Buffer.from(each))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['file:///tmp/a%20b', '/tmp/a b'],
  ['FILE:///tmp/a', '/tmp/a'],
  ['file:/tmp/a', '/tmp/a'],
  ['file://localhost/tmp/a', '/tmp/a'],
  ['file:///tmp/a b#c?d', '/tmp/a b#c?d'], // what Claude Code 2.1.332 sends: not encoded at all
  ['file:///tmp/100%', '/tmp/100%'],
  ['file:///tmp/%zz', '/tmp/%zz'],
])('%s is read as it is meant', (uri, meant) => {
  expect(pathOfFileUri(uri)).toBe(meant)
})

test.each(['file://elsewhere/tmp/a', 'https://x/y', '/tmp/a', 'file:relative', 'file:////server/share'])(
  '%s is no file of this machine',
  uri => {
    expect(pathOfFileUri(uri)).toBeUndefined()
  },
)
