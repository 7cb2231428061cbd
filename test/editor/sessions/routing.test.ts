// Several Claudes in one Neovim: whose connection is whose, and who gets what the user sends.
import { execFile } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { ClaudeClient } from '../../support/claude-client.ts'
import { ReviewSession } from '../../support/diff.ts'
import { waitForEnd, waitForMessage } from '../../support/fake-claude.ts'
import { killHost } from '../../support/plugin.ts'
import { startTwo, typed, waitForStates } from '../../support/sessions.ts'

/** The files that a Claude was pointed to. */
function mentioned(claude: ClaudeClient): string[] {
  return claude.notifications
    .filter(({ method }) => method === 'at_mentioned')
    .map(({ params }) => String(params['filePath']).replace(/.*\//, ''))
}

/** Lua: the host has said for whom what waits is. */
const isAddressed = "vim.tbl_get(require('claudecode.outbox').waiting() or {}, 'items', 1, 'session') ~= nil"

/** Both Claudes are connected, and the user is in top.txt, in the folder of `web`. */
async function startConnected(options: Parameters<typeof startTwo>[0] = {}) {
  const two = await startTwo({ setup: '{ connection_wait_delay = 0 }', ...options })
  const [first, second] = [await two.setup.connect(two.api), await two.setup.connect(two.web)]
  await waitForStates(two.setup, 'connected', 'connected')
  await two.nvim.feed('<C-q><C-w>p')
  return { ...two, first, second, review: new ReviewSession(two.nvim, first) }
}

describe('T-21: a mention', () => {
  test('goes to the Claude of the current folder, and to that one only', async () => {
    const { nvim, first, second } = await startConnected()
    await nvim.feed(':1ClaudeCodeSend<CR>')
    await second.waitForNotification('at_mentioned')
    await nvim.feed(':cd ../api<CR>:ClaudeCodeAdd a.txt<CR>')
    await first.waitForNotification('at_mentioned')
    await nvim.feed(':cd ..<CR>:1ClaudeCodeSend<CR>') // the folder has none: the one that was used last
    await first.waitForNotification('at_mentioned', ({ filePath }) => String(filePath).endsWith('top.txt'))
    await nvim.feed(':ClaudeCodeSessions web<CR>')
    await nvim.waitFor("vim.fn.mode() == 't'", 'the terminal of web')
    await nvim.feed('<C-q><C-w>p:ClaudeCodeAdd api/a.txt<CR>')
    await second.waitForNotification('at_mentioned', ({ filePath }) => String(filePath).endsWith('a.txt'))
    expect([mentioned(first), mentioned(second)]).toEqual([
      ['a.txt', 'top.txt'],
      ['top.txt', 'a.txt'],
    ])
  })

  test('in a folder without one goes to the Claude that its user has written to last', async () => {
    const { nvim, first, second } = await startConnected()
    await nvim.feed(':cd ..<CR>')
    await first.callTool('closeAllDiffTabs') // as the CLI does when its user has written something
    await nvim.feed(':1ClaudeCodeSend<CR>')
    await first.waitForNotification('at_mentioned')
    expect(mentioned(second)).toEqual([])
    await nvim.feed(':ClaudeCodeSendText hi<CR>')
    await nvim.waitFor("require('claudecode.terminal.sessions').current().name == 'api'", 'api to be the current one')
  })

  test('that waits for one is for that one only, and comes once, also after the host was killed', async () => {
    const { setup, nvim, api, web } = await startTwo({ setup: '{ connection_wait_delay = 0 }' })
    await nvim.feed('<C-q><C-w>p:1ClaudeCodeSend<CR>')
    await nvim.waitFor(isAddressed, 'the host to know for whom it is')
    const first = await setup.connect(api)
    await waitForStates(setup, 'connected', 'not connected')
    await killHost(nvim)
    await first.closed
    const again = await setup.connect(api)
    await waitForStates(setup, 'connected', 'not connected')
    const second = await setup.connect(web)
    await second.waitForNotification('at_mentioned')
    await waitForStates(setup, 'connected', 'connected')
    expect([mentioned(first), mentioned(again), mentioned(second)]).toEqual([[], [], ['top.txt']])
  })

  test('that waits for a Claude that ends is given up, and another gets nothing of it', async () => {
    const { setup, nvim, api } = await startTwo({ setup: '{ connection_wait_delay = 0 }' })
    const first = await setup.connect(api)
    await waitForStates(setup, 'connected', 'not connected')
    await nvim.feed('<C-q><C-w>p:1ClaudeCodeSend<CR>')
    await nvim.waitFor(isAddressed, 'the host to know for whom it is')
    await nvim.feed(':ClaudeCodeSessionClose web<CR>')
    await waitForMessage(setup, 'top.txt was not sent: Claude has ended')
    expect(mentioned(first)).toEqual([])
  })

  test('and a question go to the same one', async () => {
    const { setup, nvim, second, web, api } = await startConnected()
    await nvim.feed(':1ClaudeCodeAsk why?<CR>')
    await nvim.waitFor(async () => (await typed(setup, web)).includes('why?'), 'the question')
    expect(mentioned(second)).toEqual(['top.txt'])
    expect(await typed(setup, api)).toBe('')
  })

  test('goes to a Claude that was started elsewhere when that was used last and the folder has none', async () => {
    const { setup, nvim, first, second } = await startConnected()
    const outside = await setup.connect()
    await outside.callTool('closeAllDiffTabs')
    await nvim.feed(':cd ..<CR>:1ClaudeCodeSend<CR>')
    await outside.waitForNotification('at_mentioned')
    expect([mentioned(first), mentioned(second)]).toEqual([[], []])
  })
})

describe('a connection', () => {
  test('is its session’s again after the Claude reconnects', async () => {
    const { setup, nvim, web, second } = await startConnected()
    await second.close()
    await waitForStates(setup, 'connected', 'not connected')
    const again = await setup.connect(web)
    await waitForStates(setup, 'connected', 'connected')
    await nvim.feed(':1ClaudeCodeSend<CR>')
    await again.waitForNotification('at_mentioned')
  })

  test('of a program that a Claude has started is its session’s', async () => {
    const { setup, api } = await startTwo({ setup: '{ connection_wait_delay = 0 }' })
    const child = execFile('sleep', ['60'], { env: { CLAUDECODE_SESSION: String(api.env['CLAUDECODE_SESSION']) } })
    try {
      await setup.connect({ ...api, pid: child.pid as number })
      await waitForStates(setup, 'connected', 'not connected')
    } finally {
      child.kill()
    }
  })

  test('that says no process id that is known is nobody’s, and is served', async () => {
    const { setup } = await startTwo({ setup: '{ connection_wait_delay = 0 }' })
    const outside = await setup.connect()
    await waitForStates(setup, 'not connected', 'not connected')
    expect((await outside.callTool('getWorkspaceFolders')).isError).not.toBe(true)
  })
})

describe('diffs', () => {
  const events = `Opened = {}
    vim.api.nvim_create_autocmd('User', { pattern = 'ClaudeCodeDiffOpened', callback = function(event)
      Opened[#Opened + 1] = event.data.session
    end })`

  test('carry the session’s name, and are decided in any order', async () => {
    const { nvim, first, second, review } = await startConnected({ init: events })
    const a = await review.open('api/a.txt', 'ONE\n', { client: first })
    const b = await review.open('web/b.txt', 'TWO\n', { client: second })
    await nvim.waitForScreen(/\(proposed by web\)/)
    expect(await nvim.lua('return Opened')).toEqual(['api', 'web'])
    await nvim.feed(':ClaudeCodeDiffAccept<CR>')
    expect(await b.answer).toEqual(['FILE_SAVED', 'TWO\n'])
    await review.expectStillPending(a)
    await second.callTool('close_tab', { tab_name: b.tabName })
    await nvim.feed(':ClaudeCodeDiffAccept<CR>')
    expect(await a.answer).toEqual(['FILE_SAVED', 'ONE\n'])
  })

  test('of one stay open when the user writes to the other, which closes its own only', async () => {
    const { first, second, review } = await startConnected()
    const a = await review.open('api/a.txt', 'ONE\n', { client: first })
    const b = await review.open('web/b.txt', 'TWO\n', { client: second })
    expect((await second.callTool('closeAllDiffTabs')).content[0]?.text).toBe('CLOSED_1_DIFF_TABS')
    expect((await b.answer)[0]).toBe('DIFF_REJECTED')
    await review.expectStillPending(a)
  })

  test('of a Claude in Neovim are closed with all others by one that was started elsewhere', async () => {
    const { setup, first, review } = await startConnected()
    const a = await review.open('api/a.txt', 'ONE\n', { client: first })
    const outside = await setup.connect()
    expect((await outside.callTool('closeAllDiffTabs')).content[0]?.text).toBe('CLOSED_1_DIFF_TABS')
    expect((await a.answer)[0]).toBe('DIFF_REJECTED')
  })

  test('of one stay open, and are answered, when the other ends', async () => {
    const { setup, nvim, first, second, web, review } = await startConnected()
    const a = await review.open('api/a.txt', 'ONE\n', { client: first })
    const b = await review.open('web/b.txt', 'TWO\n', { client: second })
    await nvim.feed(':ClaudeCodeSessionClose web<CR>')
    await waitForEnd(web)
    second.terminate() // the fake program and its connection are two
    await review.waitForClosed(b)
    await review.expectStillPending(a)
    await nvim.feed(':ClaudeCodeDiffAccept<CR>')
    expect(await a.answer).toEqual(['FILE_SAVED', 'ONE\n'])
    await waitForStates(setup, 'connected')
  })

  test('are counted in the list', async () => {
    const { nvim, first, review } = await startConnected()
    await review.open('api/a.txt', 'ONE\n', { client: first })
    await nvim.feed(':ClaudeCodeSessions<CR>')
    await nvim.waitForScreen(/api +\S+ +connected, 1 diff to review/)
    await nvim.feed('<Esc>')
  })
})
