// :ClaudeCodeTrack, and what the status line says.
import { describe, expect, test } from 'vitest'
import { start } from './support.ts'

/** Neovim lets a message be read for three seconds before Visual mode shows its own. */
const quiet = 'vim.notify = function() end'

const statusline = `require('claudecode').statusline()`

test(':ClaudeCodeTrack off, on and toggle; what Claude sees comes back', async () => {
  const { tracking, nvim, listener } = await start({ init: quiet })
  const tabs = async () => JSON.parse((await listener.claude.callTool('getOpenEditors')).content[0]?.text ?? '').tabs
  await nvim.feed(':ClaudeCodeTrack off<CR>Vj')
  await tracking.letTimePass()
  expect(listener.told.at(-1)).toMatchObject({ text: '', filePath: '' })
  expect(await listener.asks('getCurrentSelection')).toEqual({ success: false, message: 'No active editor found' })
  expect(await tabs()).toEqual([])
  await nvim.feed('<Esc>gg:ClaudeCodeTrack toggle<CR>')
  await listener.hears('cursor 0:0', one => one.filePath === `${nvim.folder}/a.txt`)
  expect(await tabs()).toHaveLength(1)
  await nvim.feed(':ClaudeCodeTrack toggle<CR>')
  await nvim.waitFor(() => listener.told.at(-1)?.filePath === '', 'Claude to be told that it sees nothing')
  await nvim.feed(':ClaudeCodeTrack on<CR>Vj')
  await listener.hears('0:0-1:3 "one\\ntwo"')
})

test('it comes before the option, and outlives setup() and the host', async () => {
  const { tracking, nvim, listener } = await start({ setup: '{ track_selection = false }' })
  await nvim.feed(':ClaudeCodeTrack on<CR>')
  await listener.hears('cursor 0:0')
  await nvim.feed(':ClaudeCodeTrack off<CR>')
  await nvim.lua(`require('claudecode').setup({ track_selection = true })`)
  expect(await listener.asks('getCurrentSelection')).toMatchObject({ success: false })
  const host = `vim.fn.jobpid(vim.iter(vim.api.nvim_list_chans()):find(function(channel)
    return channel.mode == 'rpc' and channel.stream == 'job' end).id)`
  await nvim.lua(`_G.killed = ${host} vim.uv.kill(_G.killed, 'sigkill')`)
  await listener.claude.closed
  await nvim.waitFor(
    `require('claudecode.host').phase() == 'ready' and ${host} ~= _G.killed and require('claudecode.status').get().port`,
    'the host to be back',
  )
  const late = await tracking.connect()
  await nvim.feed('Vj')
  await tracking.letTimePass()
  expect(await late.asks('getCurrentSelection')).toMatchObject({ success: false })
  expect(late.told).toEqual([])
})

test('off before the host has started keeps it off', async () => {
  const { tracking, nvim, listener } = await start({
    setup: '{ track_selection = false }',
    init: `vim.api.nvim_create_autocmd('VimEnter', { command = 'ClaudeCodeTrack off' })`,
  })
  await nvim.feed('V')
  await tracking.letTimePass()
  expect(await listener.asks('getCurrentSelection')).toMatchObject({ success: false })
})

test('it completes, says what is so, and refuses other words', async () => {
  const { nvim } = await start({
    init: `told = {} vim.notify = function(text) table.insert(told, text) end`,
  })
  expect(await nvim.lua(`return vim.fn.getcompletion('ClaudeCodeTrack ', 'cmdline')`)).toEqual(['on', 'off', 'toggle'])
  expect(await nvim.lua(`return vim.fn.getcompletion('ClaudeCodeTrack o', 'cmdline')`)).toEqual(['on', 'off'])
  for (const word of ['', 'off', 'maybe']) await nvim.feed(`:ClaudeCodeTrack ${word}<CR>`)
  expect(await nvim.lua('return told')).toEqual([
    'claudecode: tracking is on',
    'claudecode: tracking is off: Claude sees no file, no selection and no diagnostics',
    'claudecode: :ClaudeCodeTrack takes on, off or toggle, not maybe',
  ])
})

describe('the status line', () => {
  test('says what Claude sees', async () => {
    const { nvim, listener } = await start()
    const says = (text: string) => nvim.waitFor(`${statusline} == '${text}'`, text)
    await says('Claude: a.txt')
    for (const [keys, text] of [
      ['V', 'Claude: a.txt, 1 line'],
      ['j', 'Claude: a.txt, 2 lines'],
      ['<Esc>:edit .env<CR>', 'Claude: private'],
      [':help<CR>', 'Claude: private'],
      [':close<CR>:edit b.txt<CR>', 'Claude: b.txt'],
      [':let b:claudecode_private = v:true<CR>', 'Claude: private'],
      [':ClaudeCodeTrack off<CR>', 'Claude: tracking off'],
      [':ClaudeCodeTrack on<CR>', 'Claude: private'],
      [':unlet b:claudecode_private<CR>', 'Claude: b.txt'],
    ] as const) {
      await nvim.feed(keys)
      await says(text)
    }
    await listener.claude.close()
    await says('Claude (not connected)')
  })

  test('is drawn anew when that changes', async () => {
    const { nvim } = await start({
      init: `vim.o.laststatus = 2 vim.o.statusline = "[%{v:lua.require'claudecode'.statusline()}]"`,
    })
    const shows = (text: string) => nvim.waitFor(() => nvim.screen().join('\n').includes(`[${text}]`), text)
    await shows('Claude: a.txt')
    await nvim.feed('Vj')
    await shows('Claude: a.txt, 2 lines')
    await nvim.feed('<Esc>:edit .env<CR>')
    await shows('Claude: private')
    await nvim.feed(':ClaudeCodeTrack off<CR>')
    await shows('Claude: tracking off')
  })
})
