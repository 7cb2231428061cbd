// What users of such plugins reported of mentions and of commands (S-15, S-16, L-07, M-…, W-07, W-13), one test each.
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ClaudeClient } from '../../support/claude-client.ts'
import { type FakeSetup, proposeChange, startWithFakeClaude } from '../../support/fake-claude.ts'

const files = { 'a.txt': 'one\ntwo\n\nfour\n', 'My Docs/a b.txt': 'one\ntwo\nthree\n', 'plugin/x.lua': 'x\ny\n' }
const quick = '{ connection_wait_delay = 0 }'

async function start(options: Parameters<typeof startWithFakeClaude>[0] = {}) {
  const setup = await startWithFakeClaude({ setup: quick, files, args: ['a.txt'], ...options })
  const claude = await setup.connect()
  await setup.nvim.waitFor("require('claudecode').is_claude_connected()", 'Claude to be connected')
  return { setup, nvim: setup.nvim, claude, gets: (...wanted: unknown[]) => expectMentions(setup, claude, wanted) }
}

const mentionsOf = (claude: ClaudeClient) =>
  claude.notifications.filter(({ method }) => method === 'at_mentioned').map(({ params }) => params)

/** These and no others: what must not come would come before a later one. */
async function expectMentions({ nvim }: FakeSetup, claude: ClaudeClient, wanted: unknown[]): Promise<void> {
  await nvim.lua("require('claudecode').send_at_mention(vim.v.progpath, 4321, 4321, 'last')")
  await claude.waitForNotification('at_mentioned', ({ lineEnd }) => lineEnd === 4321)
  expect(mentionsOf(claude).slice(0, -1)).toEqual(wanted)
}

test.each([
  ['after Visual mode', 'Vjj:ClaudeCodeSend<CR>'],
  ['from a <Cmd> mapping in Visual mode', 'Vjj<F5>'],
])('S-15: three selected lines are sent %s', async (_when, keys) => {
  const { nvim, gets } = await start({ init: `vim.keymap.set('x', '<F5>', '<Cmd>ClaudeCodeSend<CR>')` })
  await nvim.feed(keys)
  await gets({ filePath: `${nvim.folder}/a.txt`, lineStart: 0, lineEnd: 2 })
})

test('S-16: one empty line can be sent', async () => {
  const { nvim, gets } = await start()
  await nvim.feed('3GV:ClaudeCodeSend<CR>')
  await gets({ filePath: `${nvim.folder}/a.txt`, lineStart: 2, lineEnd: 2 })
})

test('S-06: a selection that takes the line break along sends no line too much', async () => {
  const { nvim, gets } = await start()
  await nvim.feed('2Gv$:ClaudeCodeSend<CR>')
  await gets({ filePath: `${nvim.folder}/a.txt`, lineStart: 1, lineEnd: 1 })
})

test('L-07: paths are absolute, wherever Neovim is', async () => {
  const { setup, nvim, gets } = await start()
  const at = (name: string) => join(nvim.folder, name)
  await nvim.lua(`vim.cmd.cd('plugin')`)
  await nvim.feed(
    ':edit x.lua | 2ClaudeCodeSend<CR>:ClaudeCodeAdd x.lua<CR>:ClaudeCodeAdd ../a.txt 1<CR>:ClaudeCodeAdd .<CR>',
  )
  await nvim.lua(`require('claudecode').send_at_mention('x.lua', 0, 0)`)
  await gets(
    { filePath: at('plugin/x.lua'), lineStart: 1, lineEnd: 1 },
    { filePath: at('plugin/x.lua') },
    { filePath: at('a.txt'), lineStart: 0, lineEnd: 0 },
    { filePath: at('plugin/') },
    { filePath: at('plugin/x.lua'), lineStart: 0, lineEnd: 0 },
  )
  expect(await setup.runs()).toEqual([])
})

test('a project behind a link: a mention is of the path that the user sees, and of a file that is there', async () => {
  const { nvim, gets } = await start()
  await symlink(nvim.folder, join(nvim.home, 'linked'))
  await nvim.feed(':ClaudeCodeAdd ~/linked/a.txt 2<CR>:edit ~/linked/plugin/x.lua<CR>:1ClaudeCodeSend<CR>')
  const name = await nvim.lua<string>('return vim.api.nvim_buf_get_name(0)')
  expect([`${nvim.home}/linked/plugin/x.lua`, `${nvim.folder}/plugin/x.lua`]).toContain(name)
  await gets(
    { filePath: `${nvim.home}/linked/a.txt`, lineStart: 1, lineEnd: 1 },
    { filePath: name, lineStart: 0, lineEnd: 0 },
  )
})

test('M-01: :ClaudeCodeAdd takes blanks, escaped or not, and lines behind them', async () => {
  const { nvim, gets } = await start()
  await nvim.feed(':edit My Docs/a b.txt<CR>')
  for (const words of ['%', 'My\\ Docs/a\\ b.txt', 'My Docs/a b.txt', '% 2 3', 'My\\ Docs/a\\ b.txt 2'])
    await nvim.feed(`:ClaudeCodeAdd ${words}<CR>`)
  const filePath = join(nvim.folder, 'My Docs/a b.txt')
  await gets(
    { filePath },
    { filePath },
    { filePath },
    { filePath, lineStart: 1, lineEnd: 2 },
    { filePath, lineStart: 1, lineEnd: 1 },
  )
})

test('M-03: line 30 is line 29 for Claude, and only that one', async () => {
  const { nvim, gets } = await start({ files: { 'a.txt': 'line\n'.repeat(40) } })
  await nvim.feed(':30ClaudeCodeSend<CR>30GV:ClaudeCodeSend<CR>:ClaudeCodeAdd a.txt 30<CR>')
  const mention = { filePath: `${nvim.folder}/a.txt`, lineStart: 29, lineEnd: 29 }
  await gets(mention, mention, mention)
})

