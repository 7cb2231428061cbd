// Claude has no time limit on tools (W-09, W-10): while Neovim answers nobody, each tool says what it knows, or why it
// can't answer, within 5 s. What was answered with an error does not happen later.
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CallResult } from '../../support/claude-client.ts'
import { answersInTime, blockades } from './blockades.ts'
import { startSession, textOf } from './support.ts'

const files = { 'a.txt': 'one\n', 'b.txt': 'two\n' }

test.each(blockades)(
  'W-09: %s: tools without an answer say why, and do nothing later',
  async (_, { begin, reason, end }) => {
    const session = await startSession({ files, args: ['a.txt'] })
    const { nvim, file, claude } = session
    await nvim.lua('vim.api.nvim_buf_set_lines(0, 0, 0, false, { "new" })')
    const filePath = file('a.txt')
    await begin(session)
    const answers = await answersInTime(session, {
      getDiagnostics: {},
      getOpenEditors: {},
      checkDocumentDirty: { filePath },
      saveDocument: { filePath },
      openFile: { filePath: file('b.txt') },
    })
    for (const [name, answer] of Object.entries(answers)) {
      expect(answer, name).toEqual({ content: [{ type: 'text', text: expect.stringMatching(reason) }], isError: true })
    }
    expect(claude.isOpen).toBe(true)
    await end(session)
    // Those calls are through when one that was made later is.
    expect(await session.json('checkDocumentDirty', { filePath })).toMatchObject({ isDirty: true })
    expect(await readFile(filePath, 'utf8')).toBe('one\n')
    expect(await nvim.lua('return { vim.fn.expand("%:t"), vim.fn.bufexists("b.txt") }')).toEqual(['a.txt', 0])
  },
)

test.each(blockades)('W-09: %s: what is known is told, soon', async (_, { begin, reason, end }) => {
  const session = await startSession({ files, args: ['a.txt'] })
  const { nvim, file, claude } = session
  await nvim.lua(
    `vim.diagnostic.set(vim.api.nvim_create_namespace('x'), 0, { { lnum = 0, col = 0, message = 'known' } })`,
  )
  const uri = `file://${file('a.txt')}`
  const tools = ['getDiagnostics', 'getOpenEditors', 'getCurrentSelection', 'getLatestSelection', 'getWorkspaceFolders']
  const before: Record<string, CallResult> = {}
  for (const tool of tools) before[tool] = await claude.callTool(tool)
  const ofFile = await claude.callTool('getDiagnostics', { uri })
  await begin(session)
  const after = await answersInTime(session, Object.fromEntries(tools.map(tool => [tool, {}])))
  for (const tool of tools) expect(textOf(after[tool] as CallResult), tool).toBe(textOf(before[tool] as CallResult))
  for (const tool of ['getDiagnostics', 'getOpenEditors']) {
    expect(textOf(after[tool] as CallResult, 1)).toMatch(/^This is what was known \d+ s ago\. /)
    expect(textOf(after[tool] as CallResult, 1)).toMatch(reason)
  }
  const start = performance.now()
  expect(textOf(await claude.callTool('getDiagnostics', { uri }))).toBe(textOf(ofFile))
  expect(performance.now() - start).toBeLessThan(2000) // the CLI waits no longer for it
  await end(session)
  expect((await claude.callTool('getDiagnostics', { uri })).content).toHaveLength(1)
})

test('a prompt is not waited out when something is known: Claude gives its first question 500 ms', async () => {
  const session = await startSession({ files, args: ['a.txt'] })
  await session.call('getDiagnostics')
  await session.nvim.input(':echo "one\\ntwo\\nthree"<CR>')
  await session.nvim.waitForScreen(/Press ENTER/)
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const start = performance.now()
    expect((await session.call('getDiagnostics')).content).toHaveLength(2)
    times.push(performance.now() - start)
  }
  expect(Math.min(...times)).toBeLessThan(500)
})

