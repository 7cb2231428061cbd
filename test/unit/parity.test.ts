// The table of what users of the Lua plugin have (test/parity.ts): its tests, its options, and what is gone.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readOptions } from '../../src/options/read-options.ts'
import { commands, environment, events, functions, gone, type Inherited, options, variables } from '../parity.ts'
import { repository } from '../support/places.ts'

test('each has a test, by its name', async () => {
  const all: Inherited[] = [...commands, ...options, ...functions, ...events, ...variables, ...environment]
  const missing: string[] = []
  for (const { name, test } of all) {
    const [file = '', title = ''] = test.split(' > ')
    const text = await readFile(join(repository, 'test', 'editor', file), 'utf8')
    const words = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    const call = new RegExp(`\\(['"\`](?:[A-Z]-\\d+(?:, [A-Z]-\\d+)*: )?${words}`)
    if (!call.test(text)) missing.push(`${name}: ${test}`)
  }
  expect(missing).toEqual([])
})

test('each option is known', () => {
  const known = (name: string) => {
    const keys = name.split('.')
    const written = keys.reduceRight<unknown>((value, key) => ({ [key]: value }), '<wrong>')
    return readOptions(written).warnings.every(warning => !warning.includes('is not known'))
  }
  expect(options.map(({ name }) => name).filter(name => !known(name))).toEqual([])
})

test('the README names what is gone', async () => {
  const readme = await readFile(join(repository, 'README.md'), 'utf8')
  expect(gone.filter(name => !readme.includes(`\`${name}`))).toEqual([])
})
