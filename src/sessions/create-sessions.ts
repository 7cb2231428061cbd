// Sessions as the rest of the program is: their processes looked up in the editor, their use told to it.
import { z } from 'zod'
import type { Log } from '../base/log.ts'
import { type Editor, luaList } from '../neovim/editor.ts'
import { findSession } from './processes.ts'
import { reportStates } from './report-states.ts'
import { Sessions, type SessionsParts } from './sessions.ts'

const Processes = luaList(z.object({ session: z.string(), pid: z.int() }))

/** What sessions are made of. */
export interface SessionsWiring {
  editor: Editor
  clients: SessionsParts['clients']
  /** Those that run already, since the time of another host. */
  running: Parameters<Sessions['adopt']>[0]
  log: Log
}

/** Makes the sessions of one Neovim, which is told of their states as they change. */
export function createSessions({ editor, clients, running, log }: SessionsWiring): Sessions {
  const sessions: Sessions = new Sessions({
    clients,
    log,
    findSession: pid =>
      findSession(pid, async () =>
        sessions.all.length === 0 ? [] : await editor.call('terminal.processes', {}, Processes),
      ),
  })
  sessions.adopt(running)
  reportStates(editor, sessions, log)
  return sessions
}
