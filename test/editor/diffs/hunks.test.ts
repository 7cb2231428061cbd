// A proposal reviewed hunk by hunk.
import { describe, expect, test } from 'vitest'
import { type ReviewSession, recordNotices, startReview } from '../../support/diff.ts'

const numbers = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
const old = `${numbers.join('\n')}\n`
/** Five hunks: a line above the first, one changed, one gone, two more, and one behind the last. */
const changed = `top\n${old
  .replace('line 5\n', 'LINE 5\n')
  .replace('line 12\n', '')
  .replace('line 20\n', 'line 20\nnew a\nnew b\n')}end\n`

const layouts = ['vertical', 'horizontal', 'unified']

async function review(layout = 'vertical', disk = old, proposal = changed): Promise<ReviewSession> {
  const session = await startReview({
    files: { 'a.txt': disk },
    args: ['a.txt'],
    setup: `{ diff_opts = { layout = '${layout}' } }`,
    init: recordNotices,
  })
  await session.open('a.txt', proposal)
  return session
}

function textOf({ nvim }: ReviewSession): Promise<string[]> {
  return nvim.lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')
}

function countOf({ nvim }: ReviewSession): Promise<string> {
  return nvim.lua('return vim.b.claudecode_hunks.text')
}

describe.each(layouts)('hunks, %s', layout => {
  test('next and previous, with counts, and around the ends', async () => {
    const session = await review(layout)
    const { nvim } = session
    const line = () => nvim.lua('return vim.fn.line(".")')
    await nvim.feed('gg')
    const visited = []
    for (const keys of [':ClaudeCodeHunkNext', ':ClaudeCodeHunkNext', ':2ClaudeCodeHunkNext', ':ClaudeCodeHunkNext']) {
      await nvim.feed(`${keys}<CR>`)
      visited.push(await line())
    }
    for (const keys of [':ClaudeCodeHunkPrev', ':2ClaudeCodeHunkPrev']) {
      await nvim.feed(`${keys}<CR>`)
      visited.push(await line())
    }
    expect(visited).toEqual([6, 13, 33, 1, 33, 13])
    await session.waitForNotice('5 of 5 hunks left; began anew at the top')
    await nvim.feed('<C-o><C-o>')
    expect(await line()).toBe(1)
  })

  test('accepting some, rejecting others: what is on the right is sent', async () => {
    const session = await review(layout)
    const { nvim } = session
    await nvim.feed('gg:ClaudeCodeHunkReject<CR>')
    await session.waitForNotice('4 of 5 hunks left')
    await nvim.feed(':ClaudeCodeHunkNext<CR>:ClaudeCodeHunkAccept<CR>')
    await session.waitForNotice('3 of 5 hunks left')
    await nvim.feed(':ClaudeCodeHunkNext<CR>:ClaudeCodeHunkReject<CR>')
    await session.waitForNotice('2 of 5 hunks left')
    await nvim.feed('G:ClaudeCodeHunkReject<CR>')
    expect(await countOf(session)).toBe('1 of 5 hunks left')
    const expected = old.replace('line 5\n', 'LINE 5\n').replace('line 20\n', 'line 20\nnew a\nnew b\n')
    expect(await textOf(session)).toEqual(expected.trimEnd().split('\n'))
  })

  test('u and Ctrl-R take decisions back and bring them again', async () => {
    const session = await review(layout)
    const { nvim } = session
    await nvim.feed('6G:ClaudeCodeHunkAccept<CR>1G:ClaudeCodeHunkReject<CR>GAx<Esc>')
    const states = [await countOf(session)]
    const step = async (keys: string) => {
      await nvim.feed(keys)
      states.push(await nvim.lua('return vim.b.claudecode_hunks.text'))
    }
    await step('u')
    await step('u')
    await step('u')
    expect(await textOf(session)).toEqual(changed.trimEnd().split('\n'))
    await step('<C-r>')
    await step('<C-r>')
    expect(states.map(text => text.slice(0, 6))).toEqual(['3 of 5', '3 of 5', '4 of 5', '5 of 5', '4 of 5', '3 of 5'])
    expect((await textOf(session))[0]).toBe('line 1')
  })

  test('u and Ctrl-R leave the cursor at the hunk that they are about', async () => {
    const session = await review(layout)
    const { nvim } = session
    const lines: number[] = []
    const look = async (keys: string) => {
      await nvim.feed(keys)
      lines.push(await nvim.lua<number>('return vim.fn.line(".")'))
    }
    await nvim.feed('13G:ClaudeCodeHunkAccept<CR>21G:ClaudeCodeHunkAccept<CR>')
    await look('Gu')
    await look('Gu')
    await look('G<C-r>')
    await look('G:ClaudeCodeHunkUndo<CR>Gu')
    expect(lines).toEqual([21, 13, 13, 13])
  })

  test(':ClaudeCodeHunkUndo takes back the last decision, whatever was edited elsewhere', async () => {
    const session = await review(layout)
    const { nvim } = session
    await nvim.feed('6G:ClaudeCodeHunkReject<CR>')
    expect((await textOf(session))[5]).toBe('line 5')
    await nvim.feed('ggOfirst<Esc>25Gdd:ClaudeCodeHunkUndo<CR>')
    expect((await textOf(session))[6]).toBe('LINE 5')
    await nvim.feed('7G:ClaudeCodeHunkReject<CR>7GAedited<Esc>:ClaudeCodeHunkUndo<CR>')
    await session.waitForNotice('the lines have been edited since they were put back')
    await nvim.feed('u:ClaudeCodeHunkUndo<CR>:ClaudeCodeHunkUndo<CR>')
    await session.waitForNotice('there is no decision about a hunk to take back')
    expect((await textOf(session))[6]).toBe('LINE 5')
  })

  test('several at once, by a range', async () => {
    const session = await review(layout)
    await session.nvim.feed(':1,13ClaudeCodeHunkReject<CR>')
    await session.waitForNotice('2 of 5 hunks left')
    await session.nvim.feed('GVgg:ClaudeCodeHunkAccept<CR>')
    await session.waitForNotice('no hunk is left: :w accepts the proposal as it is now')
    expect((await textOf(session)).slice(0, 12)).toEqual(numbers.slice(0, 12))
  })

  test('hunks follow what is edited by hand', async () => {
    const session = await review(layout)
    const { nvim } = session
    await nvim.feed('3Goby hand<Esc>')
    await nvim.waitFor(async () => (await countOf(session)) === '6 of 6 hunks left', 'six hunks')
    await nvim.feed('7G:ClaudeCodeHunkReject<CR>')
    expect((await textOf(session)).slice(0, 8)).toEqual([
      'top',
      'line 1',
      'line 2',
      'by hand',
      'line 3',
      'line 4',
      'line 5',
      'line 6',
    ])
    await nvim.feed('4Gdd')
    await nvim.waitFor(async () => (await countOf(session)) === '4 of 5 hunks left', 'five hunks')
  })

  test('a line without a hunk', async () => {
    const session = await review(layout)
    await session.nvim.feed('9G:ClaudeCodeHunkAccept<CR>')
    await session.waitForNotice('there is no hunk here; 5 of 5 hunks left')
  })

  test('after the proposal was read again all is to be decided again', async () => {
    const session = await review(layout)
    await session.nvim.feed('gg:ClaudeCodeHunkReject<CR>5G:ClaudeCodeHunkAccept<CR>:edit!<CR>')
    await session.nvim.waitFor(async () => (await countOf(session)) === '5 of 5 hunks left', 'five hunks')
    await session.nvim.feed('gg:ClaudeCodeHunkReject<CR>')
    await session.waitForNotice('4 of 5 hunks left')
    expect((await textOf(session))[0]).toBe('line 1')
  })
})
