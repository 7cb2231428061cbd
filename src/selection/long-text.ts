// The text of a selection that is too long to travel in one message: it comes in parts, between which the editor lives.
import { z } from 'zod'
import { bytesOrText, type Editor } from '../neovim/editor.ts'
import type { SelectionFacts } from './facts.ts'

/** Reading such a part takes the editor about 2 ms (bench/selection-load.ts). */
const partBytes = 256 * 1024

/**
 * No more text than this is sent: it is more than any model reads at once (about a million tokens), and the CLI 2.1.332
 * shows the model no more than a few thousand characters of it.
 */
export const maxTextBytes = 4 * 1024 * 1024

const Part = z.union([
  z.literal(false),
  z.object({ text: bytesOrText, next: z.object({ line: z.int(), column: z.int() }).optional() }),
])

/** Text that has been read, and whether it is all of it. */
export interface LongText {
  text: Buffer
  isWhole: boolean
}

/**
 * Reads the text of a selection. Beyond `maxTextBytes` it is cut behind a line break, if there is one.
 * @returns undefined when the buffer's text has changed since, or is gone.
 */
export async function readLongText(editor: Editor, facts: SelectionFacts): Promise<LongText | undefined> {
  const { text: _, ...rest } = facts
  const parts: Buffer[] = []
  let length = 0
  let from: { line: number; column: number } | undefined = facts.first
  while (from) {
    if (length > maxTextBytes) break
    const part: z.output<typeof Part> = await editor.call(
      'selection.part',
      { facts: rest, from, limit: partBytes },
      Part,
    )
    if (part === false) return undefined
    const bytes = typeof part.text === 'string' ? Buffer.from(part.text) : part.text
    parts.push(bytes)
    length += bytes.length
    from = part.next
  }
  const text = Buffer.concat(parts)
  return text.length > maxTextBytes ? { text: cut(text), isWhole: false } : { text, isWhole: true }
}

function cut(text: Buffer): Buffer {
  const start = text.subarray(0, maxTextBytes)
  const lastBreak = start.lastIndexOf('\n')
  return lastBreak < 0 ? start : start.subarray(0, lastBreak + 1)
}
