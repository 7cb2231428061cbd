// Mentions as the rest of the program is: told to the editor when they are sent, and explained when they are not.
import type { Clock } from '../base/clock.ts'
import { inBackground, type Log } from '../base/log.ts'
import type { IdeService } from '../ide/service.ts'
import { type Editor, nothing } from '../neovim/editor.ts'
import { ignoreGone, type Notices } from '../neovim/notices.ts'
import type { Options } from '../options/schema.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { Mentions } from './mentions.ts'
import { explainUndelivered, findProxy, findRivals } from './undelivered.ts'

/** What mentions are made of. */
export interface MentionWiring {
  editor: Editor
  notices: Notices
  log: Log
  clock: Clock
  options: () => Options
  service: IdeService
  sessions: Sessions
  terminal: Terminal
  folders: () => readonly string[]
}

/** Makes the mentions of a session. */
export function createMentions(wiring: MentionWiring): Mentions {
  const { editor, notices, log, clock, options, service, sessions, terminal, folders } = wiring
  return new Mentions({
    clients: { clientReady: service.clientReady, clientGone: service.clientGone, clientKnown: sessions.clientKnown },
    recipientOf: client => sessions.sessionOf(client)?.id,
    clock,
    options,
    sent({ id, filePath, lineStart, lineEnd, context }) {
      const event = { file_path: filePath, start_line: lineStart, end_line: lineEnd, context }
      inBackground(log, ignoreGone(editor.call('outbox.sent', { id, event }, nothing)), 'telling of a mention')
    },
    async ask({ id }, session) {
      await ignoreGone(editor.call('outbox.ask', { id, session }, nothing)).catch(error =>
        log.error('asking failed', error),
      )
    },
    lost(items) {
      const ids = items.map(({ id }) => id)
      inBackground(log, ignoreGone(editor.call('outbox.lost', { ids }, nothing)), 'telling what is lost')
    },
    explain(items, recipient, isGivenUp) {
      notices.run('looking for the reason why a mention waits', async () => {
        const serving = service.serving
        const circumstances = {
          isServing: serving !== undefined,
          isRunning: sessions.get(recipient) !== undefined,
          canStart: terminal.canStart,
          rivals: serving === undefined ? [] : await findRivals(service.lockFolder, serving.port, folders()),
          proxy: findProxy(process.env),
        }
        notices.warn(explainUndelivered(items, isGivenUp, circumstances))
      })
    },
  })
}
