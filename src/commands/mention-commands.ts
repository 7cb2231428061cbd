// :ClaudeCodeSend, :ClaudeCodeAdd and `send_at_mention()`: what the user points Claude to.
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { bytesOrText, EditorError, luaList, shownText } from '../neovim/editor.ts'
import type { SentMention } from '../selection/mentions.ts'
import type { LaunchContext as Context } from '../terminal/launch.ts'
import { LaunchContext } from './launch-context.ts'
import type { CommandParts } from './parts.ts'
import { nameMentions } from './undelivered.ts'

/** `mention`, as lua/claudecode/commands/mention.lua tells it. Lines are 0-based. */
export const MentionEvent = z.object({
  mentions: luaList(z.object({ path: bytesOrText, first: z.int().min(0).optional(), last: z.int().min(0).optional() })),
  context: shownText,
  launch: LaunchContext,
})
export type MentionEvent = z.output<typeof MentionEvent>

/** Above this many the user is told when they are through: until then nothing is to be seen of it. */
const manyMentions = 20

/** `ask`: a question, and what it is about. */
export const AskEvent = MentionEvent.extend({ question: shownText })

/** The CLI puts a mention into its prompt a moment after it has got it (ms); the question comes behind it. */
const settlingMs = 200

/**
 * Sends the mentions, and then the question as the user would type it.
 * @throws {UserError} a path can't be said, or no Claude can be started.
 */
export async function ask(parts: CommandParts, event: z.output<typeof AskEvent>): Promise<void> {
  await sendMentions(parts, event)
  if (!(await parts.mentions.emptied())) return // of which the user was told
  await new Promise<void>(resolve => parts.clock.after(settlingMs, resolve))
  await parts.editor.call('terminal.type', { text: event.question, submit: true, focus: true }, z.boolean())
}

/** Sends what Lua found. @throws {UserError} a path can't be said in the protocol's JSON. */
export async function sendMentions(parts: CommandParts, event: MentionEvent): Promise<void> {
  const mentions = event.mentions.map(({ path, first, last }): SentMention => {
    if (typeof path !== 'string')
      throw new UserError(`Claude can't be told of ${path}: its name is not UTF-8. Rename it`)
    return {
      filePath: path,
      ...(first === undefined ? {} : { lineStart: first, lineEnd: last ?? first }),
      context: event.context,
    }
  })
  await deliver(parts, mentions, event.launch)
}

async function deliver(parts: CommandParts, mentions: SentMention[], launch: Context): Promise<void> {
  const { mentions: outgoing, terminal, options, notices, serve } = parts
  if (mentions.length > manyMentions) notices.info(`${mentions.length} mentions are on their way to Claude`)
  if (outgoing.hasListener) {
    await terminal.reveal(options().focus_after_send)
    outgoing.send(mentions)
    return
  }
  await serve()
  outgoing.send(mentions)
  if (parts.hasClient()) {
    await terminal.reveal(options().focus_after_send) // it will listen in a moment
    return
  }
  try {
    if (terminal.canStart) await terminal.act('open', '', launch)
    else
      notices.info(
        `${nameMentions(mentions)} waits for a Claude that you start: \`claude --ide\`, or /ide in one that runs`,
      )
  } catch (error) {
    const isUsers = error instanceof UserError || (error instanceof EditorError && error.luaStack === undefined)
    const lost = outgoing.drop()
    throw isUsers ? new UserError(`${nameMentions(lost)} was not sent: ${error.message}`) : error
  }
}
