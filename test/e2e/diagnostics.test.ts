// Claude hears of the errors that its own edits have made, also in files whose names look different in a URI.
import { expect, test } from 'vitest'
import { say, textOf, toolResultsOf, useTool } from '../support/scripted-model.ts'
import type { ClaudeSession } from './support/claude-session.ts'
import { claudeScreen, prompt, typeToClaude, waitForClaude } from './support/claude-terminal.ts'
import { edit } from './support/files.ts'
import { waitForNoDiff, waitForProposal } from './support/proposal.ts'
import { shareClaudeSession } from './support/sittings.ts'

const current = shareClaudeSession({ 'plain.txt': 'good plain\n', 'a b#ü%20[1].txt': 'good odd\n' })

/** Something like a language server: a while after it hears of a text it reports each "bad" in it. */
const server = `
  local namespace = vim.api.nvim_create_namespace('server')
  vim.api.nvim_create_autocmd({ 'BufReadPost', 'TextChanged', 'TextChangedI' }, { callback = function(args)
    vim.defer_fn(function()
      local found = {}
      for i, line in ipairs(vim.api.nvim_buf_get_lines(args.buf, 0, -1, false)) do
        if line:find('bad') then
          found[#found + 1] = { lnum = i - 1, col = 0, message = 'There is something wrong with ' .. line, source = 'server' }
        end
      end
      vim.diagnostic.set(namespace, args.buf, found)
    end, 200)
  end })`

test.each([
  ['plain.txt', 'plain'],
  ['a b#ü%20[1].txt', 'odd'],
])('after an accepted edit of %s Claude tells its model what is wrong now', async (name, word) => {
  const session = current()
  await session.nvim.lua(server)
  await edit(session, name.replace(/[#%[]/g, '\\$&'))
  const path = session.path(name)
  const done = `The edit of the ${word} one is done.`
  await prompt(
    session,
    `spoil the ${word} one`,
    useTool('Read', { file_path: path }),
    useTool('Edit', { file_path: path, old_string: 'good', new_string: 'bad' }),
    say(done),
  )
  await waitForProposal(session, name)
  await session.nvim.input(':w<CR>')
  await waitForClaude(session, done)
  await waitForNoDiff(session)
  const last = session.model.requests.at(-1)
  expect(last && textOf(last)).toContain(`There is something wrong with bad ${word}`)
})

/** Says yes to Claude's question about a tool. A key that comes too soon after the question is lost, so it is typed again. */
async function allowTool(session: ClaudeSession): Promise<void> {
  const question = 'Do you want to proceed?'
  await waitForClaude(session, question)
  let typedAt = Number.NEGATIVE_INFINITY
  await session.until(async () => {
    if (!(await claudeScreen(session)).includes(question)) return true
    if (performance.now() - typedAt > 500) {
      typedAt = performance.now()
      await typeToClaude(session, '1')
    }
    return false
  }, 'Claude to take the answer')
}

test('a model that asks gets them itself', async () => {
  const session = current()
  await session.nvim.lua(server)
  await edit(session, 'plain.txt')
  await session.nvim.feed('obad too<Esc>')
  await prompt(
    session,
    'what is wrong here?',
    useTool('mcp__ide__getDiagnostics', { uri: `file://${session.path('plain.txt')}` }),
    say('That is all.'),
  )
  await allowTool(session)
  await waitForClaude(session, 'That is all.')
  const last = session.model.requests.at(-1)
  const [result = ''] = last ? toolResultsOf(last) : []
  expect(result).toContain('There is something wrong with bad too')
})
