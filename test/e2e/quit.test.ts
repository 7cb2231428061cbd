// The user quits: nothing is left behind.
import { expect, test } from 'vitest'
import { descendantsOf, isAlive } from '../support/processes.ts'
import { useTool } from '../support/scripted-model.ts'
import { waitFor } from '../support/wait-for.ts'
import { prompt } from './support/claude-terminal.ts'
import { edit } from './support/files.ts'
import { waitForProposal } from './support/proposal.ts'
import { shareClaudeSession } from './support/sittings.ts'

const text = 'first line\nsecond line\n'
const current = shareClaudeSession({ 'poem.txt': text })

test(':qa! with a diff under review ends the host and Claude, removes the lock file, and leaves the file alone', async () => {
  const session = current()
  await edit(session, 'poem.txt')
  const path = session.path('poem.txt')
  const change = useTool('Edit', { file_path: path, old_string: 'second line', new_string: 'SECOND LINE' })
  await prompt(session, 'change the poem', useTool('Read', { file_path: path }), change)
  await waitForProposal(session, 'poem.txt')

  const below = descendantsOf(session.nvim.pid).map(({ pid }) => pid)
  expect(below.length).toBeGreaterThanOrEqual(2) // the host and Claude
  await session.nvim.input(':qa!<CR>')
  await session.nvim.exited
  await waitFor(() => !below.some(isAlive), 'the host and Claude to have ended')
  expect(await session.lockFiles()).toEqual([])
  expect(await session.fileOnDisk('poem.txt')).toBe(text)
})
