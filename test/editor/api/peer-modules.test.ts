// The modules and fields of the Lua plugin that configurations of its users call and read, besides those of peer.test.ts.
import { expect, test } from 'vitest'
import { startReview } from '../../support/diff.ts'
import { startWithFakeClaude } from '../../support/fake-claude.ts'
import { startNeovim } from '../../support/neovim.ts'
import { waitForServer } from '../../support/plugin.ts'

test('state and version of claudecode', async () => {
  const nvim = await startNeovim({ init: "require('claudecode').setup({ auto_start = false, log_level = 'warn' })" })
  const state = (name: string) => nvim.lua(`return require('claudecode').state.${name}`)
  expect(await state('initialized')).toBe(true)
  expect(await state('config.log_level')).toBe('warn')
  expect([await state('server'), await state('port'), await state('no_such_field')]).toEqual([null, null, null])
  await nvim.feed(':ClaudeCodeStart<CR>')
  const port = await waitForServer(nvim)
  expect([await state('server.port'), await state('port')]).toEqual([port, port])
  expect(await nvim.lua("return require('claudecode').no_such_field")).toBeNull()
  const [text, called, major] = await nvim.lua<[string, string, number]>(`
    local version = require('claudecode').version
    return { version:string(), version.string(), version.major }`)
  expect(text).toMatch(/^\d+\.\d+\.\d+/)
  expect([called, major]).toEqual([text, Number.parseInt(text, 10)])
})

test('claudecode.selection', async () => {
  const setup = await startWithFakeClaude({ files: { 'a.txt': 'one\ntwo\nthree\n' }, args: ['a.txt'] })
  const { nvim } = setup
  const claude = await setup.connect()
  await nvim.waitFor("require('claudecode').is_claude_connected()", 'Claude to be connected')
  const send = "require('claudecode.selection').send_at_mention_for_visual_selection"
  await nvim.lua(`vim.keymap.set('x', '<F2>', ${send}) vim.keymap.set('n', '<F2>', function() ${send}(2, 3) end)`)
  await nvim.feed('<F2>')
  await claude.waitForNotification('at_mentioned', params => params['lineStart'] === 1 && params['lineEnd'] === 2)
  await nvim.feed('ggVj<F2>')
  await claude.waitForNotification('at_mentioned', params => params['lineStart'] === 0 && params['lineEnd'] === 1)
  await nvim.lua("require('claudecode.selection').disable()")
  await nvim.waitForScreen(/tracking is off/)
  await nvim.lua("require('claudecode.selection').enable()")
  await nvim.waitForScreen(/tracking is on/)
})

test('claudecode.diff', async () => {
  const review = await startReview({ files: { 'a.txt': 'one\n' }, args: ['a.txt'] })
  const call = (name: string) => review.nvim.lua(`require('claudecode.diff').${name}()`)
  const accepted = await review.open('a.txt', 'two\n')
  await call('accept_current_diff')
  expect(await accepted.answer).toEqual(['FILE_SAVED', 'two\n'])
  await review.closeTab(accepted.tabName)
  const denied = await review.open('a.txt', 'two\n')
  await call('deny_current_diff')
  expect(await denied.answer).toEqual(['DIFF_REJECTED', denied.tabName])
  for (const name of ['close_all_diffs', 'close_pending_diffs']) {
    const closed = await review.open('a.txt', 'two\n')
    await call(name)
    expect(await closed.answer, name).toEqual(['DIFF_REJECTED', closed.tabName])
  }
})

test('claudecode.integrations', async () => {
  const nvim = await startNeovim({ files: { 'a.txt': '', 'b.txt': '' }, args: ['.'] })
  const files = `local paths, reason = require('claudecode.integrations').get_selected_files_from_tree()
    return { paths or vim.NIL, reason or vim.NIL }`
  await nvim.waitFor("vim.bo.filetype == 'netrw'", 'netrw')
  await nvim.feed('/b.txt<CR>')
  expect(await nvim.lua(files)).toEqual([[`${nvim.folder}/b.txt`], null])
  await nvim.feed(':edit a.txt<CR>')
  expect(await nvim.lua(files)).toEqual([null, expect.stringMatching(/^this is no file explorer/)])
})

test.each([
  ['1', 'claude'],
  ["{ 'terminal_cmd': 'mine' }", 'mine'],
])('g:claudecode_auto_setup = %s', async (written, command) => {
  const nvim = await startNeovim({ init: `vim.cmd([[let g:claudecode_auto_setup = ${written}]])` })
  await waitForServer(nvim)
  expect(await nvim.lua("return require('claudecode').state.config.terminal_cmd or 'claude'")).toBe(command)
  expect(await nvim.messages()).toBe('')
})
