// A file ends on disk byte for byte as the CLI alone would have written it, whatever its line ends, mark and encoding.
import { expect, test } from 'vitest'
import { editedAlone } from './support/claude-alone.ts'
import { waitForClaude } from './support/claude-terminal.ts'
import { askForEdit, editTurns } from './support/edits.ts'
import { edit, waitForLine } from './support/files.ts'
import { waitForNoDiff, waitForProposal } from './support/proposal.ts'
import { shareClaudeSession } from './support/sittings.ts'

const mark = '\uFEFF'

const files = {
  'lf.txt': 'first line\nsecond line\nthird line\n',
  'crlf.txt': 'first line\r\nsecond line\r\nthird line\r\n',
  'bom.txt': `${mark}first line\nsecond line\nthird line\n`,
  'bom-crlf.txt': `${mark}first line\r\nsecond line\r\n`,
  'utf16.txt': Buffer.from(`${mark}first line ä 日本\r\nsecond line\r\nthird line\r\n`, 'utf16le'),
  'utf16-lf.txt': Buffer.from(`${mark}first line\nsecond line`, 'utf16le'),
  'mixed.txt': 'first line\r\nsecond line\nthird line\r\nfourth line\r\n',
  'mixed-lf.txt': 'first line\nsecond line\r\nthird line\nfourth line\n',
  'no-end.txt': 'first line\r\nsecond line',
  'chinese.txt': '第一行\nsecond line\n第三行\n',
}

const current = shareClaudeSession(files)

test.each(Object.entries(files))('%s', async (name, bytes) => {
  const alone = await editedAlone(name, bytes, path => editTurns(path, 'second line', 'SECOND LINE', 'done'))
  expect(alone.equals(Buffer.from(bytes))).toBe(false)
  const session = current()
  await edit(session, name)
  await askForEdit(session, name, `Here is ${name}, changed.`)
  await waitForProposal(session, name)
  await session.nvim.input(':w<CR>')
  await waitForClaude(session, `Here is ${name}, changed.`)
  expect(await session.bytesOnDisk(name)).toEqual(alone)
  await waitForNoDiff(session)
  // Neovim reads a file again in the format that its buffer has (:help :checktime); of mixed ones that is unix.
  await waitForLine(session, name, name === 'mixed.txt' ? 'SECOND LINE\r' : 'SECOND LINE')
  await session.nvim.waitFor('not vim.bo.modified', 'the buffer to be unmodified')
})
