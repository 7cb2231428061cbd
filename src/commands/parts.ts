// What the commands work with.
import type { Clock } from '../base/clock.ts'
import type { Review } from '../diffs/review.ts'
import type { Mentions } from '../mentions/mentions.ts'
import type { Editor } from '../neovim/editor.ts'
import type { Notices } from '../neovim/notices.ts'
import type { Options } from '../options/schema.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** What the commands work with. */
export interface CommandParts {
  editor: Editor
  notices: Notices
  clock: Clock
  options: () => Options
  /** Starts the server unless it runs, and says its port. */
  serve: () => Promise<number>
  stopServing: () => Promise<void>
  review: Review
  terminal: Terminal
  sessions: Sessions
  mentions: Mentions
  /** Whether the user's patterns hide a file from Claude; a folder's path ends in `/`. */
  isIgnored: (path: string | Buffer) => boolean
}
