// JSON on its way in and out.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson, writeJson } from '../../../src/ide/envelope.ts'

/** The same value with each half surrogate pair replaced, in keys too. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]))
}

describe('what is written', () => {
  const unit = fc.oneof(
    fc.constantFrom('\\', 'u', 'd', '8', '"', '\ud800', '\udfff', '\\ud800', '\n'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  )
  const text = fc.array(unit, { maxLength: 20 }).map(units => units.join(''))

  test('is the same value, well-formed', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.array(text), fc.record({ a: text, b: fc.jsonValue() }), fc.jsonValue()), value => {
        const written = writeJson(value)
        expect(Buffer.from(written).toString()).toBe(written)
        expect(written).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/)
        expect(JSON.parse(written)).toEqual(wellFormed(JSON.parse(JSON.stringify(value))))
      }),
      { numRuns: 2000 },
    )
  })

  test('keeps what only looks like an escape', () => {
    expect(writeJson(String.raw`\ud800`)).toBe(String.raw`"\\ud800"`)
    expect(writeJson('\\\ud800')).toBe(String.raw`"\\\ufffd"`)
    expect(writeJson({ '\udc00': ['\ud800\ud800\udc00'] })).toBe('{"\\ufffd":["\\ufffd\u{10000}"]}')
  })
})

describe('what is read', () => {
  const big = (text: string) => JSON.stringify({ text: text.repeat(Math.ceil((2 * 1024 * 1024) / text.length)) })

  test.each(['[', '{,', '[{,"\\', '"', '\\', '\\"[', '\\\\", ['])('may be long, with %j in its texts', text => {
    expect(parseJson(big(text))).toHaveProperty('value')
  })

  test('may have much structure when it is short', () => {
    expect(parseJson(`[${'[],'.repeat(300_000)}[]]`)).toHaveProperty('value')
  })

  test.each(['[],', '{},', '1,', '"",', '[[],"a\\"b"],'])('may not be both: %s', piece => {
    const text = `[${piece.repeat(Math.ceil((2 * 1024 * 1024) / piece.length))}1]`
    expect(parseJson(text)).toMatchObject({ refusal: { id: null, error: { code: -32600 } } })
  })

  test('may end in the middle of a text', () => {
    expect(parseJson(`${big('a').slice(0, -3)}\\`)).toMatchObject({ refusal: { error: { code: -32700 } } })
  })
})
