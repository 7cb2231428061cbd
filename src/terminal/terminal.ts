// Claude's terminal: show it, hide it, start what runs in it.
import { z } from 'zod'
import type { Editor } from '../neovim/editor.ts'
import type { Notices } from '../neovim/notices.ts'
import type { Options } from '../options/schema.ts'
import { type LaunchContext, planLaunch } from './launch.ts'

/** What the terminal needs from the rest of the program. */
export interface TerminalParts {
  editor: Editor
  notices: Notices
  options: () => Options
  /** Starts the server unless it runs, and says its port. */
  serve: () => Promise<number>
}

const Toggled = z.enum(['none', 'hidden', 'shown'])
const nowhere =
  'terminal.provider is "none": start Claude in a terminal of your own with `claude --ide`, or type /ide in one that runs'

/**
 * Hides Claude's window when it is on the screen, shows it when it is hidden, starts Claude when it does not run.
 * @param args what the user typed behind the command; they only matter to a Claude that is started now.
 */
export async function toggleTerminal(parts: TerminalParts, args: string, context: LaunchContext): Promise<void> {
  const options = parts.options()
  if (options.terminal.provider === 'none') {
    await parts.serve()
    parts.notices.info(nowhere)
    return
  }
  const toggled =
    args.trim() === '' ? await parts.editor.call('terminal.toggle', {}, Toggled) : await showRunning(parts)
  if (toggled !== 'none') {
    if (args.trim() !== '')
      parts.notices.warn(`Claude runs already, so "${args.trim()}" was not used: end it first (/exit), then try again`)
    return
  }
  const launch = planLaunch(options, await parts.serve(), args, context)
  await parts.editor.call(
    'terminal.open',
    {
      ...launch,
      split_side: options.terminal.split_side,
      width: options.terminal.split_width_percentage,
      auto_close: options.terminal.auto_close,
    },
    z.literal(true),
  )
}

/** Arguments ask for a Claude, so one that runs is shown, never hidden. */
async function showRunning(parts: TerminalParts): Promise<'none' | 'shown'> {
  return (await parts.editor.call('terminal.show', {}, z.boolean())) ? 'shown' : 'none'
}
