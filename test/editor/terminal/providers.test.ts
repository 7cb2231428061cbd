// Where Claude runs: in programs and windows of the user's choice.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type FakeSetup, startWithFakeClaude, waitForEnd, waitForMessage } from '../../support/fake-claude.ts'
import { repository } from '../../support/places.ts'
import { isAlive } from '../../support/processes.ts'

const files = { 'a.txt': 'one\n' }

const windows = (setup: FakeSetup) => setup.nvim.lua<number>('return #vim.api.nvim_list_wins()')

describe('T-26: external', () => {
  test.each([
    ['one %s as words', '[[sh -c \'exec "$@"\' sh %s]]', ['--x', 'a b']],
    ['one %s in a word', `'sh -c "exec %s"'`, ['--x', 'a b']],
    ['folder and command', `'env -C %s %s'`, ['--x', 'a b']],
    ['a function that returns a list', "function(cmd, env) return { 'sh', '-c', 'exec ' .. cmd } end", ['--x', 'a b']],
    ['a function that returns a string', "function(cmd) return cmd .. ' more' end", ['--x', 'a b', 'more']],
  ])('%s', async (_what, command, argv) => {
    const setup = await startWithFakeClaude({
      files,
      setup: `{ terminal_cmd = "claude --x 'a b'", env = { MINE = '1' }, terminal = { provider = 'external',
        provider_opts = { external_terminal_cmd = ${command} } } }`,
    })
    const { nvim } = setup
    await nvim.feed(':ClaudeCode<CR>')
    const run = await setup.waitForRun()
    expect(run.argv).toEqual(argv)
    expect(run.cwd).toBe(nvim.folder)
    expect(run.env).toMatchObject({ MINE: '1', ENABLE_IDE_INTEGRATION: 'true' })
    expect(await windows(setup)).toBe(1)
    await nvim.feed(':ClaudeCodeOpen<CR>') // it is there already
    await nvim.feed(':ClaudeCode<CR>') // a toggle ends it
    await waitForEnd(run)
    expect(await setup.runs()).toHaveLength(1)
  })

  test.each([
    ["'%s %s %s'", 'must have one "%s" or two, and has 3'],
    ["'no-such-terminal -e %s'", 'no-such-terminal is not an executable'],
    ["function() error('mine') end", 'external_terminal_cmd failed'],
    ['function() return 1 end', 'external_terminal_cmd must return a command'],
  ])('%s says what is wrong', async (command, text) => {
    const setup = await startWithFakeClaude({
      files,
      setup: `{ terminal = { provider = 'external', provider_opts = { external_terminal_cmd = ${command} } } }`,
    })
    await setup.nvim.feed(':ClaudeCode<CR>')
    await waitForMessage(setup, text)
  })

  test('without a command Claude runs in a window, and the user is told', async () => {
    const setup = await startWithFakeClaude({ files, setup: "{ terminal = { provider = 'external' } }" })
    await setup.nvim.feed(':ClaudeCode<CR>')
    await setup.waitForRun()
    await waitForMessage(setup, 'external_terminal_cmd is not set, so Claude runs in a window')
    expect(await windows(setup)).toBe(2)
  })
})

test('T-27: none starts nothing, and says how Claude is started', async () => {
  const setup = await startWithFakeClaude({
    files,
    setup: "{ focus_after_send = true, terminal = { provider = 'none' } }",
  })
  await waitForMessage(setup, 'option focus_after_send has no effect with terminal.provider "none"')
  await setup.nvim.feed(':ClaudeCode<CR>')
  await waitForMessage(setup, 'start `claude --ide` in a terminal of your own')
  expect(await setup.runs()).toEqual([])
  expect(await setup.nvim.lua("return require('claudecode.terminal').get_active_terminal_bufnr() == nil")).toBe(true)
})

