// A prompt as Claude gets it: its @words replaced, and what is too long for a word behind the text.
import { findReferences, type LineRange, mentionText, type SpecialName, specialNames } from './references.ts'

/** Lines of text behind a prompt. */
export interface Block {
  title: string
  lines: readonly string[]
  /** For a fence around them; undefined for none. */
  fence?: string
}

/** What an @word stands for: a place in a file, several files, or a block. A string says why it stands for nothing. */
export type Meaning =
  | { files: readonly { path: string; lines?: LineRange }[] }
  /** `about`: absolute paths of the files that the lines are from. */
  | { block: Block; about?: readonly string[] }
  | string

/** A prompt after its words were replaced. */
export interface Expansion {
  /** What Claude gets. */
  text: string
  /** What the user wrote, with the words in `kept` replaced: they mean something else somewhere else. */
  draft: string
  /** Absolute paths of the files that are mentioned, or that something is said of. */
  files: string[]
}

/** The special words that the text has. */
export function specialsOf(text: string): SpecialName[] {
  const found = findReferences(text).flatMap(one => ('special' in one ? [one.special] : []))
  return specialNames.filter(name => found.includes(name))
}

/**
 * Replaces the @words.
 * @param find the absolute path of what exists under a typed path; a folder ends in `/`.
 * @returns the expansion, or the sentence that says why it can't be made.
 */
export function expandPrompt(
  text: string,
  meanings: Partial<Record<SpecialName, Meaning>>,
  find: (typed: string) => string | undefined,
): Expansion | string {
  const kept = ['this', 'buffer']
  const blocks = new Set<Block>()
  const files: string[] = []
  let [expanded, draft, last] = ['', '', 0]

  function put(start: number, end: number, replacement: string, inDraft: string): void {
    const before = text.slice(last, start)
    const needsBlank = replacement.startsWith('@') && /[([{]$/.test(before) // else Claude would not see it
    expanded += `${before}${needsBlank ? ' ' : ''}${replacement}`
    draft += before + inDraft
    last = end
  }

  for (const reference of findReferences(text)) {
    const { start } = reference
    if ('special' in reference) {
      const { special, end } = reference
      const meaning = meanings[special] ?? 'there is none'
      if (typeof meaning === 'string') return `@${special}: ${meaning}`
      if ('block' in meaning) {
        blocks.add(meaning.block)
        files.push(...(meaning.about ?? []))
        put(start, end, `[${special} below]`, text.slice(start, end))
        continue
      }
      const words = meaning.files.map(({ path, lines }) => mentionText(path, lines) ?? path)
      files.push(...meaning.files.map(({ path }) => path))
      put(start, end, words.join(' '), kept.includes(special) ? words.join(' ') : text.slice(start, end))
      continue
    }
    for (const { path, lines, end } of reference.alternatives) {
      const found = find(path)
      const mention = found && mentionText(found, found.endsWith('/') ? undefined : lines)
      if (!found || !mention) continue
      files.push(found)
      put(start, end, mention, text.slice(start, end))
      break
    }
  }
  expanded += text.slice(last)
  draft += text.slice(last)
  const behind = [...blocks].map(blockText)
  return { text: [expanded.trimEnd(), ...behind].join('\n\n'), draft, files: [...new Set(files)] }
}

function blockText({ title, lines, fence }: Block): string {
  if (fence === undefined) return [`${title}:`, ...lines].join('\n')
  const longest = Math.max(2, ...lines.map(line => /^`+/.exec(line)?.[0].length ?? 0))
  const ticks = '`'.repeat(longest + 1)
  return [`${title}:`, `${ticks}${fence}`, ...lines, ticks].join('\n')
}
