// :ClaudeCodeDiffDeny {why}: the reason is typed into the prompt of the Claude that proposed it, not sent.
import { describe, expect, test } from 'vitest'
import { ReviewSession, recordNotices, startReview } from '../../support/diff.ts'
import { type FakeRun, type FakeSetup, startWithFakeClaude } from '../../support/fake-claude.ts'

const files = { 'a.txt': 'one\ntwo\n' }
const changed = 'one\nTWO\n'

/** A Claude in Neovim's terminal, of which the client is taken to be the connection. */
async function startInTerminal(): Promise<{ review: ReviewSession; fake: FakeSetup; run: FakeRun }> {
  const fake = await startWithFakeClaude({ files, args: ['a.txt'], init: recordNotices })
  await fake.nvim.feed(':ClaudeCode<CR>')
  const run = await fake.waitForRun()
  const review = new ReviewSession(fake.nvim, await fake.connect())
  await fake.nvim.feed('<C-\\><C-n><C-w>h')
  return { review, fake, run }
}

async function typedOf({ nvim }: ReviewSession, fake: FakeSetup, run: FakeRun): Promise<string> {
  await nvim.waitFor(async () => (await fake.typed(run)).length > 0, 'the reason in the prompt')
  return (await fake.typed(run)).toString('utf8')
}

describe('with a Claude in Neovim', () => {
  test('it is typed once Claude has taken the rejection up, as one paste and without Enter', async () => {
    const { review, fake, run } = await startInTerminal()
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(':ClaudeCodeDiffDeny use 日本語 | "and" not \'x\'<CR>')
    expect(await proposed.answer).toEqual(['DIFF_REJECTED', proposed.tabName])
    await review.waitForClosed(proposed)
    expect((await fake.typed(run)).length).toBe(0)
    await review.closeTab(proposed.tabName)
    expect(await typedOf(review, fake, run)).toBe('\x1b[200~use 日本語 | "and" not \'x\'\x1b[201~')
  })

  test('also when Claude never says close_tab, or says it twice', async () => {
    const { review, fake, run } = await startInTerminal()
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(':ClaudeCodeDiffDeny no<CR>')
    await proposed.answer
    expect(await typedOf(review, fake, run)).toBe('\x1b[200~no\x1b[201~')
    await review.closeTab(proposed.tabName)
    await review.closeTab(proposed.tabName)
    await review.claude.request('ping')
    expect((await fake.typed(run)).toString()).toBe('\x1b[200~no\x1b[201~')
  })

  test('nothing in it breaks out of the paste', async () => {
    const { review, fake, run } = await startInTerminal()
    const proposed = await review.open('a.txt', changed)
    await review.nvim.lua(`vim.cmd.ClaudeCodeDiffDeny({ args = { 'a\\27[201~\\rb\\3c\\194\\155201~d' } })`)
    await proposed.answer
    await review.closeTab(proposed.tabName)
    expect(await typedOf(review, fake, run)).toBe('\x1b[200~a[201~\nbc201~d\x1b[201~')
  })

  test('without a reason nothing is typed', async () => {
    const { review, fake, run } = await startInTerminal()
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(':ClaudeCodeDiffDeny<CR>')
    await review.closeTab(proposed.tabName)
    const second = await review.open('a.txt', changed)
    await review.nvim.feed(':ClaudeCodeDiffDeny yes<CR>')
    await review.closeTab(second.tabName)
    expect(await typedOf(review, fake, run)).toBe('\x1b[200~yes\x1b[201~')
  })
})

test('with a Claude that runs elsewhere the proposal is rejected, and the user is told that the reason is not', async () => {
  const review = await startReview({ files, args: ['a.txt'], init: recordNotices })
  const proposed = await review.open('a.txt', changed)
  await review.nvim.feed(':ClaudeCodeDiffDeny too loud<CR>')
  expect(await proposed.answer).toEqual(['DIFF_REJECTED', proposed.tabName])
  await review.closeTab(proposed.tabName)
  await review.waitForNotice(
    "the proposal for a.txt is rejected, but its Claude runs where Neovim can't type: tell it why yourself",
  )
})
