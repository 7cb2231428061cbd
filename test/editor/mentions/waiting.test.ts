// Mentions while no Claude is connected, or several are: delivered in order, once, or accounted for.
import { describe, expect, test } from 'vitest'
import type { ClaudeClient } from '../../support/claude-client.ts'
import { type FakeSetup, startWithFakeClaude } from '../../support/fake-claude.ts'

const files = { 'a.txt': 'one\ntwo\n', 'b.txt': 'one\n' }

function paths(claude: ClaudeClient): string[] {
  return claude.notifications
    .filter(({ method }) => method === 'at_mentioned')
    .map(({ params }) => String(params['filePath']).replace(/.*\//, ''))
}

function waitForMessage({ nvim }: FakeSetup, text: string): Promise<unknown> {
  return nvim.waitFor(async () => (await nvim.messages()).includes(text), `the message "${text}"`)
}

const recordEvents = `vim.g.events = {}
  vim.api.nvim_create_autocmd('User', { pattern = 'ClaudeCodeSendComplete', callback = function(event)
    local events = vim.g.events
    events[#events + 1] = event.data
    vim.g.events = events
  end })`

describe('without a Claude', () => {
  test('W-08: one is started, and gets all mentions in order once it has connected', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'], init: recordEvents })
    const { nvim } = setup
    await nvim.feed(':2ClaudeCodeSend<CR>:ClaudeCodeAdd b.txt<CR>')
    await setup.waitForRun()
    expect(await nvim.lua('return vim.g.events')).toEqual([])
    const claude = await setup.connect()
    await nvim.waitFor('#vim.g.events == 2', 'two mentions to be sent')
    expect(paths(claude)).toEqual(['a.txt', 'b.txt'])
    expect(await nvim.lua('return vim.g.events')).toEqual([
      { file_path: `${nvim.folder}/a.txt`, start_line: 1, end_line: 1, context: 'ClaudeCodeSend' },
      { file_path: `${nvim.folder}/b.txt`, context: 'ClaudeCodeAdd' },
    ])
    expect(await setup.runs()).toHaveLength(1)
  })

  test('the host starts for it, too', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'], setup: '{ auto_start = false }', waits: false })
    await setup.nvim.feed(':1ClaudeCodeSend<CR>')
    await setup.waitForRun()
    const claude = await setup.connect()
    await claude.waitForNotification('at_mentioned')
  })

  test('L-02: the user is told why it waits, and it is delivered all the same', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'], setup: '{ connection_timeout = 100 }' })
    await setup.nvim.feed(':1ClaudeCodeSend<CR>')
    await setup.waitForRun()
    await waitForMessage(setup, 'a.txt is not sent yet: Claude runs but has not connected')
    const claude = await setup.connect()
    await claude.waitForNotification('at_mentioned')
  })

  test('it is given up when Claude ends, with the reason', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'], init: recordEvents })
    await setup.nvim.feed(':1ClaudeCodeSend<CR>:1ClaudeCodeSend<CR>')
    await setup.waitForRun()
    await setup.nvim.feed('<C-q>:ClaudeCodeClose<CR>')
    await waitForMessage(setup, 'a.txt and 1 more was not sent: Claude has ended')
    const claude = await setup.connect()
    await setup.nvim.lua("require('claudecode').send_at_mention('b.txt')")
    await claude.waitForNotification('at_mentioned')
    expect(paths(claude)).toEqual(['b.txt'])
  })

  test('it is given up after queue_timeout', async () => {
    const setup = await startWithFakeClaude({
      files,
      args: ['a.txt'],
      setup: "{ queue_timeout = 100, terminal = { provider = 'none' } }",
    })
    await setup.nvim.feed(':1ClaudeCodeSend<CR>')
    await setup.nvim.waitForScreen(/a\.txt was not sent: no Claude has connected: start `claude --ide`/)
  })

  test('a command that is no program is said, with the mention', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'], setup: "{ terminal_cmd = 'no-such-claude -x' }" })
    await setup.nvim.feed(':1ClaudeCodeSend<CR>')
    await setup.nvim.waitForScreen(/a\.txt was not sent: no-such-claude is not an executable/)
  })

  test('a stopped server refuses it, once', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'] })
    await setup.nvim.feed(':ClaudeCodeStop<CR>')
    await setup.nvim.waitForScreen(/the server is stopped/)
    expect(await setup.nvim.lua("return { require('claudecode').send_at_mention('a.txt') }")).toEqual([
      false,
      'the server is stopped; :ClaudeCodeStart starts it',
    ])
    await setup.nvim.waitForScreen(/nothing was sent: the server is stopped/)
    expect(await setup.runs()).toEqual([])
  })
})

