// Starting Neovim with the plugin set up: no process before the user sees the screen, and none for a Neovim that ends at once.
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startNeovim } from '../../support/neovim.ts'
import { makePlaces, repository } from '../../support/places.ts'
import { lockFiles } from '../../support/plugin.ts'

test('no process runs before VimEnter is over', async () => {
  const nvim = await startNeovim({
    init: `
      require('claudecode').setup({})
      local function children() return vim.api.nvim_get_proc_children(vim.fn.getpid()) end
      vim.g.at_setup = children()
      vim.api.nvim_create_autocmd('VimEnter', { callback = function() vim.g.at_enter = children() end })`,
  })
  expect(await nvim.lua('return { vim.g.at_setup, vim.g.at_enter }')).toEqual([[], []])
  await nvim.waitFor(() => nvim.hosts().length === 1, 'the host to be started')
})

test.each([
  ['+qa'],
  ['+q'],
  ['-c', 'autocmd VimEnter * qa'],
  ['-c', 'autocmd VimEnter * call timer_start(0, {-> execute("qa")})'],
])('a Neovim that ends at once (%s %s) says nothing and leaves nothing', async (...args) => {
  const places = await makePlaces()
  const config = path.join(places.home, '.config', 'nvim')
  await mkdir(config, { recursive: true })
  const onPath = `vim.opt.runtimepath:prepend(${JSON.stringify(repository)})`
  await writeFile(path.join(config, 'init.lua'), `${onPath}\nrequire('claudecode').setup({})\n`)
  const nvim = process.env.CLAUDECODE_TEST_NVIM as string
  const env = places.environment
  const { stdout, stderr } = await promisify(execFile)(nvim, ['--headless', ...args], { cwd: places.folder, env })
  expect(stdout + stderr).toBe('')
  expect(await lockFiles(places.configDir)).toEqual([])
})
