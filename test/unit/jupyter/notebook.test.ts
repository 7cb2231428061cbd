// The kernel that a notebook names.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadZeroMq } from '../../../src/jupyter/load-zeromq.ts'
import { kernelNameOf } from '../../../src/jupyter/notebook.ts'
import { notebookFile } from '../../support/ipykernel.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

test.each([
  [notebookFile('my-env'), 'my-env'],
  ['{"metadata":{}}', undefined],
  ['{"metadata":{"kernelspec":{"name":7}}}', undefined],
  ['{"metadata":', undefined],
  ['', undefined],
  ['[]', undefined],
])('of an .ipynb file: %s', async (text, name) => {
  const { path } = await makeTemporaryFolder()
  const file = join(path, 'a.ipynb')
  await writeFile(file, text)
  expect(await kernelNameOf({ path: file, kind: 'ipynb', head: [] })).toBe(name)
})

test('of an .ipynb file that is not written yet', async () => {
  expect(await kernelNameOf({ path: '/nowhere/a.ipynb', kind: 'ipynb', head: [] })).toBeUndefined()
})

const header = (...lines: string[]) => ['# ---', '# jupyter:', ...lines, '# ---', '# %%']

test.each([
  [header('#   kernelspec:', '#     display_name: Py', '#     name: my-env'), 'my-env'],
  [header('#   jupytext:', '#     name: not this', '#   kernelspec:', '#     name: "my env"'), 'my env'],
  [['', ...header('#   kernelspec:', "#     name: 'x'")], 'x'],
  [header('#   kernelspec:', '#     language: python', '#   other:', '#     name: not this'), undefined],
  [header('#   jupytext:', '#     name: not this'), undefined],
  [['# ---', '#   kernelspec:', '#     name: header without an end'], undefined],
  [['# %%', 'kernelspec:', '  name: code'], undefined],
  [[], undefined],
])('of a # %% file: %j', async (head, name) => {
  expect(await kernelNameOf({ path: '/a.py', kind: 'cells', head })).toBe(name)
})

test('zeromq that is not installed is named, with what to do and without a path', async () => {
  const missing = new Error("Cannot find package 'zeromq' imported from /home/me/plugin/dist/host.cjs\nstack")
  await expect(loadZeroMq(() => Promise.reject(missing))).rejects.toThrow(
    /:ClaudeCodeKernelInstall.*Cannot find package 'zeromq' imported from host\.cjs\)$/,
  )
})
