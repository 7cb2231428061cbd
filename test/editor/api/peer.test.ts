// What users of the Lua plugin have in their configurations: commands, functions and options, under their names.
import { describe, expect, test } from 'vitest'
import { startWithFakeClaude } from '../../support/fake-claude.ts'
import { startNeovim } from '../../support/neovim.ts'
import { logLines } from '../../support/plugin.ts'

describe('commands', () => {
  test('M-10: are there right after the plugin is on the runtime path, as they are called', async () => {
    const nvim = await startNeovim()
    const commands = await nvim.lua<Record<string, { nargs: string; bang: boolean; range: string | null }>>(
      `local found = {}
       for name, command in pairs(vim.api.nvim_get_commands({})) do
         if name:match('^ClaudeCode') then
           found[name] = { nargs = command.nargs, bang = command.bang, range = command.range ~= nil }
         end
       end
       return found`,
    )
    const plain = { nargs: '0', bang: false, range: false }
    expect(commands).toMatchObject({
      ClaudeCode: { ...plain, nargs: '*' },
      ClaudeCodeFocus: { ...plain, nargs: '*' },
      ClaudeCodeOpen: { ...plain, nargs: '*' },
      ClaudeCodeClose: plain,
      ClaudeCodeSendText: { ...plain, nargs: '+', bang: true },
      ClaudeCodeSelectModel: { ...plain, nargs: '*' },
      ClaudeCodeSend: { ...plain, range: true },
      ClaudeCodeTreeAdd: { ...plain, range: true },
      ClaudeCodeAdd: { ...plain, nargs: '*' },
      ClaudeCodeTrack: { ...plain, nargs: '?' },
      ClaudeCodeStart: plain,
      ClaudeCodeStop: plain,
      ClaudeCodeStatus: plain,
      ClaudeCodeDiffAccept: plain,
      ClaudeCodeDiffDeny: { ...plain, nargs: '*' },
      ClaudeCodeCloseAllDiffs: plain,
    })
  })

  test(':ClaudeCodeTreeAdd outside of a file explorer says so', async () => {
    const { nvim } = await startWithFakeClaude({ files: { 'a.txt': '' }, args: ['a.txt'] })
    await nvim.feed(':ClaudeCodeTreeAdd<CR>')
    await nvim.waitForScreen(/nothing was sent: no file explorer that is known/)
  })
})

