// Which files the CLI makes all CRLF: what it did to these was measured with the CLI 2.1.332.
import { expect, test } from 'vitest'
import { gainsCrlf } from '../../../src/diffs/line-ends.ts'

test.each<[string, string | Buffer, string, boolean]>([
  ['mostly CRLF', 'one\r\ntwo\nthree\r\n', 'one\ntwo\nthree\n', true],
  ['mostly LF', 'one\ntwo\r\nthree\n', 'one\ntwo\nthree\n', false],
  ['as many of either', 'one\ntwo\r\nthree\r\nfour\n', 'one\n', false],
  ['CR alone beside them', 'one\r\ntwo\r\nth\rree\n', 'one\nth\rree\n', true],
  ['LF at the beginning, CRLF later', 'one\n'.repeat(2000) + 'two\r\n'.repeat(5000), 'one\n', false],
  ['mostly CRLF in UTF-16', Buffer.from('\uFEFFone\r\ntwo\nthree\r\n', 'utf16le'), 'one\n', true],
  ['all CRLF', 'one\r\ntwo\r\n', 'one\n', false],
  ['all LF', 'one\ntwo\n', 'one\n', false],
  ['no line end', 'one', 'one\n', false],
  ['nothing', '', 'one\n', false],
  ['mostly CRLF, and a proposal with CRLF', 'one\r\ntwo\nthree\r\n', 'one\r\ntwo\nthree\r\n', false],
])('%s', (_name, file, proposal, expected) => {
  expect(gainsCrlf(Buffer.from(file), proposal)).toBe(expected)
})
