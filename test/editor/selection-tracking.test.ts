// What Claude hears of the selection, from a real Neovim through a real socket.
import { expect, test } from 'vitest'
import { selectionsOf, show, startTracking, waitForSelection } from '../support/selection.ts'

test('the cursor, v and V reach Claude, and a new Claude hears what is selected', async () => {
  const tracking = await startTracking({ files: { 'a.txt': 'one\ntwo\nthree\n' }, args: ['a.txt'] })
  const claude = await tracking.connect()
  const told = (text: string) => waitForSelection(tracking, claude, one => show(one) === text, text)
  await told('cursor 0:0')
  await tracking.nvim.feed('jl')
  await told('cursor 1:1')
  await tracking.nvim.feed('vl')
  const { filePath, fileUrl } = await told('1:1-1:3 "wo"')
  expect([filePath, fileUrl]).toEqual([`${tracking.nvim.folder}/a.txt`, `file://${tracking.nvim.folder}/a.txt`])
  await tracking.nvim.feed('<Esc>ggVj')
  await told('0:0-1:3 "one\\ntwo"')
  const second = await tracking.connect()
  await waitForSelection(tracking, second, one => show(one) === '0:0-1:3 "one\\ntwo"', 'the selection')
  expect(selectionsOf(second)).toHaveLength(1)
})
