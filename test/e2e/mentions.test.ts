// What the user points Claude to is in the prompt of the real CLI, also of one that has yet to be started.
import { expect, test } from 'vitest'
import { listConversations } from '../../src/terminal/conversations.ts'
import { say, textOf } from '../support/scripted-model.ts'
import { ClaudeSession } from './support/claude-session.ts'
import { claudeScreen, waitForClaude, waitUntilClaudeKnows } from './support/claude-terminal.ts'

test('a mention starts Claude, and waits until it listens', async () => {
  const session = await ClaudeSession.start({ 'my notes.txt': 'one\ntwo\nthree\n' })
  try {
    await session.nvim.feed(':2,3ClaudeCodeSend<CR>')
    await waitForClaude(session, 'my notes.txt#L2-3')
  } finally {
    await session.dispose()
  }
})

test('text that is sent is one prompt; Shift-Enter is a new line in one', async () => {
  const session = await ClaudeSession.start({ 'a.txt': 'one\n' })
  try {
    await session.nvim.feed(':ClaudeCode --permission-mode default<CR>')
    await session.until(() => session.nvim.lua("return require('claudecode').is_claude_connected()"), 'Claude')
    await waitUntilClaudeKnows(session)
    session.model.add(say('Understood.'))
    await session.nvim.lua("require('claudecode.terminal').send_to_terminal('first line\\nsecond line')")
    await waitForClaude(session, 'Understood.')
    expect(textOf(session.model.requests.at(-1) as (typeof session.model.requests)[number])).toContain(
      'first line\nsecond line',
    )
    await session.nvim.input('above<S-CR>below')
    await waitForClaude(session, 'above below')
    expect(session.model.requests).toHaveLength(1)
    expect(await claudeScreen(session)).toMatch(/❯ (\[⧉ In a\.txt\] )?above below/) // with the file's name once it knows
    const { configDir, folder } = session.nvim
    await session.until(async () => (await listConversations(configDir, folder)).length > 0, 'Claude to keep it') // when it likes
    await session.nvim.feed('<C-q>:ClaudeCodeResume<CR>')
    await session.nvim.waitForScreen(/1: +0 min +first line second line/)
    await session.nvim.feed('<CR>')
  } finally {
    await session.dispose()
  }
})