test.each([
  ['input()', ':call input("Name: ")<CR>'],
  ['getchar()', ':call getchar()<CR>'],
  ['a pending operator', 'd'],
  ['Insert mode', 'i'],
  ['the completion menu', 'ione one <C-n>'],
  ['Visual mode', 'v'],
  ['a command line', ':edit '],
  ['the command-line window', 'q:'],
  ['Terminal mode', ':split | terminal<CR>i'],
])('%s: every question is answered as always', async (_, keys) => {
  const session = await startSession({ files, args: ['a.txt'] })
  await session.nvim.input(keys)
  const { claude, file } = session
  const start = performance.now()
  expect(await session.json('getDiagnostics')).toEqual([])
  expect(await session.json('getOpenEditors')).toMatchObject({ tabs: [{ label: 'a.txt', isActive: true }] })
  expect(await session.json('checkDocumentDirty', { filePath: file('a.txt') })).toMatchObject({ success: true })
  expect(await session.json('saveDocument', { filePath: file('a.txt') })).toMatchObject({ success: true })
  expect(await session.text('closeAllDiffTabs')).toBe('CLOSED_0_DIFF_TABS')
  expect(performance.now() - start).toBeLessThan(4000) // with patience, each of them would take more
  expect(claude.isOpen).toBe(true)
})

test('a dialog, at which old Neovims answer nobody: an answer in time', async () => {
  const session = await startSession({ files, args: ['a.txt'] })
  await session.nvim.input(':call confirm("Really?", "&Yes\\n&No")<CR>')
  await session.nvim.waitForScreen(/Really\?/)
  const { checkDocumentDirty } = await answersInTime(session, {
    checkDocumentDirty: { filePath: session.file('a.txt') },
  })
  expect(textOf(checkDocumentDirty as CallResult)).toMatch(/waits for a key|"success":true/)
})

test('the user is back within the patience: the answer is the real one', async () => {
  const session = await startSession({ files, args: ['a.txt'] })
  await session.nvim.input(':echo "one\\ntwo\\nthree"<CR>')
  await session.nvim.waitForScreen(/Press ENTER/)
  const answer = session.json('checkDocumentDirty', { filePath: session.file('a.txt') })
  await pause(500) // the time that a user takes
  await session.nvim.input('<CR>')
  expect(await answer).toMatchObject({ success: true, isDirty: false })
})

test('a call that is cancelled while Neovim is blocked is not waited for, and others are answered', async () => {
  const session = await startSession({ files, args: ['a.txt'] })
  const { claude, nvim, file } = session
  await nvim.feed('f')
  const abort = new AbortController()
  const calls = [
    claude.callTool('openFile', { filePath: file('b.txt') }, { signal: abort.signal }),
    claude.callTool('getDiagnostics', {}, { signal: abort.signal }),
  ]
  const ends = Promise.allSettled(calls)
  abort.abort()
  await ends
  await nvim.feed('<Esc>')
  expect(await session.json('getWorkspaceFolders')).toMatchObject({ success: true })
})

test('diffs are closed when Neovim is free, and whoever wants that has an answer before', async () => {
  const session = await startSession({ files, args: ['a.txt'] })
  const { claude, nvim, file } = session
  const path = file('a.txt')
  const diff = { old_file_path: path, new_file_path: path, new_file_contents: 'new\n', tab_name: 'the diff' }
  const verdict = claude.callTool('openDiff', diff, { timeout: 60_000 })
  await nvim.waitFor('vim.b.claudecode_diff_tab_name == "the diff"', 'the diff')
  await nvim.feed('f')
  const answers = await answersInTime(session, { closeAllDiffTabs: {}, close_tab: { tab_name: 'the diff' } })
  expect(answers).toMatchObject({
    closeAllDiffTabs: { content: [{ text: 'CLOSED_1_DIFF_TABS' }] },
    close_tab: { content: [{ text: 'TAB_CLOSED' }] },
  })
  await nvim.feed('<Esc>')
  expect(textOf(await verdict)).toBe('DIFF_REJECTED')
  await nvim.waitFor('vim.fn.winnr("$") == 1', 'the windows of the diff to be closed')
})

test('W-10: Neovim ends: whoever waits hears of it', async () => {
  const session = await startSession({ files, args: ['a.txt'] })
  const { claude, nvim } = session
  nvim.kill('SIGSTOP')
  const call = claude.callTool('openFile', { filePath: session.file('b.txt') })
  const end = call.then(
    answer => textOf(answer),
    error => String(error),
  )
  nvim.kill('SIGKILL')
  expect(await end).toMatch(/ended|closed/)
  await claude.closed
})
