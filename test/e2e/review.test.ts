// What the plugin exists for: Claude proposes an edit, the user reviews it in a diff, and the file is what was agreed on.
import { beforeEach, describe, expect, test } from 'vitest'
import { type ModelRequest, say, textOf, toolResultsOf, useTool } from '../support/scripted-model.ts'
import type { ClaudeSession } from './support/claude-session.ts'
import { answerClaude, prompt, typeToClaude, waitForClaude } from './support/claude-terminal.ts'
import { askForEdit } from './support/edits.ts'
import { edit, openFile, waitForLine } from './support/files.ts'
import { waitForNoDiff, waitForProposal } from './support/proposal.ts'
import { shareClaudeSession } from './support/sittings.ts'

const poem = 'first line\nsecond line\nthird line\n'
const changedPoem = 'first line\nSECOND LINE\nthird line\n'

const current = shareClaudeSession({
  'accept.txt': poem,
  'command.txt': poem,
  'by-hand.txt': poem,
  'deny.txt': poem,
  'why.txt': poem,
  'no-newline.txt': 'first line\nsecond line',
  'windows.txt': '\ufefffirst line\r\nsecond line\r\n',
  'yes.txt': poem,
  'no.txt': poem,
})

let session: ClaudeSession

beforeEach(() => {
  session = current()
})

/** Whether the CLI told Claude that the text which came back from the review differs from the proposal. */
function wasModifiedByUser(): boolean {
  const last = session.model.requests.at(-1)
  const [result = ''] = last ? toolResultsOf(last) : []
  expect(result).toContain('successfully')
  return result.includes('The user modified your proposed changes')
}

describe('accepting a proposal', () => {
  test(':w writes exactly the proposal, and the open buffer shows it with the cursor where it was', async () => {
    await edit(session, 'accept.txt', 3, 7)
    await askForEdit(session, 'accept.txt', 'The first poem is done.')
    const proposal = await waitForProposal(session, 'accept.txt')
    expect(proposal.text).toBe(changedPoem)
    expect(proposal.windows).toBe(2)
    expect(await session.fileOnDisk('accept.txt')).toBe(poem)

    await session.nvim.input(':w<CR>')
    await waitForClaude(session, 'The first poem is done.')
    expect(wasModifiedByUser()).toBe(false)
    expect(await session.fileOnDisk('accept.txt')).toBe(changedPoem)
    await waitForNoDiff(session)
    expect(await waitForLine(session, 'accept.txt', 'SECOND LINE')).toEqual({
      lines: ['first line', 'SECOND LINE', 'third line'],
      modified: false,
      cursor: [3, 6],
    })
  })

  test(':ClaudeCodeDiffAccept does the same', async () => {
    await edit(session, 'command.txt')
    await askForEdit(session, 'command.txt', 'The second poem is done.')
    await waitForProposal(session, 'command.txt')
    await session.nvim.input(':ClaudeCodeDiffAccept<CR>')
    await waitForClaude(session, 'The second poem is done.')
    expect(await session.fileOnDisk('command.txt')).toBe(changedPoem)
    await waitForNoDiff(session)
  })

  test('a proposal edited by hand reaches the disk as edited, and Claude knows', async () => {
    await edit(session, 'by-hand.txt')
    await askForEdit(session, 'by-hand.txt', 'The third poem is done.')
    await waitForProposal(session, 'by-hand.txt')
    await session.nvim.input('ggOa title, with ünï¢ödé<Esc>Gdd:w<CR>')
    await waitForClaude(session, 'The third poem is done.')
    expect(wasModifiedByUser()).toBe(true)
    expect(await session.fileOnDisk('by-hand.txt')).toBe('a title, with ünï¢ödé\nfirst line\nSECOND LINE\n')
    await waitForNoDiff(session)
  })

  test('a file without a final newline keeps none', async () => {
    await edit(session, 'no-newline.txt')
    await askForEdit(session, 'no-newline.txt', 'The short poem is done.')
    expect((await waitForProposal(session, 'no-newline.txt')).text).toBe('first line\nSECOND LINE')
    await session.nvim.input(':w<CR>')
    await waitForClaude(session, 'The short poem is done.')
    expect(wasModifiedByUser()).toBe(false)
    expect(await session.fileOnDisk('no-newline.txt')).toBe('first line\nSECOND LINE')
    await waitForNoDiff(session)
  })

  test('a file with a byte order mark and CRLF keeps both', async () => {
    await edit(session, 'windows.txt')
    await askForEdit(session, 'windows.txt', 'The poem from Windows is done.')
    await waitForProposal(session, 'windows.txt')
    await session.nvim.input(':w<CR>')
    await waitForClaude(session, 'The poem from Windows is done.')
    expect(wasModifiedByUser()).toBe(false)
    expect(await session.fileOnDisk('windows.txt')).toBe('\ufefffirst line\r\nSECOND LINE\r\n')
    await waitForNoDiff(session)
    expect(await waitForLine(session, 'windows.txt', 'SECOND LINE')).toMatchObject({ modified: false })
  })

  test('a new file in a new folder is written', async () => {
    const path = session.path('new/folder/fresh.txt')
    const content = 'a fresh file\nwith two lines\n'
    await prompt(session, 'write a fresh file', useTool('Write', { file_path: path, content }), say('It is written.'))
    expect((await waitForProposal(session, 'fresh.txt')).text).toBe(content)
    await session.nvim.input(':w<CR>')
    await waitForClaude(session, 'It is written.')
    expect(wasModifiedByUser()).toBe(false)
    expect(await session.fileOnDisk('new/folder/fresh.txt')).toBe(content)
    await waitForNoDiff(session)
  })
})