describe('a provider of the user’s own', () => {
  const custom = `
    Calls, Buffer = {}, nil
    local function log(name)
      return function(...) Calls[#Calls + 1] = { name, ... } end
    end
    Provider = { get_active_bufnr = function() return Buffer end, is_available = function() return true end }
    for _, name in ipairs({ 'setup', 'open', 'close', 'simple_toggle', 'focus_toggle' }) do Provider[name] = log(name) end`

  test('is given the command, the environment and the options, and decides itself', async () => {
    const setup = await startWithFakeClaude({
      files,
      init: custom,
      setup:
        "{ terminal_cmd = 'claude --x', terminal = { provider = Provider, split_side = 'left', snacks_win_opts = { on = print } } }",
    })
    const { nvim } = setup
    await nvim.feed(':ClaudeCode --a<CR>')
    await nvim.waitFor('#Calls == 2', 'a toggle')
    const [configured, toggled] = await nvim.lua<[[string], [string, string, Record<string, string>, object]]>(
      'Calls[1][2].snacks_win_opts, Calls[2][4].snacks_win_opts = nil, nil return Calls',
    )
    expect(configured[0]).toBe('setup')
    expect(toggled.slice(0, 2)).toEqual(['simple_toggle', 'claude --x --a'])
    expect(toggled[2]).toMatchObject({ ENABLE_IDE_INTEGRATION: 'true' })
    expect(toggled[3]).toMatchObject({ split_side: 'left', split_width_percentage: 0.3, auto_close: true })
    await nvim.feed(':ClaudeCodeFocus<CR>')
    await nvim.waitFor("#Calls == 3 and Calls[3][1] == 'focus_toggle'", 'a focus toggle')
    await nvim.feed(':ClaudeCodeOpen<CR>')
    await nvim.waitFor("#Calls == 4 and Calls[4][1] == 'open' and Calls[4][5] == true", 'open with focus')
    await nvim.feed(':ClaudeCodeOpen --b<CR>') // it decides what becomes of arguments
    await nvim.waitFor("#Calls == 5 and Calls[5][2] == 'claude --x --b'", 'open with arguments')
    await nvim.lua('Buffer = vim.api.nvim_get_current_buf()')
    expect(await nvim.lua("return require('claudecode.terminal').get_active_terminal_bufnr() == Buffer")).toBe(true)
    await nvim.feed(':ClaudeCodeClose<CR>')
    expect(await nvim.lua('return Calls[6]')).toEqual(['close'])
    await nvim.feed(':ClaudeCode<CR>')
    await nvim.lua('Buffer = nil')
    await nvim.waitFor('#Calls == 7', 'another toggle')
    await nvim.feed(':ClaudeCodeClose<CR>') // also without a buffer
    expect(await nvim.lua('return Calls[8]')).toEqual(['close'])
  })

  test('that lacks a function is named, and Claude runs in a window', async () => {
    const setup = await startWithFakeClaude({
      files,
      init: `${custom}\nProvider.close = nil`,
      setup: '{ terminal = { provider = Provider } }',
    })
    await setup.nvim.feed(':ClaudeCode<CR>')
    await setup.waitForRun()
    await waitForMessage(setup, 'terminal.provider has no function close')
  })
})

describe('snacks', () => {
  const snacks = process.env['SNACKS_NVIM'] ?? join(repository, 'test', 'support', 'snacks-stand-in')
  const init = `vim.opt.runtimepath:append('${snacks}')`

  test.each(['auto', 'snacks'])('%s: shown and hidden without another size, and ended', async provider => {
    const setup = await startWithFakeClaude({
      files,
      args: ['a.txt'],
      init,
      setup: `{ terminal = { provider = '${provider}', snacks_win_opts = { position = 'left', width = 0.4 } } }`,
    })
    const { nvim } = setup
    await nvim.feed(':ClaudeCode<CR>')
    const run = await setup.waitForRun()
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    expect(await nvim.lua('return { vim.fn.winnr(), vim.api.nvim_win_get_width(0), vim.bo.filetype }')).toEqual([
      1,
      64,
      'claudecode',
    ])
    for (let i = 0; i < 3; i++) {
      await nvim.feed('<C-\\><C-n>:ClaudeCode<CR>')
      await nvim.waitFor('#vim.api.nvim_list_wins() == 1', 'Claude to be hidden')
      await nvim.feed(':ClaudeCodeFocus<CR>')
      await nvim.waitFor("#vim.api.nvim_list_wins() == 2 and vim.fn.mode() == 't'", 'Claude to be shown')
    }
    await nvim.feed('<Esc><Esc>x')
    await nvim.waitFor(async () => (await setup.typed(run)).toString() === '\x1b\x1bx', 'Escape, twice, and x')
    expect(new Set(await setup.sizes(run)).size).toBe(1)
    await nvim.feed('<C-q>:ClaudeCodeClose<CR>')
    await waitForEnd(run)
    expect(await windows(setup)).toBe(1)
  })

  test('not installed: a window of Neovim’s own, said once when it was asked for', async () => {
    const setup = await startWithFakeClaude({ files, setup: "{ terminal = { provider = 'snacks' } }" })
    await setup.nvim.feed(':ClaudeCode<CR>')
    await setup.waitForRun()
    await waitForMessage(setup, 'snacks.nvim is not installed')
    expect(await windows(setup)).toBe(2)
    await setup.nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    for (let look = 0; look < 10; look += 1) await setup.nvim.lua('vim.cmd.redraw()')
    expect(setup.nvim.screen().at(-1)).toMatch('snacks.nvim is not installed') // the tip of how to leave comes after it
    await setup.nvim.waitForScreen(/<C-q> leaves Claude's terminal/)
  })
})

test('T-25: another setup() changes the provider of the next Claude, and loses no Claude that runs', async () => {
  const setup = await startWithFakeClaude({ files })
  const { nvim } = setup
  await nvim.feed(':ClaudeCode<CR>')
  const run = await setup.waitForRun()
  await nvim.feed(
    `<C-\\><C-n>:lua require('claudecode').setup({ terminal = { provider = 'external',
    provider_opts = { external_terminal_cmd = 'env OTHER=1 %s' } } })<CR>`.replace(/\n\s*/, ' '),
  )
  await nvim.feed(':ClaudeCode<CR>')
  await nvim.waitFor('#vim.api.nvim_list_wins() == 1', 'Claude to be hidden')
  expect(isAlive(run.pid)).toBe(true)
  await nvim.feed(':ClaudeCodeClose<CR>:ClaudeCode<CR>')
  const second = await setup.waitForRun(2)
  expect(second.env['OTHER']).toBe('1')
  expect(await windows(setup)).toBe(1)
})
