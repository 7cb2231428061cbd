// getOpenEditors, from a real Neovim through a real socket.
import { expect, test } from 'vitest'
import { startSession } from './support.ts'

test('getOpenEditors: the example of the document, every field', async () => {
  const { nvim, json, file } = await startSession({ files: { 'filename.js': 'let a\nlet b\n' }, args: ['filename.js'] })
  await nvim.feed('jl')
  expect(await json('getOpenEditors')).toEqual({
    tabs: [
      {
        uri: `file://${file('filename.js')}`,
        isActive: true,
        isPinned: false,
        isPreview: false,
        isDirty: false,
        label: 'filename.js',
        groupIndex: 0,
        viewColumn: 1,
        isGroupActive: true,
        fileName: file('filename.js'),
        languageId: 'javascript',
        lineCount: 2,
        isUntitled: false,
        selection: { start: { line: 1, character: 1 }, end: { line: 1, character: 1 }, isReversed: false },
      },
    ],
  })
})
