// The patterns that hide secrets are all in the documentation.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { secretPatterns } from '../../../src/privacy/ignored-paths.ts'
import { repository } from '../../support/places.ts'

test.each([
  ['README.md', /`([^`\s]+)`/g],
  ['doc/claudecode.txt', /(?<=\s)(\S+)/g],
])('%s lists them', async (name, words) => {
  const text = await readFile(join(repository, name), 'utf8')
  const found = new Set([...text.matchAll(words)].map(match => match[1]))
  expect(secretPatterns.filter(pattern => !found.has(pattern))).toEqual([])
})
