// getCurrentSelection and getLatestSelection, from a real Neovim through a real socket: the shapes of their answers.
// What counts as selected is tested in test/editor/selection.
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { oddNames, startSession } from './support.ts'

test('the examples of the document, every field', async () => {
  const { nvim, json, file } = await startSession({ files: { 'a.js': 'selected content\n' } })
  expect(await json('getCurrentSelection')).toEqual({ success: false, message: 'No active editor found' })
  expect(await json('getLatestSelection')).toEqual({ success: false, message: 'No selection available' })
  await nvim.feed(':edit a.js<CR>ve')
  const selected = {
    success: true,
    text: 'selected',
    filePath: file('a.js'),
    fileUrl: `file://${file('a.js')}`,
    selection: { start: { line: 0, character: 0 }, end: { line: 0, character: 8 }, isEmpty: false },
  }
  await nvim.waitFor(async () => (await json('getCurrentSelection'))['text'] === 'selected', 'the selection')
  expect(await json('getCurrentSelection', { extra: [1] })).toEqual(selected)
  expect(await json('getLatestSelection', { extra: null })).toEqual(selected)
})

test('every name of a file', async () => {
  const { nvim, json, file } = await startSession({
    files: Object.fromEntries(oddNames.map(name => [name, 'one\n'])),
  })
  for (const name of oddNames) {
    await nvim.lua('local b = vim.fn.bufadd((...)) vim.bo[b].buflisted = true vim.cmd.buffer(b)', file(name))
    await nvim.feed('<Esc>V')
    const filePath = file(name)
    for (const tool of ['getCurrentSelection', 'getLatestSelection']) {
      await nvim.waitFor(async () => (await json(tool))['filePath'] === filePath, `${tool} to name ${name}`)
    }
    expect(await json('getLatestSelection')).toMatchObject({ filePath, fileUrl: pathToFileURL(filePath).href })
  }
})
