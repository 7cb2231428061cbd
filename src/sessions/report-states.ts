// What the editor shows of sessions: their states, as they change (lua/claudecode/status.lua).
import { inBackground, type Log } from '../base/log.ts'
import { type Editor, nothing } from '../neovim/editor.ts'
import { ignoreGone } from '../neovim/notices.ts'
import type { Sessions } from './sessions.ts'

/** Tells the editor of every change. */
export function reportStates(editor: Editor, sessions: Pick<Sessions, 'all' | 'changed'>, log: Log): void {
  function report(): void {
    const states = sessions.all.map(({ id, name, state }) => ({ id, name, state }))
    inBackground(log, ignoreGone(editor.call('status.set', { sessions: states }, nothing)), 'reporting sessions')
  }
  if (sessions.all.length > 0) report()
  sessions.changed(report)
}
