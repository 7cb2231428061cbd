// Files as URIs: percent-encoded, and back to the same path, byte for byte.
import { isUtf8 } from 'node:buffer'
import { pathToFileURL } from 'node:url'

/**
 * The `file:` URI of an absolute path, percent-encoded (RFC 8089). A path that is not UTF-8 comes as its bytes, and each
 * of them keeps its own `%XX`.
 * @example fileUri('/tmp/a b#c%ü.txt') // file:///tmp/a%20b%23c%25%C3%BC.txt
 */
export function fileUri(path: string | Buffer): string {
  if (typeof path === 'string') return plainPath.test(path) ? `file://${path}` : pathToFileURL(path).href
  return `file://${[...path].map(encodeByte).join('')}`
}

/** Paths that stay as they are when they are encoded. Most do, and Node's function is slow at finding that out. */
const plainPath = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$/

/** RFC 3986, section 2.3, and the separator of paths, stay as they are. */
function encodeByte(byte: number): string {
  const char = String.fromCharCode(byte)
  return /[A-Za-z0-9\-._~/]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

/**
 * The path that a `file:` URI of this machine names; its bytes where they are not UTF-8. Also takes what is not quite a
 * URI: characters that should have been encoded stand for themselves, and so does a `%` without two hex digits.
 * @returns undefined when it is no `file:` URI, or one of another machine.
 * @example pathOfFileUri('file:///tmp/a%20b.txt') // /tmp/a b.txt
 */
export function pathOfFileUri(uri: string): string | Buffer | undefined {
  const match = /^file:(?:\/\/(?:localhost)?(?=\/))?(\/.*)$/is.exec(uri)
  if (match?.[1] === undefined || match[1].startsWith('//')) return undefined
  const bytes = decodeBytes(match[1])
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes
}

function decodeBytes(text: string): Buffer {
  const pieces = text.split(/((?:%[0-9A-Fa-f]{2})+)/)
  return Buffer.concat(
    pieces.map((piece, i) => (i % 2 === 1 ? Buffer.from(piece.replaceAll('%', ''), 'hex') : Buffer.from(piece))),
  )
}
