// The options: this schema is the source of their types, defaults and checks, of the README's table and of :help.
import { z } from 'zod'
import { logLevels } from '../base/log.ts'

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

const terminal = z.strictObject({
  provider: note(
    z.enum(['native', 'none']).default('native'),
    'Where Claude runs: in a split of Neovim, or (`"none"`) in a terminal of your own that you start with `claude --ide`.',
  ),
  split_side: note(z.enum(['left', 'right']).default('right'), "The side of the screen that Claude's split is on."),
  split_width_percentage: note(
    z.number().gt(0).lt(1).default(0.3),
    "The width of Claude's split, as a part of the screen.",
    'a number between 0 and 1',
  ),
  auto_close: note(
    z.boolean().default(true),
    "Close Claude's window when Claude ends by itself. A window whose Claude failed stays open, to be read.",
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
  terminal: terminal.prefault({}),
})

/** The options as the program uses them. */
export type Options = z.output<typeof Options>
