// U-01: what is private leaves by no path, whichever way it is made private.
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { show } from '../../support/selection.ts'
import { diagnose, expectNothingLeaves, files, secret, start } from './support.ts'

describe('U-01: nothing leaves of', () => {
  test('a file that a built-in pattern hides', async () => {
    const setup = await start()
    await expectNothingLeaves(setup, '.env')
    expect(await setup.nvim.lua('return vim.v.errmsg')).not.toMatch(/claudecode/)
  })

  test('a file that a pattern of the user hides', async () => {
    const setup = await start({
      files: { ...files, 'deep/x.sql': secret },
      setup: `{ privacy = { ignore = { 'deep/*.sql' } } }`,
    })
    await expectNothingLeaves(setup, 'deep/x.sql')
  })

  test('a file that is a link to a private one, and one whose link is private', async () => {
    const setup = await start()
    await symlink('.env', join(setup.nvim.folder, 'innocent'))
    await expectNothingLeaves(setup, 'innocent')
    await symlink('b.txt', join(setup.nvim.folder, '.env.link'))
    await setup.nvim.lua(`vim.fn.writefile({ 'hunter2', 'hunter3' }, 'b.txt')`)
    await expectNothingLeaves(setup, '.env.link')
  })

  test('a file in a project that is reached through a link', async () => {
    const setup = await start({ files: { ...files, 'real/secrets/hushed': secret } })
    await symlink('real', join(setup.nvim.folder, 'linked'))
    await setup.nvim.lua(`vim.cmd.cd('linked')
      require('claudecode').setup({ privacy = { ignore = { '/secrets/' } } })`)
    await expectNothingLeaves(setup, '../linked/secrets/hushed')
    await setup.nvim.lua('vim.cmd.bwipeout()')
    await expectNothingLeaves(setup, '../real/secrets/hushed')
  })

  test("a file that the user's function hides; it stays in Lua, and is asked once for each file", async () => {
    const setup = await start({
      files: { ...files, 'x.md': secret },
      init: `asked = {}
        function is_private(path, buffer)
          table.insert(asked, vim.fs.basename(path) .. ' ' .. tostring(buffer == vim.fn.bufnr(path)))
          return path:find('%.md$') ~= nil
        end`,
      setup: `{ privacy = { ignore_function = is_private } }`,
    })
    await expectNothingLeaves(setup, 'x.md')
    expect(
      await setup.nvim.lua(`return vim.iter(asked):filter(function(a) return a:find('x.md') end):totable()`),
    ).toEqual(['x.md true'])
  })

  test('any file, when the function fails, of which the user is told once', async () => {
    const setup = await start({
      files: { ...files, 'x.md': secret },
      init: `told = {}
        vim.notify = function(text) table.insert(told, text) end
        function fails(path) if path:find('a.txt') then return false end error('no such thing') end`,
      setup: `{ privacy = { ignore_function = fails } }`,
    })
    await expectNothingLeaves(setup, 'x.md')
    await setup.nvim.feed(':edit b.txt<CR>')
    await setup.tracking.letTimePass()
    const told = await setup.nvim.lua<string[]>('return told')
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(/^claudecode: privacy.ignore_function fails, so files are private: .*no such thing/)
  })

  test.each(['let b:claudecode_private = 1', 'let b:claudecode_private = v:true'])('a buffer with :%s', async flag => {
    const setup = await start({ files: { ...files, 'x.md': secret }, init: `vim.cmd('autocmd BufNew x.md echo')` })
    await setup.nvim.lua(`vim.api.nvim_create_autocmd('BufReadPost', { pattern = 'x.md', command = ... })`, flag)
    await expectNothingLeaves(setup, 'x.md')
  })

  test('any file after :ClaudeCodeTrack off', async () => {
    const setup = await start({ files: { ...files, 'x.md': secret } })
    await setup.nvim.feed(':ClaudeCodeTrack off<CR>')
    await expectNothingLeaves(setup, 'x.md')
    expect(JSON.parse((await setup.claude.callTool('getOpenEditors')).content[0]?.text ?? '')).toEqual({ tabs: [] })
  })

  test('a private file, also where the selection is only read when Claude asks', async () => {
    const setup = await start({ setup: '{ track_selection = false }' })
    await expectNothingLeaves(setup, '.env')
    await setup.nvim.feed(':edit a.txt<CR>V')
    expect(await setup.listener.asks('getCurrentSelection')).toMatchObject({ success: true, text: 'one' })
  })

  test('a selection too long to travel at once', async () => {
    const setup = await start({ files: { ...files, 'big.pem': 'hunter2 '.repeat(50_000) } })
    await expectNothingLeaves(setup, 'big.pem')
  })
})

test('diagnostics of private files take no room from the others, and do not count as left out', async () => {
  const { nvim, claude } = await start({ files: { ...files, '.env': secret.repeat(500) } })
  await nvim.lua(`vim.cmd.edit('.env')`)
  await diagnose(nvim, 'hunter4')
  await nvim.lua(`vim.cmd.edit('b.txt')`)
  await diagnose(nvim, 'an error')
  const { content } = await claude.callTool('getDiagnostics')
  expect(content).toHaveLength(1)
  const list = JSON.parse(content[0]?.text ?? '')
  expect(list.map(({ uri }: { uri: string }) => uri)).toEqual([`file://${nvim.folder}/b.txt`])
})

