// The options: this schema is the source of their types, defaults and checks, of the README's table and of :help.
import { z } from 'zod'
import { logLevels } from '../base/log.ts'

/** The places that Claude can run in. */
export const providers = ['auto', 'native', 'snacks', 'external', 'tmux', 'wezterm', 'kitty', 'zellij', 'none'] as const

/** What the documentation says of an option, kept beside its schema (`z.meta`). */
export interface OptionNote {
  /** One or two sentences: what it does. */
  doc: string
  /** What may be written, as a user writes it in Lua. Left out where the schema's own values say it. */
  allowed?: string
}

function note<T extends z.ZodType>(schema: T, doc: string, allowed?: string): T {
  return schema.meta(allowed === undefined ? { doc } : { doc, allowed })
}

const port = z.int().min(1).max(65535)

/** A Lua function, as it travels (lua/claudecode/config.lua), or a table that can be called. Lua keeps the function. */
const luaFunction = z.union([z.literal('<function>'), z.record(z.string(), z.unknown())])

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

const terminal = z.strictObject({
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

/** Lua's `{}` is a list, too (`readOptions` takes it for a table). */
const patterns = z.preprocess(value => (JSON.stringify(value) === '{}' ? [] : value), z.array(z.string()))

const privacy = z.strictObject({
  ignore: note(
    patterns.default([]),
    'Files that Claude is told nothing of: patterns as in `.gitignore`, from the folders of the workspace, or absolute, or with `~/`. `!` in front takes one back, also one of `ignore_secrets`.',
    'a list of patterns, such as { "secret/", "*.sql", "!.env.example" }',
  ),
  ignore_secrets: note(
    z.boolean().default(true),
    'The same for what usually holds secrets, wherever it is: `.env*`, private keys and key stores, password stores, `.netrc`, `.npmrc`, `.aws/credentials` and the like. The whole list is in the section "What Claude sees".',
  ),
  ignore_function: note(
    luaFunction.optional(),
    'Says of a file whether Claude is told nothing of it; is given `(path, buffer)`, where the buffer is nil for a file that is not open. It is asked once for each, and again after it was written or its name or filetype has changed. Should it fail, the file is private.',
    'a function',
  ),
})

const jupyter = z.strictObject({
  enabled: note(
    z.enum(['notebook', 'always', 'never']).default('notebook'),
    'When Claude is offered to run Python in the kernel of your notebook (tool `executeCode`): once you have been in a notebook (an `.ipynb` file, or a Python file with `# %%` cells), from the start, or never.',
  ),
  ask: note(
    z.enum(['first', 'always', 'never']).default('first'),
    'Whether you are shown the code and asked before it runs: for the first code in each notebook, for all, or for none.',
  ),
  kernel: note(
    z.string().default(''),
    'The kernel for all notebooks, by its name in `jupyter kernelspec list`. Empty: the one that the notebook names, else `python3`.',
    'a name',
  ),
})

/** All options, with the defaults filled in. */
export const Options = z.strictObject({
  auto_start: note(
    z.boolean().default(true),
    'Start the server when Neovim has started. Otherwise it starts with the first command that needs it.',
  ),
  port_range: note(
    z
      .strictObject({ min: port, max: port })
      .refine(range => range.min <= range.max, 'min is greater than max')
      .default({ min: 10000, max: 65535 }),
    'The ports that the server chooses from. It listens on 127.0.0.1 only.',
    '{ min = 1…65535, max = min…65535 }',
  ),
  terminal_cmd: note(
    z.string().default('claude'),
    'The command that starts Claude, with arguments if you like. It is split at blanks as a shell would (quotes and `~` work), and run without a shell.',
    'a string',
  ),
  env: note(
    z.record(z.string(), z.string()).default({}),
    "Environment variables for Claude, on top of Neovim's.",
    'a table of strings, such as { NAME = "value" }',
  ),
  focus_after_send: note(
    z.boolean().default(false),
    "Go to Claude's window after something was sent to Claude. Otherwise it is only shown.",
  ),
  connection_wait_delay: note(
    z.number().min(0).default(600),
    'How long after Claude has connected it is given mentions (ms): before that it does not listen to them.',
    'a number, 0 or more',
  ),
  connection_timeout: note(
    z.number().gt(0).default(10_000),
    'How long a mention waits for a Claude to connect before you are told why it waits (ms).',
    'a number above 0',
  ),
  queue_timeout: note(
    z.number().gt(0).default(300_000),
    'How long a mention waits for a Claude to connect before it is given up, of which you are told, too (ms).',
    'a number above 0',
  ),
  models: note(
    z
      .array(z.object({ name: z.string().min(1), value: z.string().min(1) }))
      .min(1)
      .default([
        { name: 'Opus', value: 'opus' },
        { name: 'Opus, 1M context', value: 'opus[1m]' },
        { name: 'Sonnet', value: 'sonnet' },
        { name: 'Sonnet, 1M context', value: 'sonnet[1m]' },
        { name: 'Haiku', value: 'haiku' },
        { name: 'Default', value: 'default' },
      ]),
    'What `:ClaudeCodeSelectModel` offers.',
    'a list of { name = "shown", value = "for --model" }',
  ),
  log_level: note(z.enum(logLevels).default('info'), 'How much `:ClaudeCodeLog` holds.'),
  track_selection: note(
    z.boolean().default(true),
    'Tell Claude which file you are in and what you have selected, as it changes.',
  ),
  visual_demotion_delay_ms: note(
    z.number().min(0).default(50),
    "How long what you had selected still counts after you moved the cursor (ms): time to get to Claude's window.",
    'a number, 0 or more',
  ),
  node_cmd: note(z.string().min(1).default('node'), 'The Node.js program, 20.19 or newer.', 'a name or a path'),
  host: note(
    z.enum(['process', 'provider']).default('process'),
    'Where the TypeScript part runs: in a Node process of its own, or (`"provider"`) in Neovim\'s Node provider, after `:UpdateRemotePlugins`.',
  ),
  cwd: note(z.string().min(1).optional(), 'The same as `terminal.cwd`.', 'a path'),
  git_repo_cwd: note(z.boolean().optional(), 'The same as `terminal.git_repo_cwd`.', 'true, false'),
  cwd_provider: note(luaFunction.optional(), 'The same as `terminal.cwd_provider`.', 'a function'),
  terminal: terminal.prefault({}),
  privacy: privacy.prefault({}),
  jupyter: jupyter.prefault({}),
})

/** The options as the program uses them. */
export type Options = z.output<typeof Options>
