// Files that explorers show, as mentions: under the cursor, with marks, and in rows.
import { describe, expect, test } from 'vitest'
import { expectMentions, mentionsOf } from '../../support/mentions.ts'
import { explorer, explorers, names, openExplorer } from './support.ts'

const id = (name: string) => (name === 'snacks' ? 'X-03' : 'X-02')

describe.each(explorers)('$name', explorer => {
  test(`${id(explorer.name)}: what is under the cursor is sent: files, folders, links, odd names`, async () => {
    const { nvim, claude, setup, goTo } = await openExplorer(explorer)
    const wanted = [...names, 'sub', 'z-link', 'z-folder']
    for (const name of wanted) {
      await goTo(name)
      await nvim.feed(name === 'sub' ? ':ClaudeCodeSend<CR>' : ':ClaudeCodeTreeAdd<CR>')
    }
    const folders = ['sub', 'z-folder']
    await expectMentions(
      claude,
      setup,
      wanted.map(name => (folders.includes(name) ? `${name}/` : name)),
    )
  })

  test.each([
    ['after Visual mode', 'Vjj:ClaudeCodeSend<CR>'],
    ['in a mapping, upwards', 'jjVkk<F5>'],
    ['with :ClaudeCodeTreeAdd', 'Vjj:ClaudeCodeTreeAdd<CR>'],
  ])('X-04: three rows are three files, %s, and the cursor stays', async (_when, keys) => {
    const { nvim, claude, setup, goTo } = await openExplorer(explorer)
    await goTo('a.txt')
    await nvim.feed(keys)
    await expectMentions(claude, setup, names.slice(0, 3))
    expect(await nvim.lua('return vim.fn.mode()')).toBe('n')
    expect(await nvim.lua('return vim.fn.line(".")')).toBe(await nvim.lua(`return vim.fn.search('a\\\\.txt', 'nc')`))
  })

  test('X-04: of all rows each file and folder is sent once, and neither the root nor ".."', async () => {
    const { nvim, claude, setup, goTo } = await openExplorer(explorer)
    await goTo('a.txt')
    await nvim.feed(`ggVG<F5>`)
    const wanted = [...names, 'sub/', 'z-folder/', 'z-link']
    const sent = () => mentionsOf(claude, setup).filter(name => !/^(sub|z-folder)\/./.test(name))
    await nvim.waitFor(() => sent().length >= wanted.length, 'all of them')
    expect(sent().toSorted()).toEqual(wanted.toSorted())
    expect(new Set(mentionsOf(claude, setup)).size).toBe(mentionsOf(claude, setup).length)
  })

  test.runIf(explorer.mark)(`${id(explorer.name)}: what is marked comes before the cursor`, async () => {
    const { nvim, claude, setup, goTo } = await openExplorer(explorer)
    for (const name of ['a.txt', '日本 é.txt']) {
      await goTo(name)
      await nvim.feed(explorer.mark as string)
    }
    await goTo('b c.txt')
    await nvim.feed('<F6>')
    await expectMentions(claude, setup, ['a.txt', '日本 é.txt'])
  })
})

test('X-03: while one types in the picker of snacks, what its list has chosen is sent', async () => {
  const { nvim, claude, setup, goTo } = await openExplorer(explorer('snacks'))
  await goTo('b c.txt')
  await nvim.feed('i')
  await nvim.waitFor(`vim.bo.filetype == 'snacks_picker_input' and vim.fn.mode() == 'i'`, 'the input')
  await nvim.feed('<F6>')
  await expectMentions(claude, setup, ['b c.txt'])
  expect(await nvim.lua('return vim.fn.mode()')).toBe('i')
})
