// How a diff is shown, out of the options: what lua/claudecode/editor/diff/view.lua is told with each one.
import type { diffLayouts } from '../options/diff-options.ts'
import type { Options } from '../options/schema.ts'

/** What the editor needs to know to show a diff (`claudecode.diff.Display`). */
export interface DiffDisplay {
  readonly layout: (typeof diffLayouts)[number]
  readonly in_new_tab: boolean
  readonly keep_terminal_focus: boolean
  readonly hide_terminal_in_new_tab: boolean
  readonly show_accepted: boolean
  readonly on_unsaved: Options['diff_opts']['on_unsaved']
  /** The part of the screen that Claude's split has while a diff is open; left out when it stays as it is. */
  readonly claude_width?: number
  /** The id of the session that proposes, as far as it is known. */
  readonly session?: string
}

/** The older names come before the newer ones, as in the Lua plugin. */
export function displayOf({ diff_opts: diff, terminal }: Options, session?: { readonly id: string }): DiffDisplay {
  const width = diff.auto_resize_terminal ? terminal.diff_split_width_percentage : undefined
  return {
    layout: diff.vertical_split === undefined ? diff.layout : diff.vertical_split ? 'vertical' : 'horizontal',
    in_new_tab: diff.open_in_current_tab === undefined ? diff.open_in_new_tab : !diff.open_in_current_tab,
    keep_terminal_focus: diff.keep_terminal_focus,
    hide_terminal_in_new_tab: diff.hide_terminal_in_new_tab,
    show_accepted: diff.show_accepted,
    on_unsaved: diff.on_unsaved,
    ...(width !== undefined && { claude_width: width }),
    ...(session && { session: session.id }),
  }
}
