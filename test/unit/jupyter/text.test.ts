// Output as text: bounded, without colours, as the lines were left in the end.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BoundedText } from '../../../src/jupyter/bounded-text.ts'
import { plainText } from '../../../src/jupyter/plain-text.ts'

describe('BoundedText', () => {
  test('is the text itself, up to its length', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), pieces => {
        const whole = pieces.join('')
        const text = new BoundedText(Math.max(4, whole.length))
        for (const piece of pieces) text.append(piece)
        expect(text.toString()).toBe(whole)
      }),
    )
  })

  test('keeps the beginning and the end of more, and says how much is missing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1 }), { minLength: 41 }),
        fc.integer({ min: 4, max: 40 }),
        (pieces, length) => {
          const whole = pieces.join('')
          const text = new BoundedText(length)
          for (const piece of pieces) text.append(piece)
          const head = Math.floor(length / 4)
          const left = whole.length - length
          const expected = `${whole.slice(0, head)}\n[… ${left} characters left out …]\n${whole.slice(head + left)}`
          expect(text.toString()).toBe(expected)
        },
      ),
    )
  })
})

test.each([
  ['\x1b[0;31mred\x1b[0m and \x1b]8;;http://x\x1b\\link\x1b]8;;\x07', 'red and link'],
  ['10%\r20%\r100%\ndone', '100%\ndone'],
  ['long line\rshort', 'shortline'],
  ['windows\r\nlines\r\n', 'windows\nlines\n'],
  ['50%\r', '50%'],
])('plainText(%j)', (text, plain) => {
  expect(plainText(text)).toBe(plain)
})
