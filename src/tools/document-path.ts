// Paths as clients write them: plain, as a file: URI, or as a URI that nobody has percent-encoded.
import { z } from 'zod'
import { pathOfFileUri } from '../text/uri.ts'

const longestPath = 16_384 // four times PATH_MAX, for percent-encoding

/** A path or URI as an argument. */
export const PathArgument = z
  .string()
  .min(1)
  .max(longestPath)
  .refine(text => !text.includes('\0'), 'must not contain NUL')

/** What a client means by a path or URI. */
export interface MeantPath {
  /** How to name it to the client: its own words, without the scheme. */
  name: string
  /** The paths that it may be, the likeliest first. Bytes, where they are not UTF-8. */
  paths: (string | Buffer)[]
}

/**
 * Reads a path or URI. Claude writes `file://` in front of a path without encoding it, so that what looks encoded may
 * also be meant as it stands.
 * @example readPath('file:///tmp/a%20b.txt').paths // ['/tmp/a b.txt', '/tmp/a%20b.txt']
 */
export function readPath(text: string): MeantPath {
  const decoded = pathOfFileUri(text)
  if (decoded === undefined) return { name: text, paths: [text] }
  const literal = text.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, '')
  const name = typeof decoded === 'string' ? decoded : literal
  return { name, paths: decoded === literal ? [decoded] : [decoded, literal] }
}
