// Our hooks beside the user's settings, in the words of Claude's call.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  findPlace,
  hooksTo,
  mergeHooks,
  putSettings,
  readSettings,
  restrictsHooks,
} from '../../../src/hooks/hook-settings.ts'
import { readManagedSettings } from '../../../src/hooks/managed-settings.ts'
import { makeTemporaryFolder, writeFiles } from '../../support/temporary-folder.ts'

describe('where settings are put', () => {
  test.each([
    [['claude'], ['claude', '--settings', 'S']],
    [
      ['claude', '--resume', 'x'],
      ['claude', '--settings', 'S', '--resume', 'x'],
    ],
    [
      ['/opt/bin/claude', '--', 'fix it'],
      ['/opt/bin/claude', '--settings', 'S', '--', 'fix it'],
    ],
    [
      ['direnv', 'exec', '.', 'claude', '-c'],
      ['direnv', 'exec', '.', 'claude', '--settings', 'S', '-c'],
    ],
    [
      ['claude', 'Fix the bug'],
      ['claude', '--settings', 'S', 'Fix the bug'],
    ],
    [
      ['claude', '--settings', '{}', '--x'],
      ['claude', '--settings', 'S', '--x'],
    ],
    [
      ['claude', '--settings=own.json'],
      ['claude', '--settings=S'],
    ],
    [
      ['claude', '--settings', 'a.json', '--settings', 'b.json'],
      ['claude', '--settings', 'a.json', '--settings', 'S'],
    ],
    [
      ['claude', '--', '--settings', 'text'],
      ['claude', '--settings', 'S', '--', '--settings', 'text'],
    ],
  ])('%j', (argv, expected) => {
    const place = findPlace(argv)
    expect(place && putSettings(argv, place, 'S')).toEqual(expected)
  })

  test.each([
    [['my-wrapper']],
    [['sh', '-c', 'claude']],
    [['claude', 'mcp', 'list']],
    [['claude', 'remote-control']],
    [['claude', '--settings']],
  ])('%j is left as it is', argv => {
    expect(findPlace(argv)).toBeUndefined()
  })
})

describe('merging', () => {
  const ours = hooksTo('http://127.0.0.1:1/hooks/a', 'http')
  const theirs = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'beep' }] }], Other: [1] }, model: 'opus' }

  test('keeps all that the user has, with our hooks behind theirs', () => {
    const Stop = [...theirs.hooks.Stop, ...(ours['Stop'] ?? [])]
    expect(mergeHooks(theirs, ours)).toEqual({ model: 'opus', hooks: { ...ours, Other: [1], Stop } })
  })

  test.each([[undefined], [[]], ['text'], [{ hooks: [] }], [{ hooks: { Stop: {} } }], [{ disableAllHooks: true }]])(
    '%j is not touched',
    settings => expect(mergeHooks(settings, ours)).toBeUndefined(),
  )

  test('no word of a call holds a token', () => {
    expect(JSON.stringify(ours)).toContain('"Authorization":"Bearer $CLAUDECODE_HOOK_TOKEN"')
  })

  test('what leaves no room for hooks is known, and what is switched off is not', () => {
    expect([{ allowManagedHooksOnly: true }, { allowedHttpHookUrls: [] }].map(restrictsHooks)).toEqual([true, true])
    expect([{}, undefined, { disableAllHooks: false }].map(restrictsHooks)).toEqual([false, false, false])
  })
})

test('settings are read as JSON, or from a file in the folder of the session', async () => {
  const { path } = await makeTemporaryFolder()
  await writeFiles(path, { 'own.json': '{"a":1}', 'broken.json': '{' })
  const read = (value: string) => readSettings(value, path)
  expect(await read(' {"b":2}')).toEqual({ b: 2 })
  expect(await read('own.json')).toEqual({ a: 1 })
  expect(await read(join(path, 'own.json'))).toEqual({ a: 1 })
  for (const value of ['{', 'broken.json', 'none.json', '.']) expect(await read(value)).toBeUndefined()
  expect(await readSettings('own.json', Buffer.from([0xff]))).toBeUndefined()
})

test('settings of an administrator are a file and pieces beside it', async () => {
  const { path } = await makeTemporaryFolder()
  await writeFiles(path, {
    'managed-settings.json': '{"a":1}',
    'managed-settings.d/10-hooks.json': '{"allowedHttpHookUrls":[]}',
    'managed-settings.d/.hidden.json': '{"b":1}',
    'managed-settings.d/notes.txt': '{"c":1}',
  })
  expect(await readManagedSettings([join(path, 'none'), path])).toEqual([
    undefined,
    { a: 1 },
    { allowedHttpHookUrls: [] },
  ])
})
