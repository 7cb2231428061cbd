// :ClaudeCodeSend, :ClaudeCodeAdd, :ClaudeCodeAsk and the like: what the user sends to Claude.
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import type { Outgoing } from '../mentions/mentions.ts'
import { nameItems, whereKept } from '../mentions/undelivered.ts'
import { bytesOrText, luaList, nothing, shownText } from '../neovim/editor.ts'
import { isForUser } from '../neovim/notices.ts'
import type { Session } from '../sessions/session.ts'
import type { LaunchContext as Context } from '../terminal/launch.ts'
import { LaunchContext } from './launch-context.ts'
import type { CommandParts } from './parts.ts'

/** One thing on its way, as lua/claudecode/outbox.lua keeps it: a mention (lines are 0-based), or a question. */
const OutboxItem = z.union([
  z.object({ id: z.int(), session: z.string().optional(), question: shownText }),
  z.object({
    id: z.int(),
    /** The session that it is for, when a host before this one has found that out. */
    session: z.string().optional(),
    path: bytesOrText,
    first: z.int().min(0).optional(),
    last: z.int().min(0).optional(),
    context: shownText,
  }),
])
type OutboxItem = z.output<typeof OutboxItem>

/** `send`, as lua/claudecode/outbox.lua tells it. */
export const SendEvent = z.object({ items: luaList(OutboxItem), launch: LaunchContext })
export type SendEvent = z.output<typeof SendEvent>

/** Above this many the user is told when they are through: until then nothing is to be seen of it. */
const manyItems = 20

/**
 * Sends what Lua tells, in its order, and starts Claude for it when none is connected.
 * @throws {UserError} a path can't be said in the protocol's JSON, or no Claude can be started.
 */
export async function send(parts: CommandParts, { items, launch }: SendEvent): Promise<void> {
  const bad = items.find(item => 'path' in item && typeof item.path !== 'string')
  if (bad !== undefined && 'path' in bad) {
    await parts.editor.call('outbox.lost', { ids: items.map(({ id }) => id) }, nothing)
    throw new UserError(`Claude can't be told of ${bad.path}: its name is not UTF-8. Rename it`)
  }
  await deliver(parts, items.map(outgoing), launch)
}

/** Takes up what a host that is gone had not sent yet. */
export async function sendAgain(parts: CommandParts, { items, launch }: SendEvent): Promise<void> {
  if (items.length === 0) return
  await parts.serve()
  for (const session of new Set(items.map(item => item.session))) {
    const theirs = items.filter(item => item.session === session)
    if (session === undefined) {
      await send(parts, { items: theirs, launch })
    } else {
      parts.mentions.send(theirs.map(outgoing), session) // Claude comes back by itself: nothing is to be shown or started
      if (parts.sessions.get(session) === undefined) parts.mentions.forget(session)
    }
  }
}

function outgoing(item: OutboxItem): Outgoing {
  if ('question' in item) return { id: item.id, question: item.question }
  const { id, path, first, last, context } = item
  const lines = first === undefined ? {} : { lineStart: first, lineEnd: last ?? first }
  return { id, filePath: path.toString(), ...lines, context }
}

async function deliver(parts: CommandParts, items: Outgoing[], launch: Context): Promise<void> {
  const { mentions: waiting, terminal, sessions, notices, serve } = parts
  if (items.length > manyItems) notices.info(`${items.length} mentions are on their way to Claude`)
  const meant = sessions.meant(launch)
  if (meant === 'outside') {
    waiting.send(items, undefined)
  } else if (meant !== undefined || terminal.canStart) {
    await deliverTo(meant ?? sessions.open(launch.cwd), parts, items, launch) // at once: what comes next is for the same one
  } else {
    await serve()
    waiting.send(items, undefined)
    notices.info(`${nameItems(items)} waits for a Claude that you start: \`claude --ide\`, or /ide in one that runs`)
  }
}

async function deliverTo(session: Session, parts: CommandParts, items: Outgoing[], launch: Context): Promise<void> {
  const { mentions: waiting, editor, terminal, sessions, options, serve } = parts
  const { id } = session
  sessions.noteUse(id)
  const ids = items.map(item => item.id)
  await editor.call('outbox.address', { ids, session: id }, nothing)
  if (sessions.get(id) === undefined) return deliver(parts, items, launch) // it had ended, which was found out only now
  if (waiting.hasListener(id)) {
    await terminal.reveal(session, options().focus_after_send)
    waiting.send(items, id)
    return
  }
  try {
    waiting.send(items, id)
    await serve()
    // One that runs will listen in a moment, or asks something: the user sees it, and is not taken there as they type.
    const runs = await terminal.reveal(session, options().focus_after_send)
    if (!runs && !sessions.isConnected(session)) await terminal.act('open', '', launch, {}, session)
  } catch (error) {
    const lost = waiting.drop(id)
    throw isForUser(error)
      ? new UserError(`${nameItems(lost)} was not sent: ${error.message}${whereKept(lost)}`)
      : error
  }
}
