// The options: this schema is the source of their types, defaults and checks, of the README's table and of :help.
import { z } from 'zod'
import { logLevels } from '../base/log.ts'
import { DiffOptions } from './diff-options.ts'
import { JupyterOptions } from './jupyter-options.ts'
import { luaFunction, note } from './note.ts'
import { PrivacyOptions } from './privacy-options.ts'
import { TerminalOptions } from './terminal-options.ts'

const port = z.int().min(1).max(65535)

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
  ide_name: note(
    z.string().startsWith('Neovim').default('Neovim'),
    'The name that Claude has for this Neovim in `/ide`. `{folder}` in it is the name of your working directory, `{branch}` the git branch there: `"Neovim {folder} ({branch})"` tells several Neovims apart.',
    'a string that begins with "Neovim"',
  ),
  live_state: note(
    z.boolean().default(true),
    'Show what each Claude does (works, waits for you, is done), and tell you when one waits that you do not see. It is started with hooks for this.',
  ),
  node_cmd: note(z.string().min(1).default('node'), 'The Node.js program, 20.19 or newer.', 'a name or a path'),
  host: note(
    z.enum(['process', 'provider']).default('process'),
    'Where the TypeScript part runs: in a Node process of its own, or (`"provider"`) in Neovim\'s Node provider, after `:UpdateRemotePlugins`.',
  ),
  cwd: note(z.string().min(1).optional(), 'The same as `terminal.cwd`.', 'a path'),
  git_repo_cwd: note(z.boolean().optional(), 'The same as `terminal.git_repo_cwd`.', 'true, false'),
  cwd_provider: note(luaFunction.optional(), 'The same as `terminal.cwd_provider`.', 'a function'),
  terminal: TerminalOptions.prefault({}),
  diff_opts: DiffOptions.prefault({}),
  privacy: PrivacyOptions.prefault({}),
  jupyter: JupyterOptions.prefault({}),
})

/** The options as the program uses them. */
export type Options = z.output<typeof Options>
