// Command lines: what a user writes in terminal_cmd and behind :ClaudeCode reaches the program word by word.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../../src/base/errors.ts'
import { splitCommandLine } from '../../../src/terminal/argv.ts'

describe('splitCommandLine', () => {
  test.each([
    ['claude', ['claude']],
    ['  claude   --model  opus[1m]\t', ['claude', '--model', 'opus[1m]']],
    ['claude $HOME *.txt', ['claude', '$HOME', '*.txt']],
    [`a 'b c' "d e" f\\ g`, ['a', 'b c', 'd e', 'f g']],
    [`a'b'"c"d`, ['abcd']],
    [`'' ""`, ['', '']],
    ['"\\"\\\\\\$\\`\\n"', ['"\\$`\\n']],
    ["'a\\'", ['a\\']],
    ['~/bin/claude ~ a~ ~b "~"', ['/home/u/bin/claude', '/home/u', 'a~', '~b', '~']],
    ['--x=日本 é', ['--x=日本', 'é']],
    ['a\\', ['a\\']],
    ['', []],
  ])('%s', (line, words) => {
    expect(splitCommandLine(line, '/home/u')).toEqual(words)
  })

  test.each(['a "b', "a 'b", '"\\"'])('an open quote is the user’s to mend: %s', line => {
    expect(() => splitCommandLine(line, '/home/u')).toThrow(UserError)
  })

  test('words in single quotes come back as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }).filter(word => !word.includes("'"))), words => {
        expect(splitCommandLine(words.map(word => `'${word}'`).join(' '), '/home/u')).toEqual(words)
      }),
    )
  })
})
