// What users of the Lua plugin (coder/claudecode.nvim) have in their configurations, each with the test that shows it.

/** A thing that is here under the same name. */
export interface Inherited {
  name: string
  /** `file > title`: of a test, or a group of tests, without the ids of reports before it, and as far as it says enough. */
  test: string
}

const peer = 'api/peer.test.ts'
const modules = 'api/peer-modules.test.ts'
const diff = 'diffs/shown.test.ts > the buffer variables and the events that users know'
const claudesWindow = 'diffs/layout-claude.test.ts > '

function each(names: string, test: string): Inherited[] {
  return names.split(' ').map(name => ({ name, test }))
}

/** User commands. */
export const commands: Inherited[] = [
  ...each('ClaudeCode', 'terminal/windows.test.ts > a toggle hides Claude from wherever the user is'),
  ...each('ClaudeCodeFocus', 'terminal/windows.test.ts > a focus toggle goes there first'),
  ...each('ClaudeCodeOpen', 'terminal/windows.test.ts > :ClaudeCodeOpen goes there and never hides'),
  ...each('ClaudeCodeClose', 'terminal/process.test.ts > :ClaudeCodeClose ends the process'),
  ...each('ClaudeCodeSendText', 'terminal/typing.test.ts > :ClaudeCodeSendText is one paste with Enter behind it'),
  ...each('ClaudeCodeSelectModel', 'terminal/typing.test.ts > :ClaudeCodeSelectModel starts Claude with the model'),
  ...each('ClaudeCodeSend', 'mentions/send.test.ts > sends a range also when the selection is not tracked'),
  ...each('ClaudeCodeTreeAdd', `${peer} > :ClaudeCodeTreeAdd outside of a file explorer says so`),
  ...each('ClaudeCodeAdd', 'mentions/send.test.ts > takes any path as it is typed, with lines behind it'),
  ...each('ClaudeCodeStart ClaudeCodeStop', 'host/life.test.ts > :ClaudeCodeStop lets clients go'),
  ...each('ClaudeCodeStatus', 'host/life.test.ts > auto_start = false waits for a command'),
  ...each('ClaudeCodeDiffAccept', 'diffs/choice.test.ts > the one in this tab page is meant, or the user chooses'),
  ...each('ClaudeCodeDiffDeny', 'diffs/diff.test.ts > :ClaudeCodeDiffDeny rejects and closes'),
  ...each('ClaudeCodeCloseAllDiffs', 'diffs/kept.test.ts > closes pending diffs as rejected, and tells how many'),
]

/** Options of setup(). */
export const options: Inherited[] = [
  ...each('port_range.min port_range.max', '../protocol/ports.test.ts > a range'),
  ...each('auto_start', 'host/life.test.ts > auto_start = false waits for a command'),
  ...each('terminal_cmd env', 'terminal/process.test.ts > words, environment and folder arrive exactly'),
  ...each('log_level', 'host/life.test.ts > a wrong option is named with what is allowed'),
  ...each('track_selection', 'selection/tracking.test.ts > with track_selection = false nothing is told'),
  ...each('focus_after_send', 'mentions/waiting.test.ts > focus_after_send = %s'),
  ...each(
    'visual_demotion_delay_ms',
    'selection/tracking.test.ts > visual_demotion_delay_ms: time to get to a terminal',
  ),
  ...each(
    'connection_wait_delay',
    '../unit/mentions/mentions.test.ts > a client gets them connection_wait_delay after it has said ide_connected',
  ),
  ...each('connection_timeout', 'mentions/waiting.test.ts > the user is told why it waits'),
  ...each('queue_timeout', 'mentions/waiting.test.ts > it is given up after queue_timeout'),
  ...each('models', 'terminal/typing.test.ts > :ClaudeCodeSelectModel starts Claude with the model'),
  ...each(
    'cwd git_repo_cwd cwd_provider terminal.cwd terminal.git_repo_cwd terminal.cwd_provider',
    'terminal/process.test.ts > %s says where',
  ),
  ...each('diff_opts.layout', 'diffs/layout-options.test.ts > one above the other'),
  ...each('diff_opts.open_in_new_tab', 'diffs/layout-options.test.ts > in a tab page of its own'),
  ...each('diff_opts.keep_terminal_focus', `${claudesWindow}with keep_terminal_focus`),
  ...each('diff_opts.hide_terminal_in_new_tab', 'diffs/layout-options.test.ts > with hide_terminal_in_new_tab'),
  ...each('diff_opts.on_new_file_reject', 'diffs/layout-options.test.ts > a new file'),
  ...each('diff_opts.auto_resize_terminal', `${claudesWindow}keeps its width with auto_resize_terminal = false`),
  ...each('diff_opts.vertical_split diff_opts.open_in_current_tab', 'diffs/layout-options.test.ts > by its older name'),
  ...each(
    'diff_opts.auto_close_on_accept diff_opts.show_diff_stats terminal.show_native_term_exit_tip terminal.fix_streamed_paste',
    '../unit/options/peer-options.test.ts > a full configuration costs no warning',
  ),
  ...each(
    'terminal.split_side terminal.split_width_percentage',
    'terminal/windows.test.ts > split_side and width are as asked',
  ),
  ...each('terminal.diff_split_width_percentage', `${claudesWindow}has the width of diff_split_width_percentage`),
  ...each('terminal.provider', 'terminal/providers.test.ts > another setup() changes the provider of the next Claude'),
  ...each('terminal.provider_opts.external_terminal_cmd', 'terminal/providers.test.ts > external'),
  ...each('terminal.auto_close', 'terminal/process.test.ts > exit code %i with auto_close = %s'),
  ...each('terminal.auto_insert', 'terminal/typing.test.ts > auto_insert = false leaves the mode'),
  ...each('terminal.snacks_win_opts', 'terminal/providers.test.ts > snacks'),
]

