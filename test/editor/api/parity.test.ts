// The table of what users of the Lua plugin have (test/parity.ts): everything in it is there, in a real Neovim.
import { expect, test } from 'vitest'
import { commands, events, functions, variables } from '../../parity.ts'
import { startReview } from '../../support/diff.ts'
import { startNeovim } from '../../support/neovim.ts'

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)

test('every command', async () => {
  const nvim = await startNeovim()
  const missing = await nvim.lua(
    `return vim.tbl_filter(function(name) return vim.fn.exists(':' .. name) ~= 2 end, ...)`,
    names(commands),
  )
  expect(missing).toEqual([])
})

test('every function', async () => {
  const nvim = await startNeovim()
  const missing = await nvim.lua(
    `return vim.tbl_filter(function(name)
      local module, field = name:match('^(.+)%.([%w_]+)$')
      local found, value = pcall(require, module)
      if not found then
        module, value = name:match('^([%w_]+)%.([%w_]+)%.')
        value = require(module)[value]
      end
      return type(value[field]) ~= 'function'
    end, ...)`,
    names(functions),
  )
  expect(missing).toEqual([])
})

test('every event and variable of a diff', async () => {
  const review = await startReview({
    files: { 'a.txt': 'one\n' },
    args: ['a.txt'],
    init: `seen = {}
      vim.api.nvim_create_autocmd('User', { pattern = 'ClaudeCode*', callback = function(event)
        seen[event.match] = true
        variables = vim.tbl_keys(vim.b)
        if event.match == 'ClaudeCodeDiffOpened' then
          local buffer = vim.api.nvim_win_get_buf(event.data.diff_window)
          proposal = vim.tbl_extend('force', proposal or {}, vim.fn.getbufvar(buffer, ''))
        end
      end })`,
  })
  for (const layout of ['vertical', 'unified']) {
    await review.nvim.lua(`require('claudecode').setup { diff_opts = { layout = '${layout}' } }`)
    await review.closeAllTabs() // for which the host asks Neovim, after it was told of the options
    await review.closeTab((await review.open('a.txt', 'two\n')).tabName)
  }
  expect(await review.nvim.lua('return vim.tbl_keys(proposal)')).toEqual(expect.arrayContaining(names(variables)))
  await review.nvim.lua("require('claudecode').send_at_mention('a.txt')")
  for (const name of names(events)) await review.nvim.waitFor(`seen.${name}`, name)
})
