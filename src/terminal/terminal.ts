// Claude's terminal: show it, hide it, start what runs in it. One step after the other, however fast the user is.
import { z } from 'zod'
import { createTurns } from '../base/turns.ts'
import { type Editor, nothing } from '../neovim/editor.ts'
import type { Options } from '../options/schema.ts'
import type { Session } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { type Launch, type LaunchContext, planLaunch } from './launch.ts'

/** What the terminal needs from the rest of the program. */
export interface TerminalParts {
  editor: Editor
  options: () => Options
  sessions: Sessions
  /** Adds to a call what a session is told besides (src/hooks/live-state.ts). */
  equip: (launch: Launch, session: Session) => Promise<Launch>
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
  readonly #inTurn = createTurns()

  constructor(parts: TerminalParts) {
    this.#parts = parts
  }

  /**
   * Does what `how` says with the Claude of the place or of the folder; starts one when there is none.
   * @param args what the user typed behind the command. They matter only to a Claude that is started: when one runs, the
   * user is asked what to do.
   * @param session the one that is meant, running or not; default: that of the context.
   */
  act(how: How, args: string, context: LaunchContext, overrides: ViewOverrides = {}, session?: Session): Promise<void> {
    return this.#inTurn(async () => {
      const { editor, sessions } = this.#parts
      const meant = session ?? sessions.at(context)
      if (meant !== undefined) {
        const call = { session: meant.id, how, view: this.#view(overrides), arguments: args.trim(), context }
        if ((await editor.call('terminal.act', call, Done)) !== 'none') return
      }
      // It may have ended unseen, or be one that is to be started.
      const known = session ?? sessions.get(meant?.id)
      if (known !== undefined) await this.#start(known, how, args, context, overrides)
      else await this.#startNew(undefined, how, args, context, overrides)
    })
  }

  /**
   * Starts another Claude, beside those that run.
   * @param name default: the folder's.
   * @throws {UserError} the name is taken, or it can't be started.
   */
  startAnother(
    name: string | undefined,
    args: string,
    context: LaunchContext,
    overrides: ViewOverrides,
  ): Promise<void> {
    return this.#inTurn(() => this.#startNew(name, 'open', args, context, overrides))
  }

  async #startNew(
    name: string | undefined,
    how: How,
    args: string,
    context: LaunchContext,
    overrides: ViewOverrides,
  ): Promise<void> {
    const { sessions } = this.#parts
    const session = sessions.open(context.cwd, name)
    try {
      await this.#start(session, how, args, context, overrides)
    } catch (error) {
      sessions.end(session.id)
      throw error
    }
  }

  async #start(
    session: Session,
    how: How,
    args: string,
    context: LaunchContext,
    overrides: ViewOverrides,
  ): Promise<void> {
    const { editor, options, serve, equip } = this.#parts
    const { id, name, folder } = session
    try {
      const launch = await equip(planLaunch(options(), { port: await serve(), args, session, context }), session)
      const call = {
        session: { id, name, folder },
        provider: this.#provider(),
        how,
        view: this.#view(overrides),
        launch,
      }
      await editor.call('terminal.start', call, z.literal(true))
    } catch (error) {
      await editor.call('terminal.abandon', {}, nothing) // a window may wait for it already
      throw error
    }
  }

  /** Shows the Claude of a session in Neovim, after something was sent to it. */
  reveal(session: Session, focus: boolean): Promise<boolean> {
    const call = { session: session.id, focus, view: this.#view({}) }
    return this.#inTurn(() => this.#parts.editor.call('terminal.reveal', call, z.boolean()))
  }

  /** Types into a session's prompt, without Enter, and shows it. Returns false where that can't be done. */
  async type(session: Session | undefined, text: string): Promise<boolean> {
    if (session === undefined) return false
    const { editor, options } = this.#parts
    const isTyped = await editor.call('terminal.type', { session: session.id, text }, z.boolean())
    if (isTyped) await this.reveal(session, options().focus_after_send)
    return isTyped
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
}
