// The @words of a prompt: which are one, and what Claude gets for them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expandPrompt, specialsOf } from '../../../src/prompts/expand.ts'

const there = new Set(['a.txt', 'src/', 'my notes.txt', 'a.b', 'odd).txt', 'this', '日本.txt', 'say"so'])

function expand(text: string, meanings: Parameters<typeof expandPrompt>[1] = {}) {
  return expandPrompt(text, meanings, typed => (there.has(typed) ? `/p/${typed}` : undefined))
}

function textOf(text: string): string {
  const expansion = expand(text)
  return typeof expansion === 'string' ? `refused: ${expansion}` : expansion.text
}

describe('files', () => {
  test.each([
    ['see @a.txt', 'see @/p/a.txt'],
    ['@a.txt#L3, and @a.txt#L3-5.', '@/p/a.txt#L3, and @/p/a.txt#L3-5.'],
    ['@a.txt#L3-L5', '@/p/a.txt#L3-5'],
    ['is it (@a.txt)?', 'is it ( @/p/a.txt)?'], // else Claude does not see it
    [
      '@"my notes.txt" @"my notes.txt#L2" @"my notes.txt"#L2-3',
      '@"/p/my notes.txt" @"/p/my notes.txt#L2" @"/p/my notes.txt#L2-3"',
    ],
    ['@src/ and @src/#L3', '@/p/src/ and @/p/src/'],
    ['@a.b.', '@/p/a.b.'],
    ['@odd).txt', '@"/p/odd).txt"'],
    ['@./this is @this.', 'refused: @this: there is none'],
    ['看看。@日本.txt。', '看看。@"/p/日本.txt"。'],
    ['me@a.txt @nobody @ @@a.txt', 'me@a.txt @nobody @ @@a.txt'],
    ['@a.txt#L0 @a.txt#L5-3', '@a.txt#L0 @a.txt#L5-3'],
    ['@say"so', '@say"so'], // Claude has no way to write it
    ['', ''],
  ])('%j', (text, expanded) => {
    expect(textOf(text)).toBe(expanded)
  })

  test('are named once each, to be asked about when they are private', () => {
    expect(expand('@a.txt @a.txt#L1 @src/')).toMatchObject({ files: ['/p/a.txt', '/p/src/'] })
  })
})

describe('special words', () => {
  const here = { files: [{ path: '/p/a b.txt', lines: { first: 2, last: 2 } }] }
  const list = { block: { title: 'Diagnostics', lines: ['- /p/a.txt:1: error: no'] } }

  test('a place is a mention, also in the draft, which may be sent from elsewhere', () => {
    expect(expand('why is @this so?', { this: here })).toEqual({
      text: 'why is @"/p/a b.txt#L2" so?',
      draft: 'why is @"/p/a b.txt#L2" so?',
      files: ['/p/a b.txt'],
    })
  })

  test('a list stands behind the text, once', () => {
    expect(expand('mend @diagnostics, all of @diagnostics\n', { diagnostics: list })).toEqual({
      text: 'mend [diagnostics below], all of [diagnostics below]\n\nDiagnostics:\n- /p/a.txt:1: error: no',
      draft: 'mend @diagnostics, all of @diagnostics\n',
      files: [],
    })
  })

  test('text in a fence can hold a fence', () => {
    const block = { title: 'The text', lines: ['```', 'x', '```'], fence: '' }
    expect(expand('@this', { this: { block } })).toMatchObject({
      text: '[this below]\n\nThe text:\n````\n```\nx\n```\n````',
    })
  })

  test('one that stands for nothing is said', () => {
    expect(expand('x @quickfix', { quickfix: 'the list is empty' })).toBe('@quickfix: the list is empty')
  })

  test.each([
    ['@buffers @buffer', ['buffer', 'buffers']],
    ['@diff.', ['diff']],
    ['@diffs @this/that @thisone x@diff @this-that', []],
    ['(@this) [@quickfix]', ['this', 'quickfix']],
  ])('%j has %j', (text, names) => {
    expect(specialsOf(text)).toEqual(names)
  })
})

test('what is no @word that is known stays as it is, down to the last character', () => {
  const piece = fc.oneof(fc.constantFrom('@', '@x', '"', '#L1', ' ', '\n', '(', '。'), fc.string())
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const text = pieces.join('')
      if (specialsOf(text).length > 0) return
      expect(expandPrompt(text, {}, () => undefined)).toEqual({ text: text.trimEnd(), draft: text, files: [] })
    }),
  )
})
