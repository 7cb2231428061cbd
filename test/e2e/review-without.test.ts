// Edits that are not reviewed in Neovim: diffs switched off, and proposals that the user lets through for a while.
import { expect, test } from 'vitest'
import { answerClaude, waitForClaude } from './support/claude-terminal.ts'
import { askForEdit } from './support/edits.ts'
import { edit, waitForLine } from './support/files.ts'
import { waitForNoDiff, waitForProposal } from './support/proposal.ts'
import { shareClaudeSession } from './support/sittings.ts'

const poem = 'first line\nsecond line\nthird line\n'
const changed = 'first line\nSECOND LINE\nthird line\n'
const current = shareClaudeSession({ 'through.txt': poem, 'reviewed.txt': poem, 'off.txt': poem, 'on.txt': poem })

test('U-06: :ClaudeCodeAutoAccept lets an edit through without a question anywhere, until it is off', async () => {
  const session = current()
  await edit(session, 'through.txt')
  await session.nvim.feed(':ClaudeCodeAutoAccept on<CR>')
  await askForEdit(session, 'through.txt', 'It went through.')
  await waitForClaude(session, 'It went through.')
  expect(await session.fileOnDisk('through.txt')).toBe(changed)
  await waitForLine(session, 'through.txt', 'SECOND LINE')
  expect(await session.nvim.lua(`return require('claudecode').statusline()`)).toMatch('auto-accept')

  await edit(session, 'reviewed.txt')
  await session.nvim.feed(':ClaudeCodeAutoAccept off<CR>')
  await askForEdit(session, 'reviewed.txt', 'It was reviewed.')
  await waitForProposal(session, 'reviewed.txt')
  await session.nvim.input(':w<CR>')
  await waitForClaude(session, 'It was reviewed.')
  await waitForNoDiff(session)
})

test('D-21, D-26: without diff_opts.enabled Claude asks in its terminal, and shows nothing in Neovim', async () => {
  const session = current()
  const setEnabled = (enabled: boolean) =>
    session.nvim.lua(
      `local claudecode = require('claudecode')
      claudecode.setup(vim.tbl_extend('force', require('claudecode.config').given(), { diff_opts = { enabled = ... } }))`,
      enabled,
    )
  await setEnabled(false)
  await edit(session, 'off.txt')
  await askForEdit(session, 'off.txt', 'The terminal was enough.')
  await waitForClaude(session, 'Do you want to make this edit to off.txt?')
  await waitForNoDiff(session)
  await answerClaude(session, 'off.txt', '1')
  await waitForClaude(session, 'The terminal was enough.')
  expect(await session.fileOnDisk('off.txt')).toBe(changed)

  await setEnabled(true)
  await edit(session, 'on.txt')
  await askForEdit(session, 'on.txt', 'Neovim is asked again.')
  await waitForProposal(session, 'on.txt')
  await session.nvim.input(':w<CR>')
  await waitForClaude(session, 'Neovim is asked again.')
})
