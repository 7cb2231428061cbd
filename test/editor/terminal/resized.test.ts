// Claude's split when the screen gets another size.
import { expect, test } from 'vitest'
import { startWithFakeClaude } from '../../support/fake-claude.ts'

const widthOfClaude = `return vim.api.nvim_win_get_width(vim.iter(vim.api.nvim_list_wins()):find(function(win)
  return vim.bo[vim.api.nvim_win_get_buf(win)].filetype == 'claudecode'
end))`

test.each([
  ['keeps its part of the screen', '', 36],
  ['keeps the width that the user gave it', '<C-q>:vertical resize 60<CR>', 60],
])('%s', async (_name, keys, width) => {
  const setup = await startWithFakeClaude({ files: { 'a.txt': 'one\n' }, args: ['a.txt'] })
  await setup.nvim.feed(':ClaudeCode<CR>')
  await setup.waitForRun()
  expect(await setup.nvim.lua(widthOfClaude)).toBe(48)
  await setup.nvim.feed(keys)
  await setup.nvim.request('nvim_ui_try_resize', [120, 45])
  await setup.nvim.waitFor('vim.o.columns == 120', 'the other size')
  expect(await setup.nvim.lua(widthOfClaude)).toBe(width)
})
