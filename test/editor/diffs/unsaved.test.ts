// A proposal for a file that has changes which the user has not saved: option diff_opts.on_unsaved.
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type ReviewSession, recordNotices, startReview } from '../../support/diff.ts'

const old = 'one\ntwo\nthree\n'
const changed = 'one\nTWO\nthree\n'
const mine = ['one', 'two', 'three', 'mine']

/** A Neovim with a line in a.txt that is not saved. */
async function startWithUnsaved(value: string | undefined, init = ''): Promise<ReviewSession> {
  const review = await startReview({
    files: { 'a.txt': old, 'b.txt': old },
    args: ['a.txt'],
    init: `${recordNotices}\n${init}`,
    setup: value === undefined ? '{}' : `{ diff_opts = { on_unsaved = '${value}' } }`,
  })
  await review.nvim.feed('Gomine<Esc>')
  return review
}

const isMine = `return { vim.fn.getbufline('a.txt', 1, '$'), vim.bo[vim.fn.bufnr('a.txt')].modified }`

async function onDisk(review: ReviewSession): Promise<string> {
  return readFile(review.path('a.txt'), 'utf8')
}

test.each([undefined, 'diff'])('D-11: the diff compares with the unsaved text, which stays (%s)', async value => {
  const review = await startWithUnsaved(value)
  const proposed = await review.open('a.txt', changed)
  expect(await review.changedLines()).toEqual([[2, 4], [2]])
  await review.nvim.feed(':w<CR>')
  expect(await proposed.answer).toEqual(['FILE_SAVED', changed])
  await review.closeTab(proposed.tabName)
  await review.waitForClosed(proposed)
  expect(await review.nvim.lua(isMine)).toEqual([mine, true])
  expect(await onDisk(review)).toBe(old)
})

describe('D-12: on_unsaved', () => {
  test('refuse: Claude is told why at once, and nothing changes', async () => {
    const review = await startWithUnsaved('refuse')
    const failure = await review.propose('a.txt', changed).answer.catch(error => error)
    expect(failure.code).toBe(-32000)
    expect(failure.message).toMatch(/has changes in Neovim that are not saved/)
    await review.waitForNotice('a.txt has unsaved changes: what Claude proposes for it is not shown')
    expect(await review.nvim.lua(isMine)).toEqual([mine, true])
    expect(await review.nvim.lua(`return vim.fn.winnr('$')`)).toBe(1)
    await review.open('b.txt', changed)
  })

  test('save: the file is saved, then the diff is shown', async () => {
    const review = await startWithUnsaved('save')
    await review.open('a.txt', changed)
    expect(await onDisk(review)).toBe(`${mine.join('\n')}\n`)
    expect(await review.nvim.lua(isMine)).toEqual([mine, false])
    expect(await review.told()).toEqual([])
  })

  test('save: when that fails the user is told why, and the diff is shown all the same', async () => {
    const review = await startWithUnsaved('save')
    await writeFile(review.path('a.txt'), 'from elsewhere\n')
    await review.open('a.txt', changed)
    await review.waitForNotice('a.txt could not be saved before the diff: the file has changed on disk')
    expect(await onDisk(review)).toBe('from elsewhere\n')
    expect(await review.nvim.lua(isMine)).toEqual([mine, true])
  })

  describe('ask', () => {
    const select = `
      asked = {}
      vim.ui.select = function(items, options, choose)
        table.insert(asked, { options.prompt, items })
        answer = choose
      end`
    const answers: [choice: string, run: (review: ReviewSession, answer: Promise<string[]>) => Promise<void>][] = [
      [
        'Show the diff',
        async review => {
          await review.nvim.waitFor(`vim.b.claudecode_diff_tab_name`, 'the diff')
          expect(await review.nvim.lua(isMine)).toEqual([mine, true])
        },
      ],
      [
        'Save, then show it',
        async review => {
          await review.nvim.waitFor(`vim.b.claudecode_diff_tab_name`, 'the diff')
          expect(await review.nvim.lua(isMine)).toEqual([mine, false])
        },
      ],
      [
        "Don't show it",
        async (review, answer) => {
          await expect(answer).rejects.toThrow('not saved')
          expect(await review.nvim.lua(isMine)).toEqual([mine, true])
        },
      ],
    ]
    test.each(answers)('%s', async (choice, expectEnd) => {
      const review = await startWithUnsaved('ask', select)
      const { answer } = review.propose('a.txt', changed)
      await review.nvim.waitFor('#asked == 1', 'the question')
      expect(await review.nvim.lua('return asked[1][1]')).toBe(
        'Claude proposes a change of a.txt, which has unsaved changes.',
      )
      await review.nvim.lua(
        `local choice = ...
        for index, item in ipairs(asked[1][2]) do
          if item == choice then
            answer(item, index)
          end
        end`,
        choice,
      )
      await expectEnd(review, answer)
      expect(await review.nvim.lua('return #asked')).toBe(1)
    })

    test('given up: the diff is shown', async () => {
      const review = await startWithUnsaved('ask', select)
      const proposed = review.propose('a.txt', changed)
      await review.nvim.waitFor('#asked == 1', 'the question')
      await review.nvim.lua('answer(nil)')
      await review.waitForDiff(proposed)
    })

    test('takes no key of a user who is typing', async () => {
      const review = await startWithUnsaved('ask', select)
      await review.nvim.feed('i')
      const proposed = review.propose('a.txt', changed)
      await pause(200)
      await review.nvim.feed('more<Esc>')
      for (let i = 0; i < 10; i += 1) {
        expect(await review.nvim.lua('return #asked')).toBe(0)
        await review.nvim.feed('hl')
        await pause(60)
      }
      await review.nvim.waitFor('#asked == 1', 'the question')
      await review.nvim.lua('answer(nil)')
      await review.waitForDiff(proposed)
    })

    test('a proposal that Claude takes back meanwhile is not shown', async () => {
      const review = await startWithUnsaved('ask', select)
      const proposed = review.propose('a.txt', changed)
      await review.nvim.waitFor('#asked == 1', 'the question')
      await review.closeAllTabs()
      expect(await proposed.answer).toEqual(['DIFF_REJECTED', proposed.tabName])
      await review.nvim.lua('answer(nil)')
      await pause(100)
      expect(await review.isOpen(proposed.tabName)).toBe(false)
    })
  })
})
