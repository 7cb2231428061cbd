// Two edits in a row, and a proposal that the user has changed before they say yes in Claude's terminal.
import { expect, test } from 'vitest'
import { say } from '../support/scripted-model.ts'
import { answerClaude, prompt, waitForClaude } from './support/claude-terminal.ts'
import { askForEdit, editTurns } from './support/edits.ts'
import { edit, waitForLine } from './support/files.ts'
import { waitForNoDiff, waitForProposal } from './support/proposal.ts'
import { shareClaudeSession } from './support/sittings.ts'

const poem = 'first line\nsecond line\nthird line\n'
const current = shareClaudeSession({ 'twice.txt': poem, 'first.txt': poem, 'other.txt': poem, 'hand.txt': poem })

test('two edits of one file in a row: each is reviewed, on top of the one before', async () => {
  const session = current()
  const path = session.path('twice.txt')
  await edit(session, 'twice.txt')
  const [, secondEdit] = editTurns(path, 'third line', 'THIRD LINE')
  await prompt(
    session,
    'change two lines of twice.txt',
    ...editTurns(path, 'second line', 'SECOND LINE'),
    secondEdit as NonNullable<typeof secondEdit>,
    say('Both lines are done.'),
  )
  expect((await waitForProposal(session, 'twice.txt')).text).toBe('first line\nSECOND LINE\nthird line\n')
  await session.nvim.input(':w<CR>')
  const isSecond = async () => (await waitForProposal(session, 'twice.txt')).text.includes('THIRD LINE')
  await session.until(isSecond, 'the second proposal')
  expect((await waitForProposal(session, 'twice.txt')).text).toBe('first line\nSECOND LINE\nTHIRD LINE\n')
  expect(await session.fileOnDisk('twice.txt')).toBe('first line\nSECOND LINE\nthird line\n')
  await session.nvim.input(':w<CR>')
  await waitForClaude(session, 'Both lines are done.')
  expect(await session.fileOnDisk('twice.txt')).toBe('first line\nSECOND LINE\nTHIRD LINE\n')
  await waitForNoDiff(session)
  await waitForLine(session, 'twice.txt', 'THIRD LINE')
})

test('edits of two files in a row: each opens beside its own file', async () => {
  const session = current()
  await edit(session, 'first.txt')
  await prompt(
    session,
    'change first.txt and other.txt',
    ...editTurns(session.path('first.txt'), 'second line', 'SECOND LINE'),
    ...editTurns(session.path('other.txt'), 'third line', 'THIRD LINE', 'Both files are done.'),
  )
  await waitForProposal(session, 'first.txt')
  await session.nvim.input(':w<CR>')
  await waitForProposal(session, 'other.txt')
  await session.nvim.input(':w<CR>')
  await waitForClaude(session, 'Both files are done.')
  expect(await session.fileOnDisk('first.txt')).toBe('first line\nSECOND LINE\nthird line\n')
  expect(await session.fileOnDisk('other.txt')).toBe('first line\nsecond line\nTHIRD LINE\n')
  await waitForNoDiff(session)
})

test('A-02: changed by hand, then approved in the terminal: Claude writes its own, the changes are in a register', async () => {
  const session = current()
  await edit(session, 'hand.txt')
  await askForEdit(session, 'hand.txt', 'The terminal has decided.')
  await waitForProposal(session, 'hand.txt')
  await session.nvim.feed('Goby hand<Esc>')
  await answerClaude(session, 'hand.txt', '1')
  await waitForClaude(session, 'The terminal has decided.')
  expect(await session.fileOnDisk('hand.txt')).toBe('first line\nSECOND LINE\nthird line\n')
  await waitForNoDiff(session)
  await waitForLine(session, 'hand.txt', 'SECOND LINE')
  expect(await session.nvim.lua(`return vim.fn.getreg('p', 1, true)`)).toEqual([
    'first line',
    'SECOND LINE',
    'third line',
    'by hand',
  ])
  expect(await session.nvim.messages()).toContain('the text with your changes is in register p')
})
