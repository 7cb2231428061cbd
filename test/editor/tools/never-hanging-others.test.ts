// Claude has no time limit on tools (W-09): those that have nothing to remember, while Neovim answers nobody.
import { expect, test } from 'vitest'
import { answersInTime, blockades } from './blockades.ts'
import { startSession } from './support.ts'

const files = { 'a.py': '# %%\nprint(1)\n' }

test.each(blockades)('W-09: %s: the selection and the notebook', async (_, { begin, reason, end }) => {
  const setup = "{ track_selection = false, jupyter = { ask = 'never' } }"
  const session = await startSession({ files, args: ['a.py'], setup })
  await begin(session)
  const answers = await answersInTime(session, {
    getCurrentSelection: {},
    executeCode: { code: "open('ran', 'w')" },
    close_tab: { tab_name: 'none' },
    closeAllDiffTabs: {},
    getLatestSelection: {},
    getWorkspaceFolders: {},
  })
  const busy = { content: [{ type: 'text', text: expect.stringMatching(reason) }], isError: true }
  expect(answers['getCurrentSelection']).toEqual(busy)
  expect(answers['executeCode']).toEqual(busy)
  expect(answers['close_tab']).toEqual({ content: [{ type: 'text', text: 'TAB_CLOSED' }] })
  expect(answers['closeAllDiffTabs']).toEqual({ content: [{ type: 'text', text: 'CLOSED_0_DIFF_TABS' }] })
  expect(answers['getLatestSelection']?.isError).toBeUndefined()
  expect(answers['getWorkspaceFolders']?.isError).toBeUndefined()
  await end(session)
  expect(await session.json('getCurrentSelection')).toMatchObject({ success: true, filePath: session.file('a.py') })
  expect(await session.nvim.lua("return vim.fn.filereadable('ran')")).toBe(0)
})

test.each(blockades)('W-09: %s: a proposal waits, and is seen as soon as Neovim is free', async (_, { begin, end }) => {
  const session = await startSession({ files, args: ['a.py'] })
  const { claude, nvim, file } = session
  await begin(session)
  const path = file('a.py')
  const verdict = claude.callTool(
    'openDiff',
    { old_file_path: path, new_file_path: path, new_file_contents: 'new\n', tab_name: 'the diff' },
    { timeout: 60_000 },
  )
  await session.text('getLatestSelection').catch(() => undefined) // what came before it has been taken in
  await end(session)
  await nvim.waitFor('vim.b.claudecode_diff_tab_name == "the diff"', 'the diff')
  await nvim.feed(':w<CR>')
  expect((await verdict).content).toEqual([
    { type: 'text', text: 'FILE_SAVED' },
    { type: 'text', text: 'new\n' },
  ])
})
