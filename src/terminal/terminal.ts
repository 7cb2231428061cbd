// Claude's terminal: show it, hide it, start what runs in it. One step after the other, however fast the user is.
import { z } from 'zod'
import { type Editor, nothing } from '../neovim/editor.ts'
import type { Options } from '../options/schema.ts'
import { type LaunchContext, planLaunch } from './launch.ts'

/** What the terminal needs from the rest of the program. */
export interface TerminalParts {
  editor: Editor
  options: () => Options
  /** Starts the server unless it runs, and says its port. */
  serve: () => Promise<number>
}

/**
 * `simple`: hide it when it can be seen, else go there. `focus`: go there, and hide it for who is there. `open`: go there.
 * `show`: only let it be seen.
 */
export type How = 'simple' | 'focus' | 'open' | 'show'

/** What a single call wants otherwise than the options say. */
export const ViewOverrides = z.object({
  split_side: z.enum(['left', 'right']).optional().catch(undefined),
  split_width_percentage: z.number().gt(0).lt(1).optional().catch(undefined),
  position: z.enum(['split', 'float', 'tab']).optional().catch(undefined),
  auto_insert: z.boolean().optional().catch(undefined),
})
export type ViewOverrides = z.output<typeof ViewOverrides>

const Done = z.enum(['none', 'hidden', 'shown', 'asked'])

/** What the options ask for together and can't have. */
export function terminalWarnings({ focus_after_send, terminal: { provider } }: Options): string[] {
  if (!focus_after_send || (provider !== 'none' && provider !== 'external')) return []
  return [
    `option focus_after_send has no effect with terminal.provider "${provider}"; User ClaudeCodeSendComplete says when something was sent`,
  ]
}

/** Where Claude runs, as the host sees it. */
export class Terminal {
  readonly #parts: TerminalParts
  #turn: Promise<unknown> = Promise.resolve()

  constructor(parts: TerminalParts) {
    this.#parts = parts
  }

  /**
   * Does what `how` says with the Claude that runs; starts one when there is none.
   * @param args what the user typed behind the command. They matter only to a Claude that is started: when one runs, the
   * user is asked what to do.
   */
  act(how: How, args: string, context: LaunchContext, overrides: ViewOverrides = {}): Promise<void> {
    return this.#inTurn(async () => {
      const { editor, options, serve } = this.#parts
      const call = { provider: this.#provider(), how, view: this.#view(overrides) }
      const done = await editor.call('terminal.act', { ...call, arguments: args.trim(), context }, Done)
      if (done !== 'none') return
      try {
        const launch = planLaunch(options(), await serve(), args, context)
        await editor.call('terminal.start', { ...call, launch }, z.literal(true))
      } catch (error) {
        await editor.call('terminal.abandon', {}, nothing) // a window may wait for it already
        throw error
      }
    })
  }

  /** Shows the Claude that runs in Neovim, if any, after something was sent to it. */
  reveal(focus: boolean): Promise<boolean> {
    return this.#inTurn(() => this.#parts.editor.call('terminal.reveal', { focus, view: this.#view({}) }, z.boolean()))
  }

  /** Whether a Claude runs that was started from Neovim. */
  isRunning(): Promise<boolean> {
    return this.#parts.editor.call('terminal.is_running', {}, z.boolean())
  }

  /** Whether Claude is started from Neovim at all. */
  get canStart(): boolean {
    return this.#provider() !== 'none'
  }

  #provider(): string {
    const { provider } = this.#parts.options().terminal
    return typeof provider === 'string' ? provider : 'custom'
  }

  #view(overrides: ViewOverrides): Record<string, unknown> {
    const { terminal } = this.#parts.options()
    return {
      position: overrides.position ?? terminal.position,
      split_side: overrides.split_side ?? terminal.split_side,
      width: overrides.split_width_percentage ?? terminal.split_width_percentage,
      auto_insert: overrides.auto_insert ?? terminal.auto_insert,
      auto_close: terminal.auto_close,
      float: terminal.float,
      leave_key: terminal.leave_key,
      exit_tip: terminal.show_native_term_exit_tip,
    }
  }

  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(step)
    this.#turn = turn.catch(() => undefined)
    return turn
  }
}
