// What users of such plugins reported of Claude's terminal, where the tests by subject have no case of their own.
import { expect, test } from 'vitest'
import { startClaude } from '../../support/fake-claude.ts'

test('T-09: while Claude is hidden, or its window was closed, sending and going there work', async () => {
  const { setup, nvim } = await startClaude()
  const claude = await setup.connect()
  await nvim.waitFor("require('claudecode').is_claude_connected()", 'Claude to be connected')
  await nvim.feed('<C-q>:ClaudeCode<CR>')
  await nvim.waitFor('#vim.api.nvim_list_wins() == 1', 'Claude to be hidden')
  await nvim.feed(':1ClaudeCodeSend<CR>')
  await claude.waitForNotification('at_mentioned', params => params['lineStart'] === 0)
  await nvim.waitFor('#vim.api.nvim_list_wins() == 2', 'Claude to be shown')
  await nvim.feed('<C-w>p<C-w>l<C-q><C-w>c')
  await nvim.waitFor('#vim.api.nvim_list_wins() == 1', 'its window to be closed')
  await nvim.feed(':ClaudeCodeFocus<CR>')
  await nvim.waitFor("vim.fn.mode() == 't'", 'the user to be in Claude')
  expect(await nvim.messages()).not.toMatch(/E\d+/)
  expect(await setup.runs()).toHaveLength(1)
})

test('T-30: <C-w>p leads back to the code, also after Claude was hidden and shown ten times', async () => {
  const { nvim } = await startClaude()
  const name = () => nvim.lua("return vim.fn.expand('%:t')")
  await nvim.feed('<C-q><C-w>p')
  expect(await name()).toBe('a.txt')
  for (let round = 0; round < 10; round += 1) {
    await nvim.feed(':ClaudeCode<CR>')
    await nvim.waitFor('#vim.api.nvim_list_wins() == 1', 'Claude to be hidden')
    await nvim.feed(':ClaudeCode<CR>')
    await nvim.waitFor("vim.fn.mode() == 't'", 'the user to be in Claude')
    await nvim.feed('<C-q><C-w>p')
    expect(await name()).toBe('a.txt')
  }
})
