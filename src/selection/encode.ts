// From what the editor knows of a selection to what Claude is told: the table "Selection Updates" of the protocol
// document, with the sentences under it.
import { fileUri } from '../text/uri.ts'
import type { SelectionFacts } from './facts.ts'

/** A place in a file as Claude is told it: 0-based line, 0-based UTF-8 byte offset into the line. */
export interface Place {
  line: number
  character: number
}

/** What Claude is told of a selection: the parameters of `selection_changed`. */
export interface Selection {
  /** The selected text with `\n` between lines. Bytes that are not UTF-8 show as U+FFFD. */
  text: string
  /** Absolute path. */
  filePath: string
  /** The same as a percent-encoded `file:` URI. */
  fileUrl: string
  /** `end` is behind the last selected character. */
  selection: { start: Place; end: Place; isEmpty: boolean }
}

/**
 * Encodes a selection (protocol document, "Selection Updates").
 * @param facts what the editor knows.
 * @param text the bytes from `facts.first` to the end of the character at `facts.last`, or the beginning of them when
 * there are too many: then the positions are still those of the whole selection.
 */
export function encodeSelection(facts: SelectionFacts, text: Buffer, isWhole = true): Selection {
  const start = { line: facts.first.line, character: facts.first.column }
  const end = endOf(facts)
  const chosen = isWhole ? Buffer.concat([text.subarray(0, text.length - end.leftOut), end.lineBreak]) : text
  return {
    text: chosen.toString('utf8'),
    filePath: facts.name.toString('utf8'),
    fileUrl: fileUri(facts.name),
    selection: {
      start,
      end: { line: end.line, character: end.character },
      isEmpty: start.line === end.line && start.character === end.character,
    },
  }
}

/** The end of a selection, and what becomes of the text: bytes left out at its end, or a line break added. */
interface End extends Place {
  leftOut: number
  lineBreak: Buffer
}

const noBreak = Buffer.alloc(0)
const oneBreak = Buffer.from('\n')

function endOf(facts: SelectionFacts): End {
  const { kind, last } = facts
  if (kind === 'none') return { line: last.line, character: last.column, leftOut: 0, lineBreak: noBreak }
  if (kind === 'linewise') return facts.last_line > 0 ? atLineEnd(facts) : behindLineBreak(facts)
  if (kind === 'blockwise' && isBehindLine(facts)) return atLineEnd(facts)
  if (endsBeforeLast(facts))
    return { line: last.line, character: last.column, leftOut: facts.last_character, lineBreak: noBreak }
  if (!isBehindLine(facts)) return behindLastCharacter(facts)
  return takesLineBreak(facts) ? behindLineBreak(facts) : atLineEnd(facts)
}

function isBehindLine(facts: SelectionFacts): boolean {
  return facts.last_character === 0
}

/**
 * 'selection' is exclusive, and there is more than one position: the last one does not belong to the selection. When it
 * is a virtual cell, the selection ends inside the character of that cell, or behind the line.
 */
function endsBeforeLast(facts: SelectionFacts): boolean {
  return facts.selection === 'exclusive' && !facts.one_position && facts.last.offset === 0
}

/** A charwise selection that ends behind its line takes the line break, as `y` does (:help 'selection', "past line"). */
function takesLineBreak({ selection, one_position, virtual_all }: SelectionFacts): boolean {
  if (virtual_all) return false
  return selection === 'inclusive' || (selection === 'exclusive' && one_position)
}

function behindLastCharacter({ last, last_character }: SelectionFacts): End {
  return { line: last.line, character: last.column + last_character, leftOut: 0, lineBreak: noBreak }
}

/** The line's length; 1 on an empty line, so that Claude counts that line too. */
function atLineEnd({ last, last_line }: SelectionFacts): End {
  return { line: last.line, character: Math.max(last_line, 1), leftOut: 0, lineBreak: noBreak }
}

/** Character 0 of the next line, with the line break. The last line of a buffer has none to take. */
function behindLineBreak(facts: SelectionFacts): End {
  if (facts.last.line + 1 >= facts.line_count) return atLineEnd(facts)
  return { line: facts.last.line + 1, character: 0, leftOut: 0, lineBreak: oneBreak }
}