test('coming to a private file takes away what Claude saw, and coming back gives it back', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.feed('Vj<Esc>')
  await listener.hears('0:0-1:3 "one\\ntwo"')
  listener.news()
  await nvim.feed(':edit .env<CR>jjVk<Esc>')
  await tracking.letTimePass()
  expect(listener.told.at(-1)).toMatchObject({ text: '', filePath: '', fileUrl: '', selection: { isEmpty: true } })
  expect(listener.news()).toEqual(['cursor 0:0'])
  expect(await listener.asks('getLatestSelection')).toMatchObject({ text: 'one\ntwo' })
  await nvim.feed(':edit a.txt<CR>')
  await listener.hears('cursor 1:0', one => one.filePath === `${nvim.folder}/a.txt`)
})

describe('what Claude has seen is forgotten at once', () => {
  test.each([
    ['when the buffer becomes private', `vim.b.claudecode_private = true`],
    ['when an option hides it', `require('claudecode').setup({ privacy = { ignore = { 'a.txt' } } })`],
    [
      'when a function hides it',
      `require('claudecode').setup({ privacy = { ignore_function = function() return true end } })`,
    ],
    ['when tracking is switched off', `vim.cmd.ClaudeCodeTrack('off')`],
    ['when tracking is switched off by an option', `require('claudecode').setup({ track_selection = false })`],
  ])('%s', async (_when, code) => {
    const { tracking, nvim, listener } = await start()
    await nvim.feed('V<Esc>')
    await listener.hears('0:0-0:3 "one"')
    await nvim.lua(code)
    await nvim.waitFor(() => listener.told.at(-1)?.filePath === '', 'Claude to be told that it sees nothing')
    expect(await listener.asks('getLatestSelection')).toEqual({ success: false, message: 'No selection available' })
    const late = await tracking.connect()
    await late.claude.callTool('getLatestSelection')
    expect(late.told).toEqual([])
  })

  test('also when it is a buffer that the user is not in; the one that they are in stays', async () => {
    const { tracking, nvim, listener } = await start()
    await nvim.feed('V<Esc>')
    await listener.hears('0:0-0:3 "one"')
    await nvim.feed(':edit b.txt<CR>')
    await listener.hears('cursor 0:0', one => one.filePath.endsWith('/b.txt'))
    await nvim.lua(`vim.b[vim.fn.bufnr('a.txt')].claudecode_private = true`)
    await nvim.waitFor(
      async () => (await listener.asks('getLatestSelection')).success === false,
      'the selection to be forgotten',
    )
    await tracking.letTimePass()
    expect(listener.told.at(-1)?.filePath).toBe(`${nvim.folder}/b.txt`)
  })

  test('and comes back when it is private no more', async () => {
    const { nvim, listener } = await start()
    await nvim.lua('vim.b.claudecode_private = true')
    await nvim.waitFor(() => listener.told.at(-1)?.filePath === '', 'Claude to be told that it sees nothing')
    await nvim.lua('vim.b.claudecode_private = nil')
    await listener.hears('cursor 0:0', one => one.filePath.endsWith('/a.txt'))
    await nvim.lua(`require('claudecode').setup({ privacy = { ignore = { 'a.*' } } })`)
    await nvim.waitFor(() => listener.told.at(-1)?.filePath === '', 'the same')
    await nvim.lua(`require('claudecode').setup({})`)
    await listener.hears('cursor 0:0', one => one.filePath.endsWith('/a.txt'))
  })
})

test('the text of a private file does not even travel to the host, once it is known to be private', async () => {
  const { tracking, nvim, listener } = await start()
  await nvim.feed(':edit .env<CR>')
  await nvim.waitFor(() => listener.told.at(-1)?.filePath === '', 'the file to be known')
  await tracking.letTimePass()
  await nvim.lua(`_G.sent = {}
    local notify = require('claudecode.host').notify
    require('claudecode.host').notify = function(event, payload)
      table.insert(_G.sent, event)
      notify(event, payload)
    end`)
  await nvim.feed('VG<Esc>ggvj<Esc>kk')
  await tracking.letTimePass()
  expect(await nvim.lua('return _G.sent')).toEqual([])
  await nvim.feed(':edit a.txt<CR>Vj')
  await listener.hears('0:0-1:3 "one\\ntwo"')
  expect(await nvim.lua('return _G.sent')).toContain('selection')
})

test('setup({ privacy = { ignore_secrets = false } }) shows them', async () => {
  const { nvim, listener } = await start({ setup: '{ privacy = { ignore_secrets = false } }' })
  await nvim.feed(':edit .env<CR>V')
  await listener.hears('0:0-0:13 "TOKEN=hunter2"')
  expect(listener.told.map(show)).toContain('0:0-0:13 "TOKEN=hunter2"')
})
