// Selections that are too long to travel at once.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { SelectionFacts } from '../../../src/selection/facts.ts'
import { maxTextBytes } from '../../../src/selection/long-text.ts'
import { startNeovim } from '../../support/neovim.ts'
import { startTracking } from '../../support/selection.ts'

const bytes = z.union([z.string(), z.instanceof(Buffer)]).transform(text => Buffer.from(text as string))
const Answer = z.object({
  value: z.object({ text: bytes, next: z.object({ line: z.int(), column: z.int() }).optional() }),
})

test('the parts of a text are the text, whatever their size', { timeout: 120_000 }, async () => {
  const nvim = await startNeovim({ files: { 'a.txt': '' }, args: ['a.txt'] })
  const line = fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom('', '日本語', '\0', 'x'.repeat(100)))
  const cases = fc.record({
    lines: fc.array(
      line.map(text => text.replaceAll('\n', ' ')),
      { minLength: 1, maxLength: 8 },
    ),
    keys: fc.constantFrom('V', 'v', 'VG', 'vG', 'ggVG', 'lvG$', 'jlvjl', 'vG0'),
    limit: fc.integer({ min: 1, max: 60 }),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ lines, keys, limit }) => {
      const facts = SelectionFacts.parse(
        await nvim.lua(
          `local lines, keys = ...
          vim.cmd('normal! \\27')
          vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
          vim.fn.cursor(1, 1)
          vim.api.nvim_feedkeys(keys, 'ntx', false)
          return require('claudecode.rpc').call('selection.read', { inline_limit = 1e6 }).value`,
          lines,
          keys,
        ),
      )
      const parts: Buffer[] = []
      let from: { line: number; column: number } | undefined = facts.first
      while (from) {
        const answer = await nvim.lua(
          `local facts, from, limit = ...
          return require('claudecode.rpc').call('selection.part', { facts = facts, from = from, limit = limit })`,
          { ...facts, text: undefined },
          from,
          limit,
        )
        const { value } = Answer.parse(answer)
        parts.push(value.text)
        from = value.next
        expect(value.text.length).toBeLessThanOrEqual(limit)
        expect(value.text.length > 0 || from === undefined).toBe(true)
      }
      expect(Buffer.concat(parts)).toEqual(Buffer.from(facts.text as string))
    }),
    { numRuns: 400 },
  )
})

test('a long text arrives whole', async () => {
  const line = 'the quick brown fox jumps over the lazy dog, 日本語\n'
  const text = line.repeat(10_000)
  const tracking = await startTracking({ files: { 'a.txt': text }, args: ['a.txt'] })
  const { nvim } = tracking
  const listener = await tracking.connect()
  await nvim.feed('ggVG')
  const told = await nvim.waitFor(
    () => listener.told.find(({ selection }) => selection.end.line === 9999),
    'the whole file',
  )
  expect(told.text === text.slice(0, -1)).toBe(true)
  await nvim.feed('<Esc>')
  expect(await listener.asks('getCurrentSelection')).toMatchObject({ selection: told.selection })
})

test('300,000 lines: the text is cut behind a line break, and the positions are those of all of it', async () => {
  const line = 'the quick brown fox jumps over the lazy dog\n'
  const tracking = await startTracking({ files: { 'a.txt': line.repeat(300_000) }, args: ['a.txt'] })
  const { nvim } = tracking
  const listener = await tracking.connect()
  await nvim.input('ggVG<Esc>')
  const told = await nvim.waitFor(
    () => listener.told.find(({ selection }) => selection.end.line === 299_999),
    'the whole file',
  )
  expect(told.selection).toEqual({
    start: { line: 0, character: 0 },
    end: { line: 299_999, character: line.length - 1 },
    isEmpty: false,
  })
  expect(told.text === line.repeat(Math.floor(maxTextBytes / line.length))).toBe(true)
})

test('a change while a long text is read, or the end of its buffer, is not told as text', async () => {
  const tracking = await startTracking({
    files: { 'a.txt': 'secret\n'.repeat(200_000), 'b.txt': 'b' },
    args: ['a.txt'],
  })
  const { nvim } = tracking
  const listener = await tracking.connect()
  await listener.hears('cursor 0:0')
  await nvim.input('ggVG<Esc>:edit b.txt<CR>:bwipeout! a.txt<CR>')
  await listener.hears('cursor 0:0', one => one.filePath.endsWith('/b.txt'))
  await tracking.letTimePass()
  expect(await listener.asks('getLatestSelection')).toMatchObject({ success: false })
})
