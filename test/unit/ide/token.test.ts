// The token.
import { expect, test } from 'vitest'
import { createToken } from '../../../src/ide/token.ts'

test('L-16: a token is 32 lower-case hexadecimal digits, and never the same', () => {
  const tokens = Array.from({ length: 1000 }, createToken)
  for (const token of tokens) expect(token).toMatch(/^[\da-f]{32}$/)
  expect(new Set(tokens).size).toBe(1000)
})
