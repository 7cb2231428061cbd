// Claude, started by :ClaudeCode, finds Neovim by itself and sees what the user is at.
import { beforeEach, describe, expect, test } from 'vitest'
import { say, textOf } from '../support/scripted-model.ts'
import type { ClaudeSession } from './support/claude-session.ts'
import { isConnected, prompt, waitForClaude } from './support/claude-terminal.ts'
import { edit } from './support/files.ts'
import { shareClaudeSession } from './support/sittings.ts'

const current = shareClaudeSession({
  'first.txt': 'open from the start\n',
  'poem.txt': 'first line\nsecond line\nthird line\nfourth line\n',
})

let session: ClaudeSession

beforeEach(() => {
  session = current()
})

describe('the connection', () => {
  test('is there, through the one lock file, which names this Neovim', async () => {
    expect(await isConnected(session)).toBe(true)
    const { pid, folder } = session.nvim
    const lockFiles = await session.lockFiles()
    expect(lockFiles.map(({ content }) => content)).toEqual([
      expect.objectContaining({ pid, ideName: 'Neovim', transport: 'ws', workspaceFolders: [folder] }),
    ])
  })

  test('shows Claude at once what the user was at before it came', async () => {
    await waitForClaude(session, '⧉ In first.txt')
  })
})

describe('the prompt', () => {
  test('shows the file that the user is in', async () => {
    await edit(session, 'poem.txt')
    await waitForClaude(session, '⧉ In poem.txt')
  })

  test('shows that one line is selected', async () => {
    await edit(session, 'poem.txt', 4)
    await session.nvim.input('V')
    await waitForClaude(session, '⧉ 1 line selected')
  })

  test('shows how many lines are selected, and Claude gets their text', async () => {
    await edit(session, 'poem.txt', 2)
    await session.nvim.input('Vj')
    await waitForClaude(session, '⧉ 2 lines selected')
    await prompt(session, 'what is selected?', say('Two lines of a poem.'))
    await waitForClaude(session, 'Two lines of a poem.')
    const asked = session.model.requests.at(-1)
    const told = asked ? textOf(asked) : ''
    expect(told).toContain('The user selected the lines 2 to 3')
    expect(told).toContain('second line\nthird line')
  })
})
