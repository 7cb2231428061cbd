// Several Claudes where they run in other places than windows of Neovim's own.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startWithFakeClaude, waitForEnd, waitForMessage } from '../../support/fake-claude.ts'
import { startWithMultiplexer } from '../../support/multiplexer.ts'
import { repository } from '../../support/places.ts'
import { isAlive } from '../../support/processes.ts'
import { files, names, startTwo, typed, waitForStates, waitForWindows } from '../../support/sessions.ts'
import { startInTmux } from '../../support/tmux.ts'
import { waitFor } from '../../support/wait-for.ts'

test('snacks.nvim: one at a time in the place at the side, each with its own process', async () => {
  const standIn = join(repository, 'test', 'support', 'snacks-stand-in')
  const { setup, nvim, api, web } = await startTwo({
    init: `vim.opt.runtimepath:append('${standIn}')`,
    setup: "{ terminal = { provider = 'snacks' } }",
  })
  await waitForWindows(setup, 'top.txt:111', '*web:48')
  await nvim.feed('<C-q>:ClaudeCodeSessions api<CR>')
  await waitForWindows(setup, 'top.txt:111', '*api:48')
  await nvim.feed('x')
  await nvim.waitFor(async () => (await typed(setup, api)) === 'x', 'x to arrive at api')
  await nvim.feed('<C-q>:ClaudeCodeClose<CR>')
  await waitForEnd(api)
  expect(isAlive(web.pid)).toBe(true)
  await nvim.feed(':ClaudeCodeSessions web<CR>')
  await waitForWindows(setup, 'top.txt:111', '*web:48')
})

test('tmux: a pane for each, one of them beside Neovim; a pane that is closed is a session that has ended', async () => {
  const { setup, tmux, mine, other, panes } = await startInTmux({
    files,
    args: ['top.txt'],
    setup: "{ terminal = { provider = 'tmux' }, connection_wait_delay = 0 }",
  })
  const { nvim } = setup
  const beside = () => panes().find(pane => pane !== mine && pane !== other)
  await nvim.feed(':cd api<CR>:ClaudeCode<CR>')
  const api = await setup.waitForRun(1)
  const first = beside()
  await nvim.feed(':cd ../web<CR>:ClaudeCode<CR>')
  const web = await setup.waitForRun(2)
  await waitFor(() => panes().length === 3 && beside() !== first, 'web in the place of api')
  const claude = await setup.connect(web)
  const gone = await setup.connect(api)
  await waitForStates(setup, 'connected', 'connected')
  await nvim.feed(':cd ../api<CR>:ClaudeCodeSendText hi<CR>')
  await nvim.waitFor(async () => (await typed(setup, api)).includes('hi'), 'api to get the text')
  await nvim.feed(':ClaudeCode<CR>')
  await waitFor(() => panes().length === 3 && beside() === first, 'api in the place of web')
  tmux('kill-pane', '-t', String(first))
  await waitForEnd(api)
  gone.terminate() // the fake program and its connection are two
  await nvim.feed(':ClaudeCodeAdd a.txt<CR>') // the folder has none now: the one that was used last
  await claude.waitForNotification('at_mentioned')
  expect(await names(setup)).toEqual(['web'])
})

describe.each(['wezterm', 'kitty', 'zellij'] as const)('%s', provider => {
  test('a pane for each: focus and text go to the right one, and the end of one leaves the other', async () => {
    const { setup, calls } = await startWithMultiplexer(provider, { files, args: ['top.txt'] })
    const { nvim } = setup
    await nvim.feed(':cd api<CR>:ClaudeCode<CR>')
    const api = await setup.waitForRun(1)
    await nvim.feed(':cd ../web<CR>:ClaudeCode<CR>')
    const web = await setup.waitForRun(2)
    expect([api.cwd, web.cwd]).toEqual([`${nvim.folder}/api`, `${nvim.folder}/web`])
    await nvim.waitFor("#require('claudecode.terminal.sessions').all() == 2", 'two Claudes')

    if (provider !== 'zellij') {
      // the panes of the stand-in have the ids of their processes
      const about = async (word: string) =>
        (await calls())
          .filter(({ argv }) => argv.includes(word))
          .at(-1)
          ?.argv.join(' ')
      const focus = provider === 'wezterm' ? 'activate-pane' : 'focus-window'
      await nvim.feed(':ClaudeCodeSessions api<CR>')
      await nvim.waitFor(
        async () => (await about(focus))?.endsWith(String(api.pid)),
        'the focus to be in the pane of api',
      )
      await nvim.feed(':ClaudeCodeFocus<CR>') // the folder is that of web
      await nvim.waitFor(
        async () => (await about(focus))?.endsWith(String(web.pid)),
        'the focus to be in the pane of web',
      )
      await nvim.feed(':cd ../api<CR>:ClaudeCodeSendText hi<CR>')
      await nvim.waitFor(async () => (await about('send-text'))?.includes(String(api.pid)), 'the text to go to api')
    }

    await nvim.feed(':ClaudeCodeSessionClose api<CR>')
    await waitForEnd(api)
    expect(isAlive(web.pid)).toBe(true)
    expect(await names(setup)).toEqual(['web'])
    process.kill(web.pid) // as a user who closes the pane
    await waitForEnd(web)
    await nvim.waitFor("#require('claudecode.terminal.sessions').all() == 0", 'the end of web to be seen')
  })
})

test('external: a program for each; a toggle ends that of the folder', async () => {
  const { setup, nvim, api, web } = await startTwo({
    isOutside: true,
    setup: "{ terminal = { provider = 'external', provider_opts = { external_terminal_cmd = 'env %s' } } }",
  })
  await nvim.feed(':ClaudeCode<CR>')
  await waitForEnd(web)
  expect(isAlive(api.pid)).toBe(true)
  expect(await names(setup)).toEqual(['api'])
})

test('a provider of the user’s own keeps one Claude, whatever the folder is', async () => {
  const custom = `
    Calls = {}
    Provider = { get_active_bufnr = function() end, is_available = function() return true end }
    for _, name in ipairs({ 'setup', 'open', 'close', 'simple_toggle', 'focus_toggle' }) do
      Provider[name] = function(command) Calls[#Calls + 1] = name end
    end`
  const setup = await startWithFakeClaude({
    files,
    args: ['top.txt'],
    init: custom,
    setup: '{ terminal = { provider = Provider } }',
  })
  const { nvim } = setup
  await nvim.feed(':cd api<CR>:ClaudeCode<CR>')
  await nvim.waitFor('#Calls == 2', 'a toggle')
  await nvim.feed(':cd ../web<CR>:ClaudeCode<CR>')
  await nvim.waitFor('#Calls == 3', 'another toggle')
  expect(await names(setup)).toEqual(['api'])
  await nvim.feed(':ClaudeCodeNew<CR>')
  await waitForMessage(setup, 'a provider of your own runs one Claude: end it first')
})
