// The encoding of random selections, against what Neovim itself makes of them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeSelection } from '../../../src/selection/encode.ts'
import type { SelectionFacts } from '../../../src/selection/facts.ts'
import { startNeovim } from '../../support/neovim.ts'
import { type Case, expected, lookAt } from '../../support/selection-oracle.ts'

const runs = Number(process.env.CLAUDECODE_TEST_RUNS ?? 2500)

const pieces = [
  ...['a', 'b', 'xyz', ' ', 'word word', '\t', '日', '本語', 'é', 'ü'],
  ...['e\u0301', 'a\u0301\u0302', '\u0301', 'क्षि'],
  ...['👨‍👩‍👧', '🇩🇪', '🇫🇷🇯', '👍🏽', '\u1112\u1161\u11ab', '각'],
  ...['\x01', '\x7f', '\u0085', '\u200b', '\u200d', '\u0000', '\ufeff'],
].map(text => Buffer.from(text))
const invalid = ['ff', '80', 'e697', 'c3', 'eda080', 'f5808080'].map(hex => Buffer.from(hex, 'hex'))

const line = fc.array(fc.constantFrom(...pieces, ...invalid), { maxLength: 6 }).map(parts => Buffer.concat(parts))
const lines = fc.array(
  fc.oneof({ weight: 3, arbitrary: line }, { weight: 1, arbitrary: fc.constant(Buffer.alloc(0)) }),
  {
    minLength: 1,
    maxLength: 5,
  },
)
const motion = fc.constantFrom('h', 'l', 'l', 'j', 'j', 'k', '$', '0', 'w', 'b', 'e', 'G', 'gg', 'o', '3l', '2j')
const blockMotion = fc.oneof(motion, fc.constantFrom('O', '$'))
const arrow = fc.constantFrom('<Left>', '<Right>', '<Right>', '<Down>', '<Down>', '<Up>', '<End>', '<Home>')
const some = (keys: fc.Arbitrary<string>) => fc.array(keys, { maxLength: 5 }).map(all => all.join(''))
const normal = fc.constantFrom('h', 'l', '2l', 'j', '$', 'w', 'G')

const beginnings = fc.oneof(
  fc.record({ begin: fc.constant(''), motions: fc.constant(''), selectmode: fc.constant('') }),
  fc.record({ begin: fc.constantFrom('v', 'V'), motions: some(motion), selectmode: fc.constant('') }),
  fc.record({ begin: fc.constant('v'), motions: some(motion), selectmode: fc.constant('') }),
  fc.record({ begin: fc.constant('<C-v>'), motions: some(blockMotion), selectmode: fc.constant('') }),
  fc.record({ begin: fc.constantFrom('gh', 'gH', 'g<C-h>'), motions: some(arrow), selectmode: fc.constant('') }),
  fc.record({ begin: fc.constantFrom('v', 'V', '<C-v>'), motions: some(arrow), selectmode: fc.constant('cmd') }),
)

const cases: fc.Arbitrary<Case> = fc
  .record({
    lines,
    selection: fc.constantFrom('inclusive', 'inclusive', 'old', 'exclusive'),
    virtualedit: fc.constantFrom('', '', '', 'block', 'onemore', 'insert', 'all', 'block,onemore'),
    before: some(normal),
    beginning: beginnings,
  })
  .map(({ beginning, ...rest }) => ({ ...rest, ...beginning }))

/**
 * Lines on which Neovim puts the cursor, and the marks of a yanked block, inside the characters that it takes: with
 * something without a width behind an invalid byte or a control, and with Devanagari conjuncts.
 */
function confusesMarks(line: Buffer): boolean {
  return /(?:^|[\ufffd\p{Cc}\p{Cf}])[\p{M}\p{Cf}]|\u094d/u.test(line.toString())
}

function encode(facts: SelectionFacts) {
  const { text, selection } = encodeSelection(facts, Buffer.from(facts.text as string))
  return { text, selection }
}

test(`${runs} random selections are encoded as Neovim's own y and getpos() have them`, {
  timeout: 600_000,
}, async () => {
  const nvim = await startNeovim({ files: { 'a.txt': '' }, args: ['a.txt'] })
  const isBefore011 = await nvim.lua<boolean>('return vim.fn.has("nvim-0.11") == 0')
  const seed = Number(process.env.CLAUDECODE_TEST_SEED ?? Date.now() % 2 ** 31)
  console.log(`seed ${seed} (CLAUDECODE_TEST_SEED)`)
  await fc.assert(
    fc.asyncProperty(cases, async one => {
      const isDecidedByMarks = /C-v|C-h/.test(one.begin) || one.virtualedit === 'all'
      fc.pre(!isDecidedByMarks || !one.lines.some(confusesMarks))
      const seen = await lookAt(nvim, one)
      const wanted = expected(one, seen, isBefore011)
      const live = encode(seen.facts)
      expect(live).toEqual(wanted)
      if (seen.dropped) expect(encode(seen.dropped), 'after it was dropped').toEqual(wanted)
    }),
    { seed, numRuns: runs },
  )
})
