// The conversations that Claude has kept: which are offered, and what they are called.
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ageOf } from '../../../src/commands/resume.ts'
import { listConversations } from '../../../src/terminal/conversations.ts'
import { makeTemporaryFolder, writeFiles } from '../../support/temporary-folder.ts'

const lines = (...all: object[]) => all.map(line => JSON.stringify(line)).join('\n')
const user = (content: unknown, more = {}) => ({ type: 'user', message: { role: 'user', content }, ...more })

test('those of the folder, the latest first, by what the user said first', async () => {
  const { path } = await makeTemporaryFolder()
  const folder = 'projects/-home-u-my-app-2-0'
  await writeFiles(path, {
    [`${folder}/old.jsonl`]: lines({ type: 'mode' }, user('first\n  question'), user('second')),
    [`${folder}/new.jsonl`]: lines(
      user('Caveat', { isMeta: true }),
      user('<command-name>/clear</command-name>'),
      user([{ type: 'tool_result', content: 'x' }]),
      user([{ type: 'image' }, { type: 'text', text: 'with a picture' }]),
    ),
    [`${folder}/summed.jsonl`]: lines({ type: 'summary', summary: 'A summary' }, user('x')),
    [`${folder}/silent.jsonl`]: lines({ type: 'mode' }),
    [`${folder}/broken.jsonl`]: 'nonsense\n{"type":"user"',
    [`${folder}/notes.txt`]: lines(user('no conversation')),
    'projects/-home-u-other/x.jsonl': lines(user('elsewhere')),
  })
  for (const [name, seconds] of [
    ['old', 1000],
    ['new', 3000],
    ['summed', 2000],
  ] as const)
    await utimes(join(path, folder, `${name}.jsonl`), seconds, seconds)
  expect(await listConversations(path, '/home/u/my.app 2.0')).toEqual([
    { id: 'new', changedAt: 3_000_000, title: 'with a picture' },
    { id: 'summed', changedAt: 2_000_000, title: 'A summary' },
    { id: 'old', changedAt: 1_000_000, title: 'first question' },
  ])
  expect(await listConversations(path, '/home/u/none')).toEqual([])
})

test('ages are short', () => {
  const minute = 60_000
  expect([0, 59 * minute, 60 * minute, 47 * 60 * minute, 48 * 60 * minute, -5].map(ageOf)).toEqual([
    ' 0 min',
    '59 min',
    '   1 h',
    '  47 h',
    '   2 d',
    ' 0 min',
  ])
})