describe('functions', () => {
  test('of claudecode', async () => {
    const setup = await startWithFakeClaude({ setup: '{ auto_start = false }', waits: false })
    const { nvim } = setup
    const call = (code: string) => nvim.lua(`return { require('claudecode').${code} }`)
    expect(await nvim.lua("return require('claudecode').setup({ auto_start = false }) == require('claudecode')")).toBe(
      true,
    )
    expect(await call('is_claude_connected()')).toEqual([false])
    expect(await call('get_version()')).toEqual([
      {
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        major: expect.any(Number),
        minor: expect.any(Number),
        patch: expect.any(Number),
      },
    ])
    expect(await call('stop()')).toEqual([false, 'Not running'])
    expect(await call('start(false)')).toEqual([true])
    await nvim.waitFor("require('claudecode.status').get().port", 'the server')
    expect(await call('start(false)')).toEqual([false, 'Already running'])
    const claude = await setup.connect()
    await nvim.waitFor("require('claudecode').is_claude_connected()", 'Claude to be connected')
    await claude.close()
    await nvim.waitFor("not require('claudecode').is_claude_connected()", 'Claude to be gone')
    expect(await call('stop()')).toEqual([true])
    await nvim.lua("require('claudecode').open_with_model('--foo')")
    await nvim.waitForScreen(/Claude's model:/)
  })

  test('of claudecode.terminal', async () => {
    const setup = await startWithFakeClaude({ files: { 'a.txt': '' }, args: ['a.txt'] })
    const { nvim } = setup
    const names =
      'setup open close simple_toggle focus_toggle toggle toggle_open_no_focus ensure_visible get_active_terminal_bufnr send_to_terminal'
    for (const name of names.split(' '))
      expect(await nvim.lua(`return type(require('claudecode.terminal').${name})`), name).toBe('function')
    expect(await nvim.lua("return require('claudecode.terminal').close()")).toBe(false)
    await nvim.lua(
      "require('claudecode.terminal').open({ split_side = 'left', split_width_percentage = 0.5, cwd = '/' }, '--x')",
    )
    const run = await setup.waitForRun()
    expect([run.argv, run.cwd]).toEqual([['--x'], '/'])
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    expect(await nvim.lua('return { vim.fn.winnr(), vim.api.nvim_win_get_width(0) }')).toEqual([1, 80])
    expect(
      await nvim.lua(
        "return require('claudecode.terminal').get_active_terminal_bufnr() == vim.api.nvim_get_current_buf()",
      ),
    ).toBe(true)
    await nvim.lua("require('claudecode.terminal').toggle()")
    await nvim.waitFor('#vim.api.nvim_list_wins() == 1', 'Claude to be hidden')
    expect(await nvim.lua("return require('claudecode.terminal').close()")).toBe(true)
  })

  test('of claudecode.cwd', async () => {
    const { nvim } = await startWithFakeClaude({ files: { '.git/HEAD': 'ref: refs/heads/main\n', 'sub/a.txt': '' } })
    const call = (code: string, ...args: unknown[]) => nvim.lua(`return require('claudecode.cwd').${code}`, ...args)
    expect(await call('git_root(...)', `${nvim.folder}/sub`)).toBe(nvim.folder)
    expect(await call('git_root(...) == nil', '/')).toBe(true)
    expect(await call('git_root(nil) == nil')).toBe(true)
    const context = { cwd: `${nvim.folder}/sub` }
    expect(await call('resolve({ git_repo_cwd = true }, ...)', context)).toBe(nvim.folder)
    expect(await call("resolve({ git_repo_cwd = true, cwd = '~/x' }, ...)", context)).toBe(`${nvim.home}/x`)
    expect(await call("resolve({ cwd = '/a', cwd_provider = function(c) return c.cwd end }, ...)", context)).toBe(
      context.cwd,
    )
    expect(await call('resolve({}, ...) == nil', context)).toBe(true)
  })
})

test('a full configuration, with functions in it, loads without a warning', async () => {
  const { nvim } = await startWithFakeClaude({
    setup: `{
      port_range = { min = 10000, max = 65535 }, auto_start = true, terminal_cmd = nil, env = { A = 'b' }, log_level = 'info',
      track_selection = true, focus_after_send = false, visual_demotion_delay_ms = 50, connection_wait_delay = 600,
      connection_timeout = 10000, queue_timeout = 5000, models = { { name = 'Opus', value = 'opus' } }, git_repo_cwd = true,
      cwd_provider = function(ctx) return ctx.cwd end,
      diff_opts = {
        layout = 'vertical', open_in_new_tab = false, keep_terminal_focus = false, hide_terminal_in_new_tab = false,
        on_new_file_reject = 'keep_empty', auto_resize_terminal = true, vertical_split = true, open_in_current_tab = true,
        auto_close_on_accept = true, show_diff_stats = true,
      },
      terminal = {
        split_side = 'right', split_width_percentage = 0.30, diff_split_width_percentage = 0.20, provider = 'auto', cwd = nil, show_native_term_exit_tip = true,
        auto_close = true, auto_insert = true, fix_streamed_paste = 'auto', git_repo_cwd = false,
        cwd_provider = function(ctx) return ctx.file_dir end,
        snacks_win_opts = { position = 'float', keys = { hide = { '<C-,>', function(self) self:hide() end, mode = 't' } } },
        provider_opts = { external_terminal_cmd = function(cmd) return cmd end },
      },
    }`,
  })
  expect((await logLines(nvim)).filter(line => /WARN|ERROR/.test(line))).toEqual([])
})

test('a handler of ClaudeCodeSendComplete that fails breaks nothing', async () => {
  const setup = await startWithFakeClaude({
    files: { 'a.txt': '' },
    setup: '{ connection_wait_delay = 0 }',
    init: "vim.api.nvim_create_autocmd('User', { pattern = 'ClaudeCodeSendComplete', callback = function() error('mine') end })",
  })
  const claude = await setup.connect()
  await setup.nvim.waitFor("require('claudecode').is_claude_connected()", 'Claude to be connected')
  for (const line of [1, 2]) {
    await setup.nvim.lua("require('claudecode').send_at_mention('a.txt', ...)", line, line)
    await claude.waitForNotification('at_mentioned', params => params['lineStart'] === line)
  }
  await setup.nvim.waitForScreen(/a handler of ClaudeCodeSendComplete failed/)
})
