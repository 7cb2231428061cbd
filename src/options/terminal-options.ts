// The options of Claude's terminal.
import { z } from 'zod'
import { luaFunction, note } from './note.ts'

/** The places that Claude can run in. */
export const providers = ['auto', 'native', 'snacks', 'external', 'tmux', 'wezterm', 'kitty', 'zellij', 'none'] as const

const cwd = note(
  z.string().min(1).optional(),
  'The folder that Claude starts in. Default: the one that you are in.',
  'a path',
)
const gitRepoCwd = note(
  z.boolean().default(false),
  "Start Claude in the root of the file's Git repository (or of the folder's, without a file).",
)
const cwdProvider = note(
  luaFunction.optional(),
  'Says the folder that Claude starts in; is given `{ file, file_dir, cwd }`. It comes before `cwd` and `git_repo_cwd`, which count when it returns nil or fails.',
  'a function',
)

const float = z.strictObject({
  width: note(
    z.number().gt(0).lte(1).default(0.8),
    'The width of the float, as a part of the screen.',
    'a number up to 1',
  ),
  height: note(
    z.number().gt(0).lte(1).default(0.8),
    'The height of the float, as a part of the screen.',
    'a number up to 1',
  ),
  border: note(
    z.string().default('rounded'),
    'The border of the float, see |nvim_open_win()|.',
    '"none", "single", "double", "rounded", "solid", "shadow"',
  ),
})

/** Options `terminal.*`. */
export const TerminalOptions = z.strictObject({
  provider: note(
    z.union([z.enum(providers), z.record(z.string(), z.unknown())]).default('auto'),
    'Where Claude runs: in a window of Neovim (`"native"`), in one of snacks.nvim (`"snacks"`), in the former unless the latter is installed (`"auto"`), in a program of yours (`"external"`), in a pane of a terminal multiplexer, or (`"none"`) in a terminal that you start `claude --ide` in. A table of functions is a provider of your own. Another one counts from the next Claude on.',
    `${providers.map(name => JSON.stringify(name)).join(', ')}, a table`,
  ),
  provider_opts: note(
    z
      .looseObject({
        external_terminal_cmd: z.union([z.literal('<function>'), z.string().regex(/^$|%s/)]).optional(),
      })
      .default({}),
    'For the provider `"external"`: the command that opens your terminal, such as `"alacritty -e %s"`. With one `%s` that is Claude\'s command, with two the first is its folder. Or a function that is given the command and its environment and returns a command, as a string or a list.',
    '{ external_terminal_cmd = a string with "%s", or a function }',
  ),
  position: note(
    z.enum(['split', 'float', 'tab']).default('split'),
    'Claude\'s window for the provider `"native"`: a split, a float, or a tab page of its own. A change counts from the next time that it is shown.',
  ),
  split_side: note(z.enum(['left', 'right']).default('right'), "The side of the screen that Claude's split is on."),
  split_width_percentage: note(
    z.number().gt(0).lt(1).default(0.3),
    "The width of Claude's split, as a part of the screen.",
    'a number between 0 and 1',
  ),
  diff_split_width_percentage: note(
    z.number().gt(0).lt(1).optional(),
    "The width of Claude's split while a diff is beside it. Default: it stays as it is.",
    'a number between 0 and 1',
  ),
  float: float.prefault({}),
  snacks_win_opts: note(
    z.record(z.string(), z.unknown()).default({}),
    'Options of the window for the provider `"snacks"`, as Snacks.win takes them.',
    'a table',
  ),
  auto_close: note(
    z.boolean().default(true),
    "Close Claude's window when Claude ends. One whose Claude failed at once stays open, to be read.",
  ),
  auto_insert: note(
    z.boolean().default(true),
    "Enter Terminal mode whenever you come to Claude's window. Without it the scroll position is kept.",
  ),
  leave_key: note(
    z.union([z.string().min(1), z.literal(false)]).default('<C-q>'),
    "The key that leaves Terminal mode in Claude's window. It can't be Escape, which belongs to Claude; `<C-\\><C-n>` works, too.",
    'a key, or false',
  ),
  show_native_term_exit_tip: note(z.boolean().default(true), 'Tell, once in a session, how to leave Terminal mode.'),
  fix_streamed_paste: note(
    z.union([z.boolean(), z.literal('auto')]).default('auto'),
    'Give Claude a large paste in one piece, where Neovim (before 0.12.2) would cut it.',
    'true, false, "auto"',
  ),
  cwd,
  git_repo_cwd: gitRepoCwd,
  cwd_provider: cwdProvider,
})
