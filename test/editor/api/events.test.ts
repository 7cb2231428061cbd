// The `User` events: each once, in order.
import { expect, test } from 'vitest'
import { startWithFakeClaude } from '../../support/fake-claude.ts'

test('U-03: starting, connecting, leaving and stopping are told once each, in order', async () => {
  const setup = await startWithFakeClaude({
    init: `vim.g.events = {}
      vim.api.nvim_create_autocmd('User', { pattern = 'ClaudeCode*', callback = function(event)
        local events = vim.g.events
        events[#events + 1] = event.match:gsub('ClaudeCode', '') .. ' ' .. (event.data.clients or event.data.port)
        vim.g.events = events
      end })`,
  })
  const { nvim } = setup
  const port = await nvim.lua("return require('claudecode.status').get().port")
  const first = await setup.connect()
  await nvim.waitFor('#vim.g.events == 2', 'the first Claude')
  const second = await setup.connect()
  await nvim.waitFor('#vim.g.events == 3', 'the second Claude')
  await first.close()
  await nvim.waitFor('#vim.g.events == 4', 'the first to leave')
  await second.close()
  await nvim.waitFor('#vim.g.events == 5', 'the second to leave')
  await nvim.feed(':ClaudeCodeStop<CR>')
  await nvim.waitForScreen(/the server is stopped/)
  expect(await nvim.lua('return vim.g.events')).toEqual([
    `Started ${port}`,
    'Connected 1',
    'Connected 2',
    'Disconnected 1',
    'Disconnected 0',
    `Stopped ${port}`,
  ])
})

test('a host that is killed is told as stopped and started again', async () => {
  const setup = await startWithFakeClaude({
    init: `vim.g.events = ''
      vim.api.nvim_create_autocmd('User', { pattern = { 'ClaudeCodeStarted', 'ClaudeCodeStopped' }, callback = function(event)
        vim.g.events = vim.g.events .. event.match:sub(11) .. ' '
      end })`,
  })
  process.kill(setup.nvim.hosts()[0] as number, 'SIGKILL')
  await setup.nvim.waitFor("vim.g.events == 'Started Stopped Started '", 'the events')
})