describe('rejecting a proposal', () => {
  test(':ClaudeCodeDiffDeny leaves the file alone', async () => {
    await edit(session, 'deny.txt')
    await askForEdit(session, 'deny.txt')
    await waitForProposal(session, 'deny.txt')
    await session.nvim.input(':ClaudeCodeDiffDeny<CR>')
    await waitForClaude(session, 'Rejected update to deny.txt')
    await waitForNoDiff(session)
    expect(await session.fileOnDisk('deny.txt')).toBe(poem)
    expect(await openFile(session, 'deny.txt')).toMatchObject({ lines: poem.trimEnd().split('\n'), modified: false })
  })
})

describe('rejecting with a reason', () => {
  test('the reason is in the prompt, for the user to send', async () => {
    await edit(session, 'why.txt')
    await askForEdit(session, 'why.txt')
    await waitForProposal(session, 'why.txt')
    await session.nvim.input(':ClaudeCodeDiffDeny keep it in small letters<CR>')
    await waitForClaude(session, 'Rejected update to why.txt')
    await waitForNoDiff(session)
    await waitForClaude(session, 'why.txt] keep it in small letters')
    expect(await session.fileOnDisk('why.txt')).toBe(poem)
    session.model.add(say('Small letters it is.'))
    await typeToClaude(session, '<CR>')
    await waitForClaude(session, 'Small letters it is.')
    expect(textOf(session.model.requests.at(-1) as ModelRequest)).toContain('keep it in small letters')
  })
})

describe('answering in the terminal instead', () => {
  test('yes closes the diff and writes the file', async () => {
    await edit(session, 'yes.txt')
    await askForEdit(session, 'yes.txt', 'The terminal was quicker.')
    await waitForProposal(session, 'yes.txt')
    await waitForClaude(session, 'Opened changes in Neovim ⧉ yes.txt')
    await answerClaude(session, 'yes.txt', '1')
    await waitForClaude(session, 'The terminal was quicker.')
    expect(await session.fileOnDisk('yes.txt')).toBe(changedPoem)
    await waitForNoDiff(session)
    await waitForLine(session, 'yes.txt', 'SECOND LINE')
  })

  test('no closes the diff and leaves the file alone', async () => {
    await edit(session, 'no.txt')
    await askForEdit(session, 'no.txt')
    await waitForProposal(session, 'no.txt')
    await answerClaude(session, 'no.txt', '3')
    await waitForClaude(session, 'Rejected update to no.txt')
    await waitForNoDiff(session)
    expect(await session.fileOnDisk('no.txt')).toBe(poem)
  })
})
