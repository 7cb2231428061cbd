// What tools that need arguments say when these are wrong, and what becomes of hostile ones that show the user something.
import { expect, test } from 'vitest'
import { layoutOf } from '../../support/layout.ts'
import { examples, expectHarmless, hostile, outcome, required } from './examples.ts'
import { oddNames, startSession, textOf } from './support.ts'

const files = { 'a.txt': 'one\n' }
const isOffered = "{ jupyter = { enabled = 'always' } }"

test('a required argument that is missing or no text is named, by each tool, and nothing happens', async () => {
  const { claude, nvim } = await startSession({ files, args: ['a.txt'], setup: isOffered })
  const before = await layoutOf(nvim)
  for (const [tool, names] of Object.entries(required)) {
    const [, example] = examples.find(([name]) => name === tool) ?? []
    for (const name of names) {
      for (const value of [undefined, null, 7, true, ['/a'], { toString: '/a' }]) {
        await expect(claude.callTool(tool, { ...example, [name]: value }), `${tool} ${name}`).rejects.toMatchObject({
          code: -32602,
          message: expect.stringContaining(name),
        })
      }
    }
  }
  expect(await layoutOf(nvim)).toEqual(before)
  expect(await nvim.messages()).toBe('')
})

test('openDiff with hostile arguments: a diff or a sentence, and nothing is left of it', async () => {
  const session = await startSession({ files, args: ['a.txt'] })
  const { claude, nvim, file } = session
  const before = await layoutOf(nvim)
  const example = {
    old_file_path: file('a.txt'),
    new_file_path: file('a.txt'),
    new_file_contents: 'ONE\n',
    tab_name: 'x',
  }
  for (const value of hostile) {
    for (const parameter of [...Object.keys(example), 'unknown']) {
      let isOver = false
      const answer = outcome(session, 'openDiff', { ...example, [parameter]: value }).finally(() => {
        isOver = true
      })
      await nvim.waitFor(
        async () => isOver || (await nvim.lua('return vim.b.claudecode_diff_tab_name ~= nil')),
        `the diff with ${parameter} = ${JSON.stringify(value)?.slice(0, 40)}, or an answer`,
      )
      await claude.callTool('closeAllDiffTabs')
      expectHarmless(`openDiff with ${parameter} = ${JSON.stringify(value)?.slice(0, 40)}`, await answer)
    }
  }
  expect(await nvim.blockedMode()).toBeUndefined()
  expect(await layoutOf(nvim)).toEqual(before)
  expect(await nvim.lua('return vim.tbl_map(vim.api.nvim_buf_get_name, vim.api.nvim_list_bufs())')).toEqual([
    file('a.txt'),
  ])
  expect(nvim.hosts()).toHaveLength(1)
})

test('openDiff for every name of a file, which is also the name of its tab', async () => {
  const session = await startSession({
    files: Object.fromEntries(oddNames.map(name => [name, `old ${name.length}\n`])),
  })
  const { claude, nvim, file } = session
  for (const name of oddNames) {
    const path = file(name)
    const answer = claude.callTool('openDiff', {
      old_file_path: path,
      new_file_path: path,
      new_file_contents: `new ${name.length}\n`,
      tab_name: name,
    })
    await nvim.waitFor(
      async () => (await nvim.lua('return vim.b.claudecode_diff_tab_name')) === name,
      `the diff of ${JSON.stringify(name)}`,
    )
    expect(
      await nvim.lua(`local windows = vim.api.nvim_tabpage_list_wins(0)
        return { vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(windows[1])),
          vim.fn.getbufline(vim.api.nvim_win_get_buf(windows[1]), 1)[1], vim.fn.getline(1) }`),
    ).toEqual([path, `old ${name.length}`, `new ${name.length}`])
    await nvim.feed(':w<CR>')
    expect((await answer).content).toEqual([
      { type: 'text', text: 'FILE_SAVED' },
      { type: 'text', text: `new ${name.length}\n` },
    ])
    expect(textOf(await claude.callTool('close_tab', { tab_name: name }))).toBe('TAB_CLOSED')
    expect(await nvim.lua('return vim.fn.winnr("$")'), name).toBe(1)
  }
})

test('openDiff with a hostile name of its tab: what :w accepts comes back', async () => {
  const { claude, nvim, file } = await startSession({ files, args: ['a.txt'] })
  const names = hostile.filter(value => typeof value === 'string' && value !== '' && value.length < 200) as string[]
  for (const tab_name of [
    ...names,
    '~/x',
    '~root/x',
    '/etc/passwd',
    '../x',
    'a/b',
    'a.txt',
    'file:///a',
    'scp://host/x',
    '%:h',
    '#1',
    '<sfile>',
  ]) {
    const path = file('a.txt')
    const diff = { old_file_path: path, new_file_path: path, new_file_contents: 'ONE\n', tab_name }
    const answer = claude.callTool('openDiff', diff)
    await nvim.waitFor(
      async () => (await nvim.lua('return vim.b.claudecode_diff_tab_name')) === tab_name.toWellFormed(),
      `the diff ${JSON.stringify(tab_name)}`,
    )
    await nvim.feed(':w<CR>')
    expect((await answer).content, tab_name).toMatchObject([{ text: 'FILE_SAVED' }, { text: 'ONE\n' }])
    await claude.callTool('close_tab', { tab_name })
    expect(await nvim.lua('return #vim.api.nvim_list_bufs()'), tab_name).toBe(1)
  }
})
