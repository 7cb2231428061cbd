// What is private is sent on purpose only, after a question, once for each file.
import { expect, test } from 'vitest'
import { startWithFakeClaude } from '../../support/fake-claude.ts'
import { files } from './support.ts'

/** Answers vim.ui.select() by `answers`, in their order, and keeps what was asked. */
const answering = `
  asked, told, answers = {}, {}, {}
  vim.notify = function(text) table.insert(told, text) end
  vim.ui.select = function(choices, options, on_choice)
    table.insert(asked, options.prompt .. ' ' .. table.concat(choices, '/'))
    local choice = table.remove(answers, 1)
    on_choice(choices[choice], choice)
  end`

async function start(init = '', setup = '{ connection_wait_delay = 0 }') {
  const started = await startWithFakeClaude({ setup, files, args: ['.env'], init: answering + init })
  const claude = await started.connect()
  await started.nvim.waitFor("require('claudecode').is_claude_connected()", 'Claude to be connected')
  const { nvim } = started

  /** Sends something that is not private, and says what came up to it. */
  async function arrived(): Promise<string[]> {
    await nvim.lua(`require('claudecode').send_at_mention('b.txt', 0, 0, 'last')`)
    await claude.waitForNotification('at_mentioned', ({ filePath }) => String(filePath).endsWith('/b.txt'))
    return claude.notifications
      .filter(({ method }) => method === 'at_mentioned')
      .map(({ params }) => String(params['filePath']).replace(`${nvim.folder}/`, ''))
  }
  const asked = (count: number) =>
    nvim.waitFor(async () => {
      const all = await nvim.lua<string[]>('return asked')
      return all.length >= count && all
    }, `${count} questions`)
  return { ...started, claude, arrived, asked }
}

test.each([
  [':ClaudeCodeSend', ':1ClaudeCodeSend<CR>'],
  [':ClaudeCodeAdd', ':ClaudeCodeAdd .env<CR>'],
  ['send_at_mention()', `:lua require('claudecode').send_at_mention('.env', 0, 0)<CR>`],
])('%s asks, sends after a yes, and does not ask again', async (_name, keys) => {
  const { nvim, asked, arrived } = await start()
  await nvim.lua('answers = { 1 }')
  await nvim.feed(keys)
  expect(await asked(1)).toEqual([".env is private. Send it to Claude? Send it/Don't send it"])
  await nvim.feed(keys)
  expect(await arrived()).toEqual(['.env', '.env', 'b.txt'])
  expect(await asked(1)).toHaveLength(1)
})

test.each([
  ['a no', '2'],
  ['no answer', ''],
])('after %s nothing is sent, the user is told, and asked again next time', async (_what, answer) => {
  const { nvim, asked, arrived } = await start()
  await nvim.lua(`answers = { ${answer} }`)
  await nvim.feed(':1ClaudeCodeSend<CR>')
  await asked(1)
  await nvim.waitFor(`vim.list_contains(told, 'claudecode: .env was not sent: private')`, 'the notice')
  expect(await arrived()).toEqual(['b.txt'])
  await nvim.feed(':1ClaudeCodeSend<CR>')
  await asked(2)
})

test('of several files the private ones are asked for, and the rest is sent in order', async () => {
  const { nvim, asked, arrived } = await start()
  await nvim.lua(`answers = { 2, 3 }
    for _, name in ipairs({ '1.pem', '2.pem', '3.pem' }) do vim.fn.writefile({}, name) end`)
  await nvim.feed(':ClaudeCodeAdd [123a]*<CR>')
  expect(await asked(2)).toEqual([
    "1.pem is private. Send it to Claude? Send it/Don't send it/Send all 3/Send none of the 3",
    "2.pem is private. Send it to Claude? Send it/Don't send it/Send all 2/Send none of the 2",
  ])
  expect(await arrived()).toEqual(['2.pem', '3.pem', 'a.txt', 'b.txt'])
})

test('a flag, a function and a pattern for a folder ask, too', async () => {
  const { nvim, asked, arrived } = await start(
    '',
    `{ connection_wait_delay = 0, privacy = {
      ignore = { 'secret/' },
      ignore_function = function(path) return path:find('closed') ~= nil end,
    } }`,
  )
  await nvim.lua(
    `vim.fn.mkdir('secret') vim.fn.writefile({}, 'closed') vim.cmd.edit('a.txt') vim.b.claudecode_private = true`,
  )
  for (const [index, name] of ['a.txt', 'closed', 'secret'].entries()) {
    await nvim.lua('table.insert(answers, 2) vim.cmd.ClaudeCodeAdd(...)', name)
    expect((await asked(index + 1)).at(-1)).toMatch(new RegExp(`^${name}/? is private`))
  }
  expect(await arrived()).toEqual(['b.txt'])
})

test(':ClaudeCodeSendDiagnostics and :ClaudeCodeAsk ask, too', async () => {
  const { nvim, asked, arrived } = await start()
  await nvim.lua(`vim.diagnostic.set(vim.api.nvim_create_namespace('test'), 0, {
    { lnum = 0, col = 0, message = 'hunter4', severity = 1 } })
    sent = {}
    require('claudecode.terminal').send_to_terminal = function(text) table.insert(sent, text) return true end`)
  await nvim.feed(':ClaudeCodeSendDiagnostics<CR>')
  await asked(1)
  await nvim.feed(':1ClaudeCodeAsk why?<CR>')
  await asked(2)
  expect(await arrived()).toEqual(['b.txt'])
  expect(await nvim.lua('return sent')).toEqual([])
  await nvim.lua('answers = { 1 }')
  await nvim.feed(':ClaudeCodeSendDiagnostics<CR>')
  await nvim.waitFor('#sent == 1', 'the diagnostics')
})

test("with Neovim's own question: it waits for a key, and the host is not kept waiting", async () => {
  const { nvim, claude, arrived } = await start('\nvim.ui.select = require("vim.ui").select')
  await nvim.lua(
    `package.loaded['vim.ui'] = nil vim.ui.select = dofile(vim.env.VIMRUNTIME .. '/lua/vim/ui.lua').select`,
  )
  await nvim.input(':1ClaudeCodeSend<CR>')
  await nvim.waitFor(() => nvim.screen().join('\n').includes('.env is private. Send it to Claude?'), 'the question')
  expect(claude.notifications.some(({ method }) => method === 'at_mentioned')).toBe(false)
  await nvim.input('1<CR>')
  await claude.waitForNotification('at_mentioned', ({ filePath }) => String(filePath).endsWith('/.env'))
  expect(await arrived()).toEqual(['.env', 'b.txt'])
})
