// Whatever the user decides of the hunks, the text that is sent is the one that these decisions make, to the byte.
import { writeFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ReviewSession, startReview } from '../../support/diff.ts'

/** First line and count in the old text, the same in the new one; 0-based. */
type Hunk = [number, number, number, number]
type Decision = { hunk: number; kind: 'accept' | 'reject' }
type Step = { kind: 'accept' | 'reject'; at: number } | { kind: 'undo' } | { kind: 'u' }

const review = () => startReview({ files: { 'a.txt': 'a\n' }, args: ['a.txt'] })

const anyText = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'c', '', '}', 'é'), { maxLength: 14 }), fc.boolean())
  .map(([lines, breakAtEnd]) => lines.join('\n') + (breakAtEnd && lines.length > 0 ? '\n' : ''))

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('accept', 'reject'), at: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('undo', 'u') }) },
) as fc.Arbitrary<Step>

const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

function hunksLeft({ nvim }: ReviewSession): Promise<Hunk[]> {
  return nvim.lua(`
    local reviews = require('claudecode.editor.diff.hunks.review')
    local review = reviews.get(vim.api.nvim_get_current_buf())
    reviews.refresh(review)
    return review.tracked.hunks`)
}

/** The new text, with the old lines of the hunks that were rejected. */
function compose(old: string[], text: string[], hunks: Hunk[], rejected: Set<number>): string {
  const parts: string[] = []
  let done = 0
  hunks.forEach(([from, count, newFrom, newCount], index) => {
    parts.push(...text.slice(done, newFrom))
    parts.push(...(rejected.has(index) ? old.slice(from, from + count) : text.slice(newFrom, newFrom + newCount)))
    done = newFrom + newCount
  })
  return [...parts, ...text.slice(done)].join('')
}

/** Texts of which a part, compared alone, comes out as other hunks than in the whole: a decision must not compare. */
const ambiguous: [string, string, Step[]][] = [
  ['a\n\n\nb\na\n', '\na\n', [{ kind: 'accept', at: 1 }, { kind: 'undo' }, { kind: 'u' }]],
  [
    'a\né\na\n\n\na',
    'é\né\n\n',
    [{ kind: 'reject', at: 2 }, { kind: 'undo' }, { kind: 'u' }, { kind: 'accept', at: 0 }],
  ],
]

let count = 0

/** Proposes a text for a file of its own. */
async function startDiff(session: ReviewSession, old: string | Buffer, text: string) {
  await session.closeAllTabs() // of a run that has failed, while fast-check looks for a smaller one
  count += 1
  const name = `${count}.txt`
  await writeFile(session.path(name), old)
  const proposed = await session.open(name, text)
  await session.nvim.waitFor('vim.b.claudecode_hunks', 'the hunks to be counted')
  return proposed
}

test('any mix of decisions, some taken back', async () => {
  const session = await review()
  const { nvim } = session
  await fc.assert(
    fc.asyncProperty(anyText, anyText, fc.array(anyStep, { maxLength: 8 }), async (old, text, steps) => {
      const proposed = await startDiff(session, old, text)
      const hunks = await hunksLeft(session)
      expect(compose(linesOf(old), linesOf(text), hunks, new Set(hunks.keys()))).toBe(old)
      const states: Decision[][] = [[]] // as Neovim's undo has them: taking a decision back is a change, too
      for (const step of steps) {
        const decisions = states.at(-1) ?? []
        const undecided = [...hunks.keys()].filter(hunk => !decisions.some(decision => decision.hunk === hunk))
        const left = await hunksLeft(session)
        expect(left.length).toBe(undecided.length)
        if (step.kind === 'u') {
          if (states.length > 1) await nvim.feed('u')
          if (states.length > 1) states.pop()
        } else if (step.kind === 'undo') {
          await nvim.feed(':ClaudeCodeHunkUndo<CR>')
          if (decisions.length > 0) states.push(decisions.slice(0, -1))
        } else if (left.length > 0) {
          const lineCount = await nvim.lua<number>('return vim.fn.line("$")')
          const line = (hunk: Hunk | undefined) => Math.min((hunk?.[2] ?? 0) + 1, lineCount)
          const target = line(left[step.at % left.length])
          const hunk = undecided[left.findIndex(one => line(one) === target)] ?? -1
          await nvim.feed(`${target}G:ClaudeCodeHunk${step.kind === 'accept' ? 'Accept' : 'Reject'}<CR>`)
          states.push([...decisions, { hunk, kind: step.kind }])
        }
      }
      const rejected = (states.at(-1) ?? []).filter(({ kind }) => kind === 'reject').map(({ hunk }) => hunk)
      await nvim.feed(':w<CR>')
      const expected = compose(linesOf(old), linesOf(text), hunks, new Set(rejected))
      expect(await proposed.answer).toEqual(['FILE_SAVED', expected])
      await session.closeTab(proposed.tabName)
    }),
    { numRuns: 60, examples: ambiguous },
  )
}, 180_000)

const mark = '\uFEFF'

test.each<[name: string, disk: string | Buffer, proposal: string, old: string]>([
  ['CRLF', 'a\r\nb\r\nc\r\n', 'x\r\na\r\nB\r\n', 'a\r\nb\r\nc\r\n'],
  ['a mark', `${mark}a\nb\n`, `${mark}A\nb\nc\n`, `${mark}a\nb\n`],
  ['latin1', Buffer.from('caf\xe9\nb\n', 'latin1'), 'café\nB\nc', 'café\nb\n'],
  ['both line ends', 'a\r\nb\nc\r\n', 'a\r\nB\nc\r\nd\n', 'a\r\nb\nc\r\n'],
  ['a final line break that goes', 'a\nb\n', 'a\nb', 'a\nb\n'],
  ['a final line break that comes', 'a\nb', 'a\nb\n', 'a\nb'],
  ['all lines that go', 'a\nb', '', 'a\nb'],
  ['an empty file', '', 'a\nb\n', ''],
  ['one line break', '\n', '', '\n'],
  ['NUL', 'a\0b\nc\n', 'a\0B\n', 'a\0b\nc\n'],
])('all accepted, and all rejected: %s', async (_name, disk, proposal, old) => {
  const session = await review()
  for (const [command, text] of [
    ['Accept', proposal],
    ['Reject', old],
  ]) {
    const proposed = await startDiff(session, disk, proposal)
    await session.nvim.feed(`:%ClaudeCodeHunk${command}<CR>`)
    expect(await hunksLeft(session)).toEqual([])
    await session.nvim.feed(':w<CR>')
    expect(await proposed.answer).toEqual(['FILE_SAVED', text])
    await session.closeTab(proposed.tabName)
  }
})

test('all rejected, taken back with u: the proposal is there again, with its end', async () => {
  const session = await review()
  for (const [old, text] of [
    ['a\nb', 'a\nc\n'],
    ['', 'x'],
    ['x\n', ''],
    ['\n', 'x\ny'],
  ] as const) {
    for (const keys of ['u', ':ClaudeCodeHunkUndo<CR>', 'u<C-r>u']) {
      const proposed = await startDiff(session, old, text)
      await session.nvim.feed(`:%ClaudeCodeHunkReject<CR>${keys}:w<CR>`)
      expect(await proposed.answer).toEqual(['FILE_SAVED', text])
      await session.closeTab(proposed.tabName)
    }
  }
})
