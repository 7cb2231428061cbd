// Options that users of the Lua plugin have in their configurations: taken as they are, functions as the mark that travels.
import { expect, test } from 'vitest'
import { readOptions } from '../../../src/options/read-options.ts'

test('a full configuration costs no warning', () => {
  const { warnings, options } = readOptions({
    port_range: { min: 10000, max: 65535 },
    auto_start: true,
    terminal_cmd: '~/.claude/local/claude',
    env: { A: 'b' },
    log_level: 'info',
    track_selection: true,
    focus_after_send: false,
    visual_demotion_delay_ms: 50,
    connection_wait_delay: 200,
    connection_timeout: 10000,
    queue_timeout: 5000,
    models: [{ name: 'Claude Opus', value: 'opus' }],
    git_repo_cwd: true,
    cwd: '~/projects',
    cwd_provider: '<function>',
    diff_opts: {
      layout: 'vertical',
      open_in_new_tab: false,
      keep_terminal_focus: false,
      hide_terminal_in_new_tab: false,
      on_new_file_reject: 'keep_empty',
      auto_resize_terminal: true,
      auto_close_on_accept: true,
      show_diff_stats: true,
      vertical_split: true,
      open_in_current_tab: true,
    },
    terminal: {
      split_side: 'right',
      split_width_percentage: 0.3,
      diff_split_width_percentage: 0.2,
      provider: 'external',
      auto_close: true,
      auto_insert: true,
      show_native_term_exit_tip: true,
      snacks_win_opts: { keys: { claude_hide: ['<C-,>', '<function>'] } },
      provider_opts: { external_terminal_cmd: 'alacritty -e %s' },
      fix_streamed_paste: 'auto',
      cwd: '~/projects',
      git_repo_cwd: false,
      cwd_provider: '<function>',
    },
  })
  expect(warnings).toEqual([])
  expect(options.models).toEqual([{ name: 'Claude Opus', value: 'opus' }])
})

test.each([
  ['a provider of the user’s own', { terminal: { provider: { open: '<function>' } } }],
  ['a function for the external command', { terminal: { provider_opts: { external_terminal_cmd: '<function>' } } }],
  ['a callable table for the folder', { terminal: { cwd_provider: [] } }],
  ['no key that leaves the terminal', { terminal: { leave_key: false } }],
])('%s is taken', (_what, written) => {
  expect(readOptions(written).warnings).toEqual([])
})

test.each([
  [{ terminal: { provider: 'nativ' } }, 'terminal.provider is "nativ"'],
  [{ terminal: { provider_opts: { external_terminal_cmd: 'alacritty' } } }, 'terminal.provider_opts is'],
  [{ models: [] }, 'models is'],
  [{ models: [{ name: 'x' }] }, 'models is'],
  [{ terminal: { cwd_provider: 'x' } }, 'terminal.cwd_provider is "x"; allowed: a function'],
  [{ terminal: { float: { width: 2 } } }, 'terminal.float.width is 2'],
  [{ queue_timeout: 0 }, 'queue_timeout is 0'],
])('%j costs one warning', (written, text) => {
  const { warnings } = readOptions(written)
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain(text)
})
