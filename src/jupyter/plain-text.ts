// A terminal's text as it would look in the end: without colours, and with overwritten lines as they were left.

/** Control sequences (ECMA-48, section 5.4), and titles and links (OSC) as xterm has them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are the matter
const escapeSequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g

/** @example plainText('\x1b[31m10%\r20%\x1b[0m') // '20%' */
export function plainText(text: string): string {
  const lines = text.replaceAll(escapeSequences, '').replaceAll('\r\n', '\n').split('\n')
  return lines.map(asLeft).join('\n')
}

/** A carriage return goes back to the line's start, and what follows writes over it, as far as it goes. */
function asLeft(line: string): string {
  if (!line.includes('\r')) return line
  let shown = ''
  for (const part of line.split('\r')) shown = part + shown.slice(part.length)
  return shown
}

/** What Python says of an exception. */
export function describeTraceback(error: { ename: string; evalue: string; traceback: readonly string[] }): string {
  const traceback = plainText(error.traceback.join('\n')).replaceAll(/^-{20,}\n/gm, '')
  return traceback.trim() === '' ? `${error.ename}: ${error.evalue}` : traceback
}
