// What the user is told, one line at a time (lua/claudecode/notice.lua).
import { describeError, UserError } from '../base/errors.ts'
import { inBackground, type Log } from '../base/log.ts'
import { type Editor, type EditorError, isRefusal, nothing } from './editor.ts'
import { EditorGoneError } from './transport.ts'

/** Ways to tell the user something, and what becomes of an error. */
export interface Notices {
  info(text: string): void
  warn(text: string): void
  error(text: string): void
  /**
   * Runs `work` for the user in the background. A `UserError` or a refusal of the editor is shown as it is; anything
   * else is a bug of ours: its stack goes to the log, and the user sees one line that leads there.
   */
  run(what: string, work: () => Promise<unknown>): void
}

/** Notices of one editor. */
export function createNotices(editor: Editor, log: Log): Notices {
  function show(level: 'info' | 'warn' | 'error', text: string): void {
    inBackground(log, ignoreGone(editor.call('notice.show', { level, text }, nothing)), 'showing a notice')
  }
  return {
    info: text => show('info', text),
    warn: text => show('warn', text),
    error: text => show('error', text),
    run(what, work) {
      work().catch(error => {
        if (error instanceof EditorGoneError) return
        if (isForUser(error)) {
          show('error', error.message)
          return
        }
        log.error(`${what} failed`, error)
        show('error', `${what} failed (${firstLine(describeError(error))}); :ClaudeCodeLog has the details`)
      })
    },
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

/** Whether an error is shown to the user as it is: its message is a sentence for them. */
export function isForUser(error: unknown): error is UserError | EditorError {
  return error instanceof UserError || isRefusal(error)
}

/** What was meant for an editor that is gone is no failure. */
export async function ignoreGone(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof EditorGoneError)) throw error
  }
}
