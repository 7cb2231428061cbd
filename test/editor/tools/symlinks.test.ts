// Projects behind links: both names of a file mean the same buffer, and what Claude is told leads back to it.
import { realpath, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startSession } from './support.ts'

const files = { 'real/a b.txt': 'one\ntwo\n' }

/** A file of the project is open, by a path through the link. */
async function start() {
  const session = await startSession({ files })
  const { nvim } = session
  await symlink('real', join(nvim.folder, 'linked'))
  await nvim.lua(`vim.cmd.edit('linked/a\\\\ b.txt')
    vim.diagnostic.set(vim.api.nvim_create_namespace('test'), 0, { { lnum = 1, col = 0, message = 'wrong', severity = 1 } })`)
  const at = (folder: string) => join(nvim.folder, folder, 'a b.txt')
  return { ...session, at }
}

test.each(['real', 'linked', 'linked/', 'real/../linked', './linked'])('a file in %s is found', async folder => {
  const { nvim, json, at } = await start()
  await nvim.feed('ix<Esc>')
  const path = `${nvim.folder}/${folder}/a b.txt`
  expect(await json('checkDocumentDirty', { filePath: path })).toMatchObject({ success: true, isDirty: true })
  for (const uri of [`file://${path}`, encodeURI(`file://${path}`)]) {
    const [found] = await json<{ uri: string; diagnostics: unknown[] }[]>('getDiagnostics', { uri })
    expect(found?.diagnostics).toMatchObject([{ message: 'wrong', range: { start: { line: 1, character: 0 } } }])
  }
  expect(await realpath(at('linked'))).toBe(at('real'))
  expect(await nvim.lua(`return #vim.fn.getbufinfo({ buflisted = 1 })`)).toBe(1)
})

test('the selection and the open editors name the file as Neovim does, in paths and in URIs', async () => {
  const { nvim, json } = await start()
  await nvim.feed('V')
  const name = await nvim.lua<string>('return vim.api.nvim_buf_get_name(0)')
  type Current = { filePath: string; fileUrl: string; text: string }
  const current = await nvim.waitFor(async () => {
    const selection = await json<Current>('getCurrentSelection')
    return selection.text === 'one' && selection
  }, 'the selection')
  expect(current.filePath).toBe(name)
  expect(fileURLToPath(current.fileUrl)).toBe(name)
  const { tabs } = await json<{ tabs: { uri: string; fileName: string }[] }>('getOpenEditors')
  expect(tabs.map(({ uri, fileName }) => [fileURLToPath(uri), fileName])).toEqual([[name, name]])
})