test('M-04: a folder ends in a slash and has no lines', async () => {
  const { nvim, gets } = await start()
  await nvim.feed(':ClaudeCodeAdd plugin<CR>:ClaudeCodeAdd plugin/ 1 2<CR>')
  await gets({ filePath: `${nvim.folder}/plugin/` }, { filePath: `${nvim.folder}/plugin/` })
})

test('M-06: three mentions and a question are one prompt, submitted once', async () => {
  const setup = await startWithFakeClaude({ files, args: ['a.txt'], setup: quick })
  const { nvim } = setup
  await nvim.lua(`for line = 0, 2 do require('claudecode').send_at_mention('a.txt', line, line) end`)
  const run = await setup.waitForRun()
  await nvim.lua(`vim.cmd.ClaudeCodeAsk('why?')`)
  const claude = await setup.connect()
  await nvim.waitFor(async () => (await setup.typed(run)).toString() === '\x1b[200~why?\x1b[201~\r', 'the question')
  expect(mentionsOf(claude).map(({ lineStart }) => lineStart)).toEqual([0, 1, 2])
})

test('M-07: from buffers that are no files nothing is sent, with the reason', async () => {
  const { nvim, claude, gets } = await start({
    init: 'told = {} vim.notify = function(text) table.insert(told, text) end',
  })
  const proposal = proposeChange(claude, { nvim })
  await nvim.waitFor('vim.b.claudecode_diff_tab_name ~= nil', 'the proposal')
  await nvim.feed(':1ClaudeCodeSend<CR>:q!<CR>')
  await proposal
  const buffers = [
    ':help<CR>',
    ':copen<CR>',
    ':terminal cat<CR><C-\\><C-n>',
    ':new<CR>',
    ':split fugitive:///x//0/a<CR>',
  ]
  for (const keys of buffers) await nvim.feed(`${keys}:.ClaudeCodeSend<CR>`)
  const told = await nvim.lua<string[]>(
    `return vim.iter(told):filter(function(text) return text:find('nothing was sent') end):totable()`,
  )
  expect(told).toEqual(Array(6).fill('claudecode: nothing was sent: this buffer is not a file'))
  await gets()
})

test('M-08: two hundred files are all sent, not at once, and the user sees that they are on their way', async () => {
  const many = Array.from({ length: 200 }, (_, i) => `many/f${String(i).padStart(3, '0')}.txt`)
  const { nvim, claude } = await start({ files: Object.fromEntries(['a.txt', ...many].map(name => [name, 'x\n'])) })
  await nvim.feed(':ClaudeCodeAdd many/*.txt<CR>')
  await nvim.waitForScreen(/200 mentions are on their way/)
  await claude.waitForNotification('at_mentioned')
  expect(mentionsOf(claude).length).toBeLessThan(200)
  await nvim.waitFor(() => mentionsOf(claude).length === 200, 'all of them')
  expect(mentionsOf(claude).map(({ filePath }) => filePath)).toEqual(many.map(name => join(nvim.folder, name)))
})

test('M-09: while the server is stopped a send is one clear error, and nothing waits', async () => {
  const { setup, nvim, claude } = await start({
    init: 'told = {} vim.notify = function(text) table.insert(told, text) end',
  })
  await nvim.feed(':ClaudeCodeStop<CR>')
  await claude.closed
  await nvim.waitFor("vim.tbl_contains(told, 'claudecode: the server is stopped')", 'the notice of the stop')
  await nvim.lua('told = {}')
  await nvim.feed(':1ClaudeCodeSend<CR>')
  await nvim.waitFor('#told > 0', 'the error')
  await nvim.feed(':ClaudeCodeStart<CR>')
  await nvim.waitFor("require('claudecode.status').get().port", 'the server')
  expect((await nvim.lua<string[]>('return told'))[0]).toBe(
    'claudecode: nothing was sent: the server is stopped; :ClaudeCodeStart starts it',
  )
  const late = await setup.connect()
  await nvim.waitFor("require('claudecode').is_claude_connected()", 'Claude to be connected')
  await expectMentions(setup, late, [])
})

test('M-12: words behind :ClaudeCode reach the program, such as `agents`', async () => {
  const setup = await startWithFakeClaude({ files, setup: quick })
  await setup.nvim.feed(':ClaudeCode agents<CR>')
  expect((await setup.waitForRun()).argv).toEqual(['agents'])
})

test('W-07: three mentions before Claude is there are delivered once, in order', async () => {
  const setup = await startWithFakeClaude({ files, args: ['a.txt'], setup: quick })
  await setup.nvim.lua(`for line = 0, 2 do require('claudecode').send_at_mention('a.txt', line, line) end`)
  await setup.waitForRun()
  const claude = await setup.connect()
  await claude.waitForNotification('at_mentioned', ({ lineStart }) => lineStart === 2)
  const at = (line: number) => ({ filePath: `${setup.nvim.folder}/a.txt`, lineStart: line, lineEnd: line })
  await expectMentions(setup, claude, [at(0), at(1), at(2)])
})

test('W-13: with two Claudes only the one that was active last gets a mention', async () => {
  const { setup, nvim, claude: first } = await start()
  const second = await setup.connect()
  await first.callTool('getOpenEditors')
  await nvim.feed(':1ClaudeCodeSend<CR>')
  await first.waitForNotification('at_mentioned')
  await second.callTool('getOpenEditors')
  await nvim.feed(':2ClaudeCodeSend<CR>')
  await second.waitForNotification('at_mentioned')
  expect([first, second].map(claude => mentionsOf(claude).map(({ lineStart }) => lineStart))).toEqual([[0], [1]])
})
