// The @words of a prompt: where they are, and what they say. Which of them mean something is decided elsewhere.

/** The words that stand for something that the editor or Git knows. */
export const specialNames = ['this', 'buffer', 'buffers', 'diagnostics', 'quickfix', 'diff'] as const
export type SpecialName = (typeof specialNames)[number]

/** An @word. `start` and `end` are offsets in the text. */
export type Reference = { start: number; end: number } & (
  | { special: SpecialName }
  /** A path as it was typed, and lines (1-based). What follows `path` in `alternatives` is the same with less at its end. */
  | { alternatives: FileWord[] }
)

/** A path, with the offset where the word ends then. */
export interface FileWord {
  path: string
  lines: LineRange | undefined
  end: number
}

/** 1-based, both included. */
export interface LineRange {
  first: number
  last: number
}

// Claude takes an `@` for a mention only at the start, behind a blank, or behind these Chinese signs; brackets are ours.
const word = /(?<=^|[\s([{\u3002\u3001\uFF1F\uFF01])@(?:"([^"\n]+)"(#L\d+(?:-L?\d+)?)?|(\S+))/gu
const special = new RegExp(`^(${specialNames.join('|')})(?![\\w@/.-]*[\\w@/-])`)
const trailing = /[.,;:!?)\]}'"\u3002\u3001\uFF1F\uFF01\uFF0C\uFF1B\uFF1A\uFF09]$/u

/** Finds them, in their order. */
export function findReferences(text: string): Reference[] {
  return [...text.matchAll(word)].map(match => {
    const [whole, quoted, quotedLines, bare = ''] = match
    const start = match.index
    if (quoted !== undefined) {
      const file = splitLines(quoted + (quotedLines ?? ''))
      return { start, end: start + whole.length, alternatives: [{ ...file, end: start + whole.length }] }
    }
    const name = special.exec(bare)?.[1] as SpecialName | undefined
    if (name !== undefined) return { start, end: start + 1 + name.length, special: name }
    return { start, end: start + whole.length, alternatives: shorter(bare, start) }
  })
}

/** `src/a.ts).` may be the path itself, or `src/a.ts)`, or `src/a.ts`. */
function shorter(bare: string, start: number): FileWord[] {
  const found: FileWord[] = []
  for (let rest = bare; rest !== ''; rest = rest.slice(0, -1)) {
    found.push({ ...splitLines(rest), end: start + 1 + rest.length })
    if (!trailing.test(rest)) break
  }
  return found
}

/** Takes `#L3`, `#L3-5` or `#L3-L5` off the end. */
function splitLines(typed: string): { path: string; lines: LineRange | undefined } {
  const match = /^(.+)#L(\d+)(?:-L?(\d+))?$/.exec(typed)
  if (!match) return { path: typed, lines: undefined }
  const first = Number(match[2])
  const last = match[3] === undefined ? first : Number(match[3])
  if (first < 1 || last < first) return { path: typed, lines: undefined }
  return { path: match[1] as string, lines: { first, last } }
}

/** A file as Claude knows it: `@/p/a.txt#L1-3`, with quotation marks where there are blanks. Undefined when it can't be said. */
export function mentionText(path: string, lines: LineRange | undefined): string | undefined {
  if (/["\n]/.test(path)) return undefined
  const range = lines === undefined ? '' : `#L${lines.first}${lines.last === lines.first ? '' : `-${lines.last}`}`
  return /^[\w./~+-]+$/.test(path) ? `@${path}${range}` : `@"${path}${range}"`
}
