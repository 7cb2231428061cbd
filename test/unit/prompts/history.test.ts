// Earlier prompts on disk: by folder, for the user alone, not without end.

import { readdirSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PromptHistory } from '../../../src/prompts/history.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

test('each folder has its own, the newest last, none twice', async () => {
  const { path } = await makeTemporaryFolder()
  const [one, other] = [new PromptHistory(path, '/one'), new PromptHistory(path, '/other')]
  expect(one.read()).toEqual([])
  for (const prompt of ['a', 'b', '日本\n"x"', 'a']) one.add(prompt)
  other.add('c')
  expect(new PromptHistory(path, '/one').read()).toEqual(['b', '日本\n"x"', 'a'])
  expect(other.read()).toEqual(['c'])
  const folder = join(path, 'claudecode', 'prompts')
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
})

test('it holds two hundred, and a million characters but for the newest', async () => {
  const { path } = await makeTemporaryFolder()
  const history = new PromptHistory(path, '/one')
  for (let i = 0; i < 205; i++) history.add(String(i))
  expect(history.read()).toHaveLength(200)
  expect(history.read().at(0)).toBe('5')
  history.add('x'.repeat(999_990))
  expect(history.read().at(0)).toBe('202')
  history.add('y'.repeat(2_000_000))
  expect(history.read().map(({ length }) => length)).toEqual([2_000_000])
})

test('a file that is broken counts as empty', async () => {
  const { path } = await makeTemporaryFolder()
  const history = new PromptHistory(path, '/one')
  history.add('a')
  const folder = join(path, 'claudecode', 'prompts')
  await writeFile(join(folder, readdirSync(folder)[0] as string), '{')
  expect(history.read()).toEqual([])
})

test('what was not sent when Neovim ended is the newest, once', async () => {
  const { path } = await makeTemporaryFolder()
  const history = new PromptHistory(path, '/one')
  history.add('a')
  const folder = join(path, 'claudecode', 'prompts')
  const file = join(folder, (readdirSync(folder)[0] as string).replace('.json', '.unsent'))
  await writeFile(file, 'b\nc')
  expect(history.read()).toEqual(['a', 'b\nc'])
  history.add('d')
  expect(history.read()).toEqual(['a', 'b\nc', 'd'])
})
