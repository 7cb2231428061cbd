// What the tools are made of.
import type { Clock } from '../base/clock.ts'
import type { Event } from '../base/emitter.ts'
import type { Review } from '../diffs/review.ts'
import type { Notebooks } from '../jupyter/notebooks.ts'
import type { Editor } from '../neovim/editor.ts'
import type { Watchdog } from '../neovim/watchdog.ts'
import type { SelectionTracker } from '../selection/tracker.ts'

/** What the tools work with. */
export interface ToolParts {
  selection: SelectionTracker
  review: Review
  notebooks: Notebooks
  /** Calls to the editor that have an end. */
  editor: Watchdog
  events: Pick<Editor, 'on'>
  /** The folders of the workspace as they were told last. */
  folders: () => readonly string[]
  /**
   * Whether a client may hear of a file at all, by its absolute path. Every tool that lists files or their contents asks
   * this for each of them, and names none that may not be shown.
   */
  mayShow: (path: string) => boolean
  /** Another answer of `mayShow` is possible now, or the editor names fewer files. */
  privacyChanged: Event<void>
  clock: Clock
}
