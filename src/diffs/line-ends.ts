// Line ends of files that have both kinds, which the CLI makes all alike. Pure.
import { decodeText } from './holds-text.ts'

const looksAt = 4096 // characters: a longer file is judged by its beginning (measured with the CLI 2.1.332)

/**
 * Whether the CLI will write `proposal`, which has LF only, with CRLF into a file that has both now: it takes what
 * most lines at the beginning of the file have. A diff that shows the proposal so shows what will really change.
 */
export function gainsCrlf(file: Buffer, proposal: string): boolean {
  if (!file.includes(0x0d) || proposal.includes('\r\n')) return false
  const text = decodeText(file)
  if (countOf(text, '\r\n') === countOf(text, '\n')) return false // all alike: 'fileformat' takes care of it
  const beginning = text.slice(0, looksAt)
  const crlf = countOf(beginning, '\r\n')
  return crlf > countOf(beginning, '\n') - crlf
}

function countOf(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1
  return count
}
