// From a command line to the words of a program call, without a shell.
import { UserError } from '../base/errors.ts'

/**
 * Splits `line` at blanks as a POSIX shell does: single quotes keep everything, double quotes keep blanks and know
 * `\"`, `\\`, `\$` and `` \` ``, a backslash outside quotes keeps the next character. A leading `~` or `~/` of a word
 * becomes `home`. No globbing, no variables: `opus[1m]` and `$name` stay as they are.
 * @throws {UserError} a quote is never closed.
 */
export function splitCommandLine(line: string, home: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote: '"' | "'" | undefined
  for (let i = 0; i < line.length; i++) {
    const char = line[i] as string
    if (quote === "'" || (quote === '"' && char !== '\\')) {
      if (char === quote) quote = undefined
      else word += char
    } else if (quote === '"') {
      const next = line[i + 1]
      if (next !== undefined && '"\\$`'.includes(next)) i++
      word += line[i] as string
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === '\\' && i + 1 < line.length) {
      word = (word ?? '') + (line[++i] as string)
    } else if (/[ \t\r\n]/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (char === '~' && word === undefined && /^(\/|[ \t\r\n]|$)/.test(line.slice(i + 1))) {
      word = home
    } else {
      word = (word ?? '') + char
    }
  }
  if (quote !== undefined) throw new UserError(`a ${quote} is never closed in: ${line}. Close it, or write \\${quote}`)
  if (word !== undefined) words.push(word)
  return words
}
