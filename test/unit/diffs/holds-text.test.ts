// Whether a file holds an accepted text, though the CLI writes it in the file's own way.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdsText } from '../../../src/diffs/holds-text.ts'

const mark = '\uFEFF'
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('holds', () => {
  test.each<[string, Buffer, string]>([
    ['the same bytes', Buffer.from('a\nb'), 'a\nb'],
    ['nothing', Buffer.alloc(0), ''],
    ['CRLF instead of LF', Buffer.from('a\r\nb\r\n'), 'a\nb\n'],
    ['LF instead of CRLF', Buffer.from('a\nb\n'), 'a\r\nb\r\n'],
    ['a mark', Buffer.from(`${mark}a\n`), 'a\n'],
    ['no mark', Buffer.from('a\n'), `${mark}a\n`],
    ['UTF-16, little end first', Buffer.from(`${mark}ä😀\r\n`, 'utf16le'), `${mark}ä😀\n`],
    ['UTF-16, big end first', utf16be(`${mark}ä😀\n`), 'ä😀\n'],
    ['half a surrogate pair, as UTF-8 has it', Buffer.from('\uFFFD'), '\uD800'],
  ])('%s', (_name, bytes, text) => {
    expect(holdsText(bytes, text)).toBe(true)
  })

  test('every text that was written in one of these ways', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), fc.boolean(), (text, withMark, withCrlf) => {
        const lf = text.replaceAll('\r', '').replaceAll(mark, '')
        const written = (withMark ? mark : '') + (withCrlf ? lf.replaceAll('\n', '\r\n') : lf)
        expect(holdsText(Buffer.from(written), lf)).toBe(true)
        expect(holdsText(Buffer.from(`${written}!`), lf)).toBe(false)
      }),
    )
  })
})

describe('does not hold', () => {
  test.each<[string, Buffer, string]>([
    ['a missing final line break', Buffer.from('a'), 'a\n'],
    ['an added final line break', Buffer.from('a\n'), 'a'],
    ['a CR alone', Buffer.from('a\rb'), 'a\nb'],
    ['another line', Buffer.from('a\nc\n'), 'a\nb\n'],
    ['the beginning only, as while it is written', Buffer.from('a\n'), 'a\nb\n'],
    ['nothing', Buffer.alloc(0), 'a'],
    ['latin1', Buffer.from('ä\n', 'latin1'), 'ä\n'],
    ['half of a UTF-16 character', Buffer.from([0xfe, 0xff, 0x00]), 'a'],
  ])('%s', (_name, bytes, text) => {
    expect(holdsText(bytes, text)).toBe(false)
  })
})