describe('with several Claudes', () => {
  test('a mention goes to the one that was active last, and to that one only', async () => {
    const setup = await startWithFakeClaude({
      files,
      args: ['a.txt'],
      setup: '{ connection_wait_delay = 0 }',
      init: recordEvents,
    })
    const { nvim } = setup
    const first = await setup.connect()
    const second = await setup.connect()
    await nvim.waitFor("require('claudecode.status').get().clients == 2", 'both to be connected')
    await nvim.feed(':1ClaudeCodeSend<CR>')
    await second.waitForNotification('at_mentioned')
    await first.callTool('closeAllDiffTabs') // as the CLI does when its user has written something
    await nvim.feed(':ClaudeCodeAdd b.txt<CR>')
    await first.waitForNotification('at_mentioned')
    await first.close()
    await nvim.waitFor("require('claudecode.status').get().clients == 1", 'one to be gone')
    await nvim.feed(':2ClaudeCodeSend<CR>')
    await nvim.waitFor('#vim.g.events == 3', 'three mentions to be sent')
    expect(paths(first)).toEqual(['b.txt'])
    expect(paths(second)).toEqual(['a.txt', 'a.txt'])
  })
})

describe('after a send', () => {
  test.each([
    ['false', 'a.txt'],
    ['true', 'term://'],
  ])('focus_after_send = %s: Claude is shown, and the user is in %s', async (focus, place) => {
    const setup = await startWithFakeClaude({
      files,
      args: ['a.txt'],
      setup: `{ focus_after_send = ${focus}, connection_wait_delay = 0 }`,
      init: recordEvents,
    })
    const { nvim } = setup
    await nvim.feed(':ClaudeCode<CR>')
    await setup.waitForRun()
    await setup.connect()
    await nvim.feed('<C-\\><C-n>:ClaudeCode<CR>')
    await nvim.waitFor('#vim.api.nvim_list_wins() == 1', 'Claude to be hidden')
    await nvim.feed(':1ClaudeCodeSend<CR>')
    await nvim.waitFor('#vim.g.events == 1', 'the mention to be sent')
    expect(await nvim.lua('return #vim.api.nvim_list_wins()')).toBe(2)
    expect(await nvim.lua('return vim.api.nvim_buf_get_name(0)')).toContain(place)
  })

  test('a Claude of the user’s own gets it, and no other is started', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'] })
    const claude = await setup.connect()
    await setup.nvim.waitFor("require('claudecode').is_claude_connected()", 'Claude to be connected')
    await setup.nvim.feed(':1ClaudeCodeSend<CR>')
    await claude.waitForNotification('at_mentioned')
    expect(await setup.runs()).toEqual([])
  })

  test('send_at_mention() says what is wrong with its arguments', async () => {
    const setup = await startWithFakeClaude({ files })
    const call = (args: string) => setup.nvim.lua(`return { require('claudecode').send_at_mention(${args}) }`)
    expect(await call("'nothing.txt'")).toEqual([false, 'there is no file or folder nothing.txt'])
    expect(await call("'a.txt', 3, 1")).toEqual([false, expect.stringContaining('lines are whole numbers from 0')])
    expect(await call("'a.txt', -1")).toEqual([false, expect.stringContaining('lines are whole numbers from 0')])
    expect(await call('nil')).toEqual([false, 'a path is needed'])
    expect(await call("'a.txt', 0, 0")).toEqual([true])
  })
})
