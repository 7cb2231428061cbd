// What the user has changed in a proposal is not lost when it ends without their yes.
import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type Proposed, type ReviewSession, recordNotices, startReview } from '../../support/diff.ts'

const old = 'one\ntwo\nthree\n'
const changed = 'one\nTWO\nthree\n'
const mine = ['one', 'mine', 'three']

function start(): Promise<ReviewSession> {
  return startReview({ files: { 'a.txt': old, 'b.txt': old }, args: ['a.txt'], init: recordNotices })
}

/** A proposal in which the user has changed the second line. */
async function openEdited(review: ReviewSession): Promise<Proposed> {
  const proposed = await review.open('a.txt', changed)
  await review.nvim.feed('2Gccmine<Esc>')
  return proposed
}

function register({ nvim }: ReviewSession, name: string): Promise<string[]> {
  return nvim.lua(`return vim.fn.getreg(..., 1, true)`, name)
}

const notice = 'the text with your changes is in register p'

describe('A-02: a proposal with changes of the user that', () => {
  const endings: Record<string, (review: ReviewSession, proposed: Proposed) => Promise<unknown>> = {
    'is approved in the terminal': async (review, { tabName }) => {
      await writeFile(review.path('a.txt'), changed)
      await review.closeTab(tabName)
    },
    'Claude closes with all others': review => review.closeAllTabs(),
    'is replaced': async (review, { tabName }) => {
      await review.waitForDiff(review.propose('a.txt', 'x\n', { tabName }))
    },
    'loses its Claude': async review => review.claude.terminate(),
    'loses its host': async review => process.kill(review.nvim.hosts()[0] as number, 'SIGKILL'),
    'the user closes': review => review.nvim.feed(':q<CR>'),
    'the user rejects': review => review.nvim.feed(':ClaudeCodeDiffDeny<CR>'),
    'the user closes with all others': review => review.nvim.feed(':ClaudeCodeCloseAllDiffs<CR>'),
  }
  test.each(Object.keys(endings))('%s: they are in a register, of which the user is told', async name => {
    const review = await start()
    await review.nvim.lua(`vim.fn.setreg('"', 'yanked')`)
    const proposed = await openEdited(review)
    await endings[name]?.(review, proposed)
    await review.waitForNotice(notice)
    expect(await register(review, 'p')).toEqual(mine)
  })

  test('the user rejects: they are in a register also when the host is quick', async () => {
    const review = await start()
    await openEdited(review)
    await review.nvim.lua(`
      local host = require('claudecode.host')
      local notify = host.notify
      host.notify = function(event, payload)
        local proposal = require('claudecode.editor.diff.registry').get(payload.id).proposal
        notify(event, payload)
        while event == 'diffRejected' and vim.uv.fs_stat(proposal) do -- until it has removed the file
          vim.uv.sleep(1)
        end
      end`)
    await review.nvim.feed(':ClaudeCodeDiffDeny<CR>')
    await review.waitForNotice(notice)
    expect(await register(review, 'p')).toEqual(mine)
  })

  test('is accepted: the second item of the answer is the changed text, and no register is used', async () => {
    const review = await start()
    const proposed = await openEdited(review)
    await review.nvim.feed(':w<CR>')
    expect(await proposed.answer).toEqual(['FILE_SAVED', `${mine.join('\n')}\n`])
    await review.closeTab(proposed.tabName)
    await review.waitForClosed(proposed)
    expect(await register(review, 'p')).toEqual([])
    expect(await review.told()).toEqual([])
  })
})

test('a register that is in use is left alone, the unnamed one always', async () => {
  const review = await start()
  await review.nvim.lua(`vim.fn.setreg('p', 'a macro') vim.fn.setreg('q', 'another') vim.fn.setreg('"', 'yanked')`)
  const proposed = await review.open('a.txt', changed)
  await review.nvim.feed('2GIx<Esc>')
  await review.closeTab(proposed.tabName)
  await review.waitForNotice('the text with your changes is in register r')
  expect(await register(review, 'r')).toEqual(['one', 'xTWO', 'three'])
  expect(await review.nvim.lua(`return { vim.fn.getreg('p'), vim.fn.getreg('q'), vim.fn.getreg('"') }`)).toEqual([
    'a macro',
    'another',
    'yanked',
  ])
})

test('without changes, or with all of them undone, nothing is kept and nothing said', async () => {
  const review = await start()
  const first = await review.open('a.txt', changed)
  await review.closeTab(first.tabName)
  const second = await openEdited(review)
  await review.nvim.feed('u')
  await review.closeTab(second.tabName)
  await review.waitForClosed(second)
  expect(await register(review, 'p')).toEqual([])
  expect(await review.told()).toEqual([])
})
