// :ClaudeCodeNew, :ClaudeCodeSessions and what else is about several Claudes.
import { z } from 'zod'
import { inBackground, type Log } from '../base/log.ts'
import type { Client } from '../ide/client.ts'
import { type Editor, luaTable, nothing, shownText } from '../neovim/editor.ts'
import { ignoreGone } from '../neovim/notices.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { ViewOverrides } from '../terminal/terminal.ts'
import { LaunchContext } from './launch-context.ts'
import type { CommandParts } from './parts.ts'

/** The CLI calls it whenever its user has written something. */
export const toolOfATurn = 'closeAllDiffTabs'

const NewSession = z.object({
  name: shownText.optional(),
  arguments: shownText,
  view: luaTable(ViewOverrides),
  context: LaunchContext,
})
const SessionId = z.object({ session: z.string() })
const ListRequest = z.object({ purpose: z.enum(['go', 'close']) })

/** How a command is listened to, and its failure told. */
export type Listen = <T>(
  event: string,
  what: string,
  schema: z.ZodType<T>,
  act: (payload: T) => Promise<unknown>,
) => void

/** Listens to the commands, and to what happens to sessions in the editor. */
export function listenToSessions(parts: CommandParts, on: Listen): void {
  const { editor, terminal, sessions, mentions, review } = parts
  on('newSession', ':ClaudeCodeNew', NewSession, call =>
    terminal.startAnother(call.name, call.arguments, call.context, call.view),
  )
  on('sessions', ':ClaudeCodeSessions', ListRequest, ({ purpose }) => {
    const list = sessions.all.map(session => ({
      id: session.id,
      state: session.state,
      pending_diffs: review.undecidedOf(owner => sessions.sessionOf(owner) === session),
    }))
    return editor.call('sessionList.choose', { purpose, sessions: list }, nothing)
  })
  on('sessionUsed', 'going to Claude', SessionId, async ({ session }) => sessions.noteUse(session))
  on('terminalEnded', 'the end of Claude', SessionId, async ({ session }) => {
    sessions.end(session)
    mentions.forget(session)
  })
}

/** A Claude's user has written something there: what they send next is for that one, unless the folder says otherwise. */
export function noteTurn(
  { editor, sessions, log }: { editor: Editor; sessions: Sessions; log: Log },
  client: Client,
): void {
  const session = sessions.noteTurn(client)
  if (session === undefined) return
  inBackground(log, ignoreGone(editor.call('terminal.used', { session: session.id }, nothing)), 'telling of a turn')
}
