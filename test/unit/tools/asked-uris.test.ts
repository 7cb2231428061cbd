// URIs in the client's own spelling.
import { expect, test } from 'vitest'
import type { Client } from '../../../src/ide/client.ts'
import { AskedUris } from '../../../src/tools/asked-uris.ts'

const client = (id: number): Client => ({ id, isReady: true, processId: undefined, notify() {} })

test('a client gets back what it wrote, everyone else what is right', () => {
  const uris = new AskedUris()
  const [first, second] = [client(1), client(2)]
  uris.remember(first, '/a b', 'file:///a b')
  expect(uris.uriFor(first, '/a b')).toBe('file:///a b')
  expect(uris.uriFor(first, '/c d')).toBe('file:///c%20d')
  expect(uris.uriFor(second, '/a b')).toBe('file:///a%20b')
  uris.remember(first, '/a b', 'file:///a%20b')
  expect(uris.uriFor(first, '/a b')).toBe('file:///a%20b')
})

test('the URI of a link stands for the file that it leads to', () => {
  const uris = new AskedUris()
  const own = client(1)
  uris.remember(own, '/real/a', 'file:///link/a')
  expect(uris.uriFor(own, '/real/a')).toBe('file:///link/a')
})

test('a plain path is no URI', () => {
  const uris = new AskedUris()
  const own = client(1)
  uris.remember(own, '/a b', '/a b')
  expect(uris.uriFor(own, '/a b')).toBe('file:///a%20b')
})

test('only so many are remembered, the latest', () => {
  const uris = new AskedUris()
  const own = client(1)
  for (let index = 0; index < 1500; index++) uris.remember(own, `/a ${index}`, `file:///a ${index}`)
  expect(uris.uriFor(own, '/a 1499')).toBe('file:///a 1499')
  expect(uris.uriFor(own, '/a 0')).toBe('file:///a%200')
})
