// The options of diffs. Names that the Lua plugin once had are taken, too: they mean what they meant there.
import { z } from 'zod'
import { note } from './note.ts'

/** How a diff can look. */
export const diffLayouts = ['vertical', 'horizontal', 'unified'] as const

/** Options `diff_opts.*`. */
export const DiffOptions = z.strictObject({
  enabled: note(
    z.boolean().default(true),
    'Show what Claude proposes as diffs in Neovim. Otherwise Claude is not told that Neovim can, and asks in its terminal.',
  ),
  layout: note(
    z.enum(diffLayouts).default('vertical'),
    'The file and the proposal side by side, one above the other, or in one window.',
  ),
  open_in_new_tab: note(z.boolean().default(false), 'Give each diff a tab page of its own.'),
  keep_terminal_focus: note(
    z.boolean().default(false),
    "Be in Claude's window when a diff has opened, and when it has closed: who types there goes on typing. Otherwise the cursor goes into the proposal, and back to where it was.",
  ),
  hide_terminal_in_new_tab: note(
    z.boolean().default(false),
    "Don't show Claude beside a diff that has a tab page of its own.",
  ),
  on_new_file_reject: note(
    z.enum(['keep_empty', 'close_window']).default('keep_empty'),
    'For the sake of configurations that have it: a new file has one window here, so a rejected one leaves nothing behind, whatever this says.',
  ),
  auto_resize_terminal: note(
    z.boolean().default(true),
    "Let Claude's split have the width `terminal.diff_split_width_percentage` while a diff is beside it.",
  ),
  on_unsaved: note(
    z.enum(['diff', 'refuse', 'save', 'ask']).default('diff'),
    "What happens when the file that Claude wants to change has changes that you have not saved: the diff is opened all the same, Claude is told that it can't be, the file is saved first, or you are asked.",
  ),
  show_accepted: note(
    z.boolean().default(false),
    'When Claude has written what you accepted, show the file, with the cursor at the first change.',
  ),
  vertical_split: note(
    z.boolean().optional(),
    'An older name: true is `layout = "vertical"`, false `layout = "horizontal"`. It comes before `layout`.',
    'true, false',
  ),
  open_in_current_tab: note(
    z.boolean().optional(),
    'An older name: the opposite of `open_in_new_tab`, before which it comes.',
    'true, false',
  ),
  auto_close_on_accept: note(z.boolean().optional(), 'An older name that has no effect any more.', 'true, false'),
  show_diff_stats: note(z.boolean().optional(), 'An older name that has no effect any more.', 'true, false'),
})
export type DiffOptions = z.output<typeof DiffOptions>
