// Two real CLIs in one Neovim, each in a folder of its own: their diffs, whom a mention reaches, and the end of one.
import { expect, test } from 'vitest'
import { say, useTool } from '../support/scripted-model.ts'
import { ClaudeSession } from './support/claude-session.ts'
import { claudeScreen, prompt, waitForClaude, waitUntilClaudeKnows } from './support/claude-terminal.ts'
import { waitForProposal } from './support/proposal.ts'

const text = 'first line\nsecond line\n'
const changedText = 'first line\nSECOND LINE\n'

/** Starts a Claude in a folder of the project; the user is in its terminal then. */
async function openClaudeIn(session: ClaudeSession, folder: string, count: number): Promise<void> {
  await session.nvim.feed(`:cd ${session.path(folder)}<CR>:ClaudeCode --permission-mode default<CR>`)
  const clients = "return require('claudecode.status').get().clients"
  await session.until(async () => (await session.nvim.lua<number>(clients)) === count, `${count} Claudes`)
  await waitUntilClaudeKnows(session)
}

/** Goes to the terminal of a session by its name. */
async function goTo(session: ClaudeSession, name: string): Promise<void> {
  await session.nvim.feed(`<C-Bslash><C-n>:ClaudeCodeSessions ${name}<CR>`)
  const code = `local here = require('claudecode.terminal.sessions').of_buffer(vim.api.nvim_get_current_buf())
    return here ~= nil and here.name == '${name}' and vim.fn.mode() == 't'`
  await session.until(() => session.nvim.lua<boolean>(code), `the terminal of ${name}`)
}

/** Lets the Claude whose terminal the user is in propose a change of a file, and waits for the diff. */
async function propose(session: ClaudeSession, file: string): Promise<void> {
  const path = session.path(file)
  const change = useTool('Edit', { file_path: path, old_string: 'second line', new_string: 'SECOND LINE' })
  await prompt(session, `change ${file}`, useTool('Read', { file_path: path }), change)
  await waitForProposal(session, file.replace(/.*\//, ''))
}

/** Accepts the proposal of a file that is open, from wherever the user is. */
async function accept(session: ClaudeSession, file: string): Promise<void> {
  const name = file.replace(/.*\//, '')
  await session.nvim.lua(`for _, window in ipairs(vim.api.nvim_list_wins()) do
    local tab_name = vim.b[vim.api.nvim_win_get_buf(window)].claudecode_diff_tab_name
    if tab_name and tab_name:find('] ${name} (', 1, true) then
      vim.api.nvim_set_current_win(window)
    end
  end`)
  await session.nvim.feed(':w<CR>')
}

test('T-21: two Claudes: diffs of both at once, a mention for one, and the end of one', async () => {
  const session = await ClaudeSession.start({
    'top.txt': text,
    'api/a.txt': text,
    'web/b.txt': text,
    'web/c.txt': text,
  })
  const { nvim } = session
  try {
    await openClaudeIn(session, 'api', 1)
    await nvim.feed('<C-q><C-w>p')
    await openClaudeIn(session, 'web', 2)

    await propose(session, 'web/b.txt')
    await goTo(session, 'api')
    await propose(session, 'api/a.txt')
    await nvim.waitForScreen(/\(proposed by api\)/)
    session.model.add(say('The first one is done.'))
    await accept(session, 'api/a.txt') // opened last, accepted first
    await waitForClaude(session, 'The first one is done.', 'api')
    expect(await session.fileOnDisk('api/a.txt')).toBe(changedText)
    expect(await session.fileOnDisk('web/b.txt')).toBe(text)
    session.model.add(say('The second one is done.'))
    await accept(session, 'web/b.txt')
    await waitForClaude(session, 'The second one is done.', 'web')
    expect(await session.fileOnDisk('web/b.txt')).toBe(changedText)

    await nvim.feed(`<C-Bslash><C-n>:cd ${session.path('web')}<CR><C-w>t:edit c.txt<CR>:2ClaudeCodeSend<CR>`)
    await waitForClaude(session, 'c.txt#L2', 'web')
    expect(await claudeScreen(session, 'api')).not.toContain('c.txt#') // which file is open both of them see

    await goTo(session, 'web')
    await nvim.input('<C-u>') // the mention in the prompt
    await propose(session, 'web/c.txt')
    await goTo(session, 'api')
    await nvim.feed('<C-Bslash><C-n>:ClaudeCodeSessionClose api<CR>')
    await session.until(
      async () => (await nvim.lua("return require('claudecode.status').get().clients")) === 1,
      'its end',
    )
    session.model.add(say('The third one is done.'))
    await accept(session, 'web/c.txt')
    await waitForClaude(session, 'The third one is done.', 'web')
    expect(await session.fileOnDisk('web/c.txt')).toBe(changedText)
  } finally {
    await session.dispose()
  }
})
