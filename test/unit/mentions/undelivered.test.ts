// Why a mention waits: the reasons that are named.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explainUndelivered, findProxy, findRivals } from '../../../src/mentions/undelivered.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const circumstances = { isServing: true, isRunning: false, canStart: true, rivals: [], proxy: undefined }
const mentions = [
  { id: 1, filePath: '/p/a.txt', context: 'x' },
  { id: 2, filePath: '/p/sub/', context: 'x' },
]

describe('explainUndelivered', () => {
  test.each([
    [{}, 'a.txt and 1 more was not sent: Claude has ended'],
    [{ isServing: false }, 'a.txt and 1 more was not sent: the server is stopped'],
    [{ isRunning: true }, 'a.txt and 1 more was not sent: Claude runs but has not connected'],
    [{ canStart: false, proxy: 'http_proxy' }, 'http_proxy is set: a Claude of your own needs no_proxy'],
    [{ isRunning: true, rivals: ['VS Code (port 10)'] }, 'VS Code (port 10) has this folder open, too'],
  ])('%j', (change, text) => {
    expect(explainUndelivered(mentions, true, { ...circumstances, ...change })).toContain(text)
  })

  test('names a question by its first words', () => {
    const question = { id: 3, question: '\nwhy is this so, and what can be done?\nsecond line' }
    const text = explainUndelivered([question, ...mentions], true, circumstances)
    expect(text).toContain('"why is this so, and what can b…" and 2 more was not sent')
    expect(text).toContain('; :ClaudeCodePrompt has what you wrote')
  })

  test('names a folder, and says when it still waits', () => {
    expect(explainUndelivered(mentions.slice(1), false, circumstances)).toContain('sub/ is not sent yet')
  })
})

test('a proxy is no reason when this machine is exempt', () => {
  expect(findProxy({ http_proxy: 'http://p:1' })).toBe('http_proxy')
  expect(findProxy({ ALL_PROXY: 'x', NO_PROXY: 'corp' })).toBe('ALL_PROXY')
  expect(findProxy({ http_proxy: 'http://p:1', no_proxy: 'corp, localhost' })).toBeUndefined()
  expect(findProxy({ http_proxy: '' })).toBeUndefined()
})

test('rivals are the other editors in the same folder or above it', async () => {
  const { path } = await makeTemporaryFolder()
  expect(await findRivals(join(path, 'none'), 1, ['/p'])).toEqual([])
  const lock = (ideName: string, folder: string) => JSON.stringify({ ideName, workspaceFolders: [folder] })
  await mkdir(join(path, 'ide'))
  for (const [name, text] of [
    ['1.lock', lock('Neovim', '/p')],
    ['2.lock', lock('VS Code', '/p')],
    ['3.lock', lock('Zed', '/')],
    ['4.lock', lock('Other', '/project')],
    ['5.lock', 'nonsense'],
    ['6.txt', lock('No lock', '/p')],
  ] as const)
    await writeFile(join(path, 'ide', name), text)
  expect(await findRivals(join(path, 'ide'), 1, ['/p'])).toEqual(['VS Code (port 2)', 'Zed (port 3)'])
})
