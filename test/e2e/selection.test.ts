// What the user selects and mentions, as the real CLI shows it and gives it to its model.
import { expect, test } from 'vitest'
import { say, textOf } from '../support/scripted-model.ts'
import { ClaudeSession } from './support/claude-session.ts'
import { claudeScreen, prompt, waitForClaude } from './support/claude-terminal.ts'
import { edit } from './support/files.ts'
import { shareClaudeSession } from './support/sittings.ts'

const sitting = shareClaudeSession({
  'a.txt': 'one\ntwo\n\nfour\nfive\nsix\n',
  '.env': 'TOKEN=hunter2\nMORE=hunter3\n',
})

/** What the CLI says of the selection, such as `3 lines selected` or `In a.txt`. */
async function shown(session: ClaudeSession): Promise<string> {
  return (await claudeScreen(session)).match(/⧉ (\d+ lines? selected|In [^\]\s]+)/)?.[1] ?? 'nothing'
}

async function waitUntilShown(session: ClaudeSession, text: string): Promise<void> {
  await session.until(async () => (await shown(session)) === text, `Claude to show "${text}"`)
}

/** The last question that the model was asked, with all that came with it. */
function lastRequest(session: ClaudeSession): string {
  const request = session.model.requests.at(-1)
  return request ? textOf(request) : ''
}

test('the prompt shows the number of lines for each kind of selection', async () => {
  const session = sitting()
  await edit(session, 'a.txt', 1, 2)
  for (const [keys, text] of [
    ['vj', '2 lines selected'],
    ['<Esc>ggv$', '1 line selected'],
    ['<Esc>ggV2j', '3 lines selected'],
    ['<Esc>3GV', '1 line selected'], // the empty line
    ['<Esc>ggl<C-v>3j', '4 lines selected'],
    ['<Esc>Gv', '1 line selected'],
    ['<Esc>2GVj', '2 lines selected'], // ends with the empty line
    ['<Esc>ggVG', '6 lines selected'],
    ['<Esc>ggj', 'In a.txt'],
  ] as const) {
    await session.nvim.feed(keys)
    await waitUntilShown(session, text)
  }
})

test('what was selected reaches the model, and nothing of a private file does', async () => {
  const session = sitting()
  await edit(session, 'a.txt', 4)
  await session.nvim.feed('Vj<Esc>')
  await waitUntilShown(session, '2 lines selected')
  await prompt(session, 'What are these?', say('Two numbers.'))
  await waitForClaude(session, 'Two numbers.')
  expect(lastRequest(session)).toContain('four\nfive')

  await edit(session, '.env')
  await session.nvim.feed('VG')
  await waitUntilShown(session, 'nothing')
  await session.nvim.feed('<Esc>')
  await prompt(session, 'And what is this?', say('I see nothing.'))
  await waitForClaude(session, 'I see nothing.')
  const requests = JSON.stringify(session.model.requests)
  expect(requests).not.toContain('hunter')
  expect(requests).not.toContain(session.path('.env'))
})

test('L-07: a mention that starts Claude arrives, and others after it, with the path from the folder that Claude is in', async () => {
  const session = await ClaudeSession.start({ 'sub/my notes.txt': 'one\ntwo\nthree\n', 'b.txt': 'x\n' })
  try {
    const { nvim } = session
    await nvim.lua(`vim.cmd.cd('sub')
      local options = vim.tbl_deep_extend('force', require('claudecode.config').given(), { terminal = { cwd = vim.fn.fnamemodify('..', ':p') } })
      require('claudecode').setup(options)`)
    await nvim.feed(':2,3ClaudeCodeSend<CR>')
    await waitForClaude(session, '@sub/my notes.txt#L2-3')
    await nvim.lua(`local send = require('claudecode').send_at_mention
      send('my notes.txt', 1, 1)
      send('../b.txt', 0, 0)
      send('../b.txt')
      send('.')`)
    await waitForClaude(session, '@sub/my notes.txt#L2-3 @sub/my notes.txt#L2 @b.txt#L1 @b.txt @sub')
  } finally {
    await session.dispose()
  }
})
