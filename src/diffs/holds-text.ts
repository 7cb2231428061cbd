// Whether a file on disk holds a text that was accepted, though the CLI writes it in the file's own way. Pure.

/**
 * Whether bytes of a file are `text`. The CLI gives its proposals with LF and in UTF-8; on writing it restores the
 * file's line ends, mark and encoding (reference: real-cli.md): so those count as equal, and nothing else does.
 */
export function holdsText(bytes: Buffer, text: string): boolean {
  if (bytes.equals(Buffer.from(text, 'utf8'))) return true
  return normalize(decodeText(bytes)) === normalize(text)
}

/** The text of a file: UTF-16 if its mark says so, else UTF-8. The mark stays. */
export function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le')
  }
  return bytes.toString('utf8')
}

function normalize(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
}
