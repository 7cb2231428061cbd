// The Node host dies in the middle of everything. The user's Claude must find its way back by itself.
import { beforeEach, expect, test } from 'vitest'
import { say, useTool } from '../support/scripted-model.ts'
import type { ClaudeSession } from './support/claude-session.ts'
import { answerClaude, isConnected, prompt, waitForClaude, waitUntilClaudeKnows } from './support/claude-terminal.ts'
import { edit } from './support/files.ts'
import { waitForNoDiff, waitForProposal } from './support/proposal.ts'
import { shareClaudeSession } from './support/sittings.ts'

const text = 'first line\nsecond line\n'
const changedText = 'first line\nSECOND LINE\n'

const current = shareClaudeSession({ 'before.txt': text, 'during.txt': text })

let session: ClaudeSession

beforeEach(() => {
  session = current()
})

/** Kills the host as the system would, and waits until another one serves the same Claude. */
async function killHost(): Promise<void> {
  const killed = theHost()
  process.kill(killed, 'SIGKILL')
  await session.until(async () => session.nvim.hosts().some(pid => pid !== killed), 'another host')
  await session.until(() => isConnected(session), 'Claude to be connected again')
}

/** The process id of the one host there is. */
function theHost(): number {
  const [pid, ...more] = session.nvim.hosts()
  if (pid === undefined || more.length > 0)
    throw new Error(`There must be one host; there are ${session.nvim.hosts()}.`)
  return pid
}

function askForEdit(name: string, ...after: ReturnType<typeof say>[]): Promise<void> {
  const path = session.path(name)
  const change = useTool('Edit', { file_path: path, old_string: 'second line', new_string: 'SECOND LINE' })
  return prompt(session, `change ${name}`, useTool('Read', { file_path: path }), change, ...after)
}

test('Claude reconnects on the same port with the same token, and another edit opens a diff', async () => {
  const lockFiles = await session.lockFiles()
  expect(lockFiles).toHaveLength(1)
  await killHost()
  await waitUntilClaudeKnows(session)
  expect(await session.lockFiles()).toEqual(lockFiles)

  await edit(session, 'before.txt')
  await askForEdit('before.txt', say('The diff came back.'))
  await waitForProposal(session, 'before.txt')
  await session.nvim.input(':w<CR>')
  await waitForClaude(session, 'The diff came back.')
  expect(await session.fileOnDisk('before.txt')).toBe(changedText)
  await waitForNoDiff(session)
})

test('a diff under review is closed, and the user answers in the terminal', async () => {
  await edit(session, 'during.txt')
  await askForEdit('during.txt', say('Answered in the terminal.'))
  await waitForProposal(session, 'during.txt')
  await killHost()
  await waitForNoDiff(session)
  expect(await session.fileOnDisk('during.txt')).toBe(text)
  await answerClaude(session, 'during.txt', '1')
  await waitForClaude(session, 'Answered in the terminal.')
  expect(await session.fileOnDisk('during.txt')).toBe(changedText)
})
