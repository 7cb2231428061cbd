// What Claude does is shown live, by hooks of the real CLI.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { say, type Turn, useTool } from '../support/scripted-model.ts'
import { ClaudeSession } from './support/claude-session.ts'
import { answerQuestion, claudeScreen, openClaude, prompt, waitForClaude } from './support/claude-terminal.ts'
import { waitForProposal } from './support/proposal.ts'

const statusline = (session: ClaudeSession) => session.nvim.lua<string>(`return require('claudecode').statusline()`)

/** Waits for the text of the status line to begin so. */
function waitForState(session: ClaudeSession, text: string): Promise<unknown> {
  return session.until(async () => (await statusline(session)).startsWith(text), `the status line "${text}"`)
}

const notices = async (session: ClaudeSession) =>
  (await session.nvim.messages()).split('\n').filter(line => line.includes('waits for you'))

const question = 'Do you want to proceed'
const touch = useTool('Bash', { command: 'touch made.txt', description: 'makes a file' })

/** Claude wants to use a tool, asks, is allowed to, and is done: the status line says so on the way. */
async function letWork(session: ClaudeSession, tool: Turn): Promise<void> {
  await prompt(session, 'make a file please', tool, say('Made it.'))
  await waitForClaude(session, question)
  await waitForState(session, 'Claude waiting')
  await answerQuestion(session, question, '1')
  await waitForClaude(session, 'Made it.')
  await waitForState(session, 'Claude done')
}

async function withClaude(act: (session: ClaudeSession) => Promise<void>, prepare = async (_: ClaudeSession) => {}) {
  const session = await ClaudeSession.start({ 'a.txt': 'one\n' })
  try {
    await session.nvim.lua(`States = {}
      vim.api.nvim_create_autocmd('User', { pattern = 'ClaudeCodeSessionState', callback = function(event)
        table.insert(States, event.data.state)
      end })`)
    await prepare(session)
    await openClaude(session)
    await act(session)
  } finally {
    await session.dispose()
  }
}

test('the status line goes from connected to working, waiting and done, and who sees the question is not told of it', () =>
  withClaude(async session => {
    expect(await statusline(session)).toMatch(/^Claude(: a\.txt.*)?$/)
    await letWork(session, touch)
    expect(await session.nvim.lua('return States')).toEqual([
      'starting',
      'connected',
      'working',
      'waiting',
      'working',
      'done',
    ])
    expect(await notices(session)).toEqual([])
  }))

test('who has hidden Claude is told once that it waits, and :ClaudeCodeNext goes there', () =>
  withClaude(async session => {
    await prompt(session, 'make a file please', touch, say('Made it.'))
    await session.nvim.feed('<C-q>:ClaudeCode<CR>')
    await waitForState(session, 'Claude waiting')
    await session.until(async () => (await notices(session)).length > 0, 'the notice')
    // Claude itself reminds of its question after some six seconds: that is no second one.
    const log = `return table.concat(require('claudecode.log').lines(), '\\n'):find('hook Notification', 1, true)`
    await session.until(async () => session.nvim.lua(log), 'the reminder')
    expect(await notices(session)).toEqual(['claudecode: Claude (project) waits for you; :ClaudeCodeNext goes there'])
    await session.nvim.feed(':ClaudeCodeNext<CR>')
    await session.until(async () => (await session.nvim.lua('return vim.fn.mode()')) === 't', "Claude's window")
    await answerQuestion(session, question, '1')
    await waitForClaude(session, 'Made it.')
    await waitForState(session, 'Claude done')
    expect(await notices(session)).toHaveLength(1)
  }))

test('a proposal that is rejected, and Escape, end the work', () =>
  withClaude(async session => {
    const file = session.path('a.txt')
    const edit = useTool('Edit', { file_path: file, old_string: 'one', new_string: 'two' })
    await prompt(session, 'edit it please', useTool('Read', { file_path: file }), edit)
    await waitForProposal(session, 'a.txt')
    await waitForState(session, 'Claude waiting')
    await session.nvim.feed(':q<CR>')
    await waitForState(session, 'Claude done')
    await prompt(session, 'make a file please', touch)
    await waitForClaude(session, question)
    await waitForState(session, 'Claude waiting')
    await answerQuestion(session, question, '<Esc>')
    await waitForState(session, 'Claude done')
    expect(await notices(session)).toEqual([]) // the diff was on the screen
  }))

describe('settings of the user', () => {
  /** A hook of the user's, which leaves a trace. */
  const own = (session: ClaudeSession) => ({
    hooks: { Stop: [{ hooks: [{ type: 'command', command: `touch '${session.path('stopped')}'` }] }] },
    env: { MINE: 'yes' },
  })

  test.each(['JSON', 'a file'])('given with --settings as %s lose nothing, and the state is shown', async form => {
    const session = await ClaudeSession.start({ 'a.txt': 'one\n' })
    try {
      const json = JSON.stringify(own(session))
      await writeFile(join(session.nvim.home, 'own.json'), json)
      const value = form === 'JSON' ? `'${json}'` : '~/own.json'
      await openClaude(session, `--settings ${value}`)
      const echo = useTool('Bash', { command: 'echo $MINE > mine.txt', description: 'writes a file' })
      await letWork(session, echo)
      expect(await session.fileOnDisk('mine.txt')).toBe('yes\n')
      await session.until(() => session.fileOnDisk('stopped').catch(() => undefined), "the user's hook")
    } finally {
      await session.dispose()
    }
  })

  test.each([
    ['the user forbids all hooks', { disableAllHooks: true }, ''],
    ['the user allows other addresses only', { allowedHttpHookUrls: ['https://example.com/*'] }, ''],
    // The policy of an administrator, in the words of a hidden option: its file is in a folder of the system.
    ['an administrator allows their own hooks only', {}, `--managed-settings '{"allowManagedHooksOnly":true}'`],
  ])('%s: no state is shown, and nothing else is different', async (_who, settings, args) => {
    const session = await ClaudeSession.start({ 'a.txt': 'one\n' })
    try {
      await writeFile(join(session.nvim.configDir, 'settings.json'), JSON.stringify(settings))
      await openClaude(session, args)
      await prompt(session, 'make a file please', touch, say('Made it.'))
      await waitForClaude(session, question)
      await answerQuestion(session, question, '1')
      await waitForClaude(session, 'Made it.')
      expect(await statusline(session)).toMatch(/^Claude(: a\.txt.*)?$/)
      expect(await claudeScreen(session)).not.toMatch(/hook/i)
    } finally {
      await session.dispose()
    }
  })
})
