// Whether lazy.nvim finds the module whose setup() is given `opts`.
import { expect, test } from 'vitest'
import { startNeovim } from '../../support/neovim.ts'
import { repository } from '../../support/places.ts'

/** As lazy.nvim compares them: the plugin's name without what names of plugins usually have besides, and letters only. */
const bare = (name: string) =>
  name
    .toLowerCase()
    .replace(/\.nvim$/, '')
    .replaceAll(/[^a-z]/g, '')

test.each(['claudecode-node.nvim', 'claudecode.nvim'])('under the name %s `opts` reach setup()', async name => {
  const nvim = await startNeovim({ files: { 'a.txt': 'one\n' } })
  const modules = await nvim.lua<string[]>(
    `return vim.iter(vim.fn.readdir(... .. '/lua')):map(function(entry) return (entry:gsub('%.lua$', '')) end):totable()`,
    repository,
  )
  const found = modules.filter(module => bare(module) === bare(name))
  expect(found).toHaveLength(1)
  await nvim.lua('require(...).setup({ log_level = "debug" })', found[0])
  expect(await nvim.lua('return require("claudecode.config").given().log_level')).toBe('debug')
})
