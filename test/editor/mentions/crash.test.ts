// What waits for Claude while the host is killed: sent all the same, in order, once.
import { expect, test } from 'vitest'
import { startWithFakeClaude } from '../../support/fake-claude.ts'
import { killHost } from '../../support/plugin.ts'

const files = { 'a.txt': 'one\ntwo\n', 'b.txt': 'one\n' }

test('mentions and questions that wait for Claude outlive the host', async () => {
  const setup = await startWithFakeClaude({ files, args: ['a.txt'], setup: '{ connection_wait_delay = 0 }' })
  const { nvim } = setup
  await nvim.feed(':2ClaudeCodeSend<CR>:ClaudeCodeAdd b.txt<CR>:1ClaudeCodeAsk why?<CR>')
  const run = await setup.waitForRun()
  await nvim.feed('<C-q><C-w>p')
  await killHost(setup.nvim)
  await killHost(setup.nvim)
  const claude = await setup.connect()
  await nvim.waitFor(async () => (await setup.typed(run)).toString().includes('why?'), 'the question')
  const sent = claude.notifications
    .filter(({ method }) => method === 'at_mentioned')
    .map(({ params }) => `${String(params['filePath']).replace(/.*\//, '')} ${params['lineStart']}`)
  expect(sent).toEqual(['a.txt 1', 'b.txt undefined', 'a.txt 0'])
  expect((await setup.typed(run)).toString()).toBe('\x1b[200~why?\x1b[201~\r')
  expect(await setup.runs()).toHaveLength(1)
  await killHost(setup.nvim)
  const again = await setup.connect()
  await nvim.lua("require('claudecode').send_at_mention('b.txt', 0, 0)")
  await again.waitForNotification('at_mentioned')
  expect(again.notifications.filter(({ method }) => method === 'at_mentioned')).toHaveLength(1) // nothing twice
  expect((await setup.typed(run)).toString()).toBe('\x1b[200~why?\x1b[201~\r')
})

test('a Claude is started for them when the host was killed before it could', async () => {
  const setup = await startWithFakeClaude({ files, args: ['a.txt'], setup: '{ connection_wait_delay = 0 }' })
  const { nvim } = setup
  const [host] = nvim.hosts()
  process.kill(host as number, 'SIGSTOP')
  await nvim.feed(':2ClaudeCodeAsk why?<CR>')
  await killHost(setup.nvim)
  const run = await setup.waitForRun()
  await setup.connect()
  await nvim.waitFor(async () => (await setup.typed(run)).toString().includes('why?'), 'the question')
})
