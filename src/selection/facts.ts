// What Lua tells of a selection (lua/claudecode/editor/selection/facts.lua).
import { z } from 'zod'
import { bytesOrText } from '../neovim/editor.ts'

/** A place in a buffer: 0-based line, 0-based byte column, and the virtual cells behind it (`:help getpos()`, "off"). */
const Position = z.object({ line: z.int().min(0), column: z.int().min(0), offset: z.int().min(0) })

/** A selection as the editor sees it, before the protocol's rules are applied. Lengths are bytes. */
export const SelectionFacts = z.object({
  kind: z.enum(['none', 'charwise', 'linewise', 'blockwise']),
  buffer: z.int(),
  changedtick: z.int(),
  /** Full name of the buffer. */
  name: bytesOrText,
  first: Position,
  /** The last position. Its character belongs to the selection, unless it is an exclusive one. */
  last: Position,
  /** Length of the character at `last`; 0 behind the end of the line. */
  last_character: z.int().min(0),
  /** Length of the line of `last`. */
  last_line: z.int().min(0),
  line_count: z.int().min(1),
  /** Both ends of the selection are one position. */
  one_position: z.boolean(),
  /** The option 'selection'. */
  selection: z.enum(['inclusive', 'exclusive', 'old']),
  /** The option 'virtualedit' has `all`. */
  virtual_all: z.boolean(),
  /** Length of the text. */
  size: z.int().min(0),
  /** From `first` to the end of the character at `last`; linewise: whole lines. Left out when it is long. */
  text: bytesOrText.optional(),
})
export type SelectionFacts = z.output<typeof SelectionFacts>