/** Functions, by module and name. */
export const functions: Inherited[] = [
  ...each(
    'claudecode.setup claudecode.start claudecode.stop claudecode.is_claude_connected claudecode.open_with_model claudecode.get_version',
    `${peer} > of claudecode`,
  ),
  ...each(
    'claudecode.send_at_mention',
    'mentions/waiting.test.ts > send_at_mention() says what is wrong with its arguments',
  ),
  ...each('claudecode.version.string', `${modules} > state and version of claudecode`),
  ...each(
    'claudecode.terminal.open claudecode.terminal.close claudecode.terminal.simple_toggle claudecode.terminal.focus_toggle claudecode.terminal.toggle claudecode.terminal.toggle_open_no_focus claudecode.terminal.ensure_visible claudecode.terminal.get_active_terminal_bufnr claudecode.terminal.send_to_terminal claudecode.terminal.setup',
    `${peer} > of claudecode.terminal`,
  ),
  ...each('claudecode.cwd.git_root claudecode.cwd.resolve', `${peer} > of claudecode.cwd`),
  ...each(
    'claudecode.selection.send_at_mention_for_visual_selection claudecode.selection.enable claudecode.selection.disable',
    `${modules} > claudecode.selection`,
  ),
  ...each(
    'claudecode.diff.accept_current_diff claudecode.diff.deny_current_diff claudecode.diff.close_all_diffs claudecode.diff.close_pending_diffs',
    `${modules} > claudecode.diff`,
  ),
  ...each('claudecode.integrations.get_selected_files_from_tree', `${modules} > claudecode.integrations`),
]

/** `User` events. */
export const events: Inherited[] = [
  ...each('ClaudeCodeSendComplete', 'mentions/waiting.test.ts > one is started, and gets all mentions in order'),
  ...each('ClaudeCodeDiffOpened ClaudeCodeDiffClosed', diff),
]

/** Buffer variables of a proposal, and its other marks. */
export const variables: Inherited[] = [
  ...each('claudecode_diff_tab_name claudecode_diff_new_win claudecode_diff_target_win', diff),
  ...each('claudecode_inline_diff', 'diffs/unified.test.ts > has the buffer variables that users know'),
]

/** Environment and global variables. */
export const environment: Inherited[] = [
  ...each('CLAUDE_CONFIG_DIR', '../unit/ide/claude-folders.test.ts > CLAUDE_CONFIG_DIR=%j'),
  ...each(
    'no_proxy NO_PROXY',
    '../unit/terminal/launch.test.ts > adds the loopback names to what was exempt from proxies',
  ),
  ...each('claudecode_auto_setup', `${modules} > g:claudecode_auto_setup`),
]

/** What is not here any more: the README says so, by these names. */
export const gone: string[] = [
  'process_mention_queue',
  'disable_broadcast_debouncing',
  'claudecode.lockfile',
  'get_latest_selection',
  'close_diffs_for_client',
  'close_diff_by_tab_name',
  'open_diff',
]
