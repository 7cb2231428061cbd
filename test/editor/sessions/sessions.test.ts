// Several Claudes in one Neovim: which one a command means, what they are called, what becomes of their windows.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startWithFakeClaude, waitForEnd, waitForMessage } from '../../support/fake-claude.ts'
import { isAlive } from '../../support/processes.ts'
import { files, names, startTwo, typed, waitForStates, waitForWindows, windows } from '../../support/sessions.ts'

describe('T-21: each folder has its Claude', () => {
  test(':ClaudeCode starts and shows the one of the current folder, in one place', async () => {
    const { setup, nvim, api, web } = await startTwo()
    expect([api.cwd, web.cwd]).toEqual([join(nvim.folder, 'api'), join(nvim.folder, 'web')])
    expect(await names(setup)).toEqual(['api', 'web'])
    await waitForWindows(setup, 'top.txt:111', '*web:48')
    await nvim.feed('<C-q><C-w>p:cd ../api<CR>:ClaudeCode<CR>')
    await waitForWindows(setup, 'top.txt:111', '*api:48')
    await nvim.feed('x<C-q>:ClaudeCode<CR>')
    await waitForWindows(setup, '*top.txt:160')
    await nvim.waitFor(async () => (await typed(setup, api)) === 'x', 'x to arrive at api')
    expect(await typed(setup, web)).toBe('')
    expect([isAlive(api.pid), isAlive(web.pid)]).toEqual([true, true])
    expect(await setup.runs()).toHaveLength(2)
  })

  test('in the terminal of one, commands are for that one, whatever the folder is', async () => {
    const { setup, nvim, web } = await startTwo()
    await nvim.feed('<C-q>:cd ../api<CR>:ClaudeCodeSendText hi<CR>')
    await nvim.waitFor(async () => (await typed(setup, web)).includes('hi'), 'web to get the text')
    await nvim.feed(':ClaudeCode<CR>')
    await waitForWindows(setup, '*top.txt:160')
  })

  test('a folder without one means the one that was used last', async () => {
    const { setup, nvim, api } = await startTwo()
    await nvim.feed('<C-q><C-w>p:cd ../api<CR>:ClaudeCodeOpen<CR>')
    await nvim.waitFor("vim.fn.mode() == 't'", 'the terminal of api')
    await nvim.feed('<C-q><C-w>p:cd ..<CR>:ClaudeCodeSendText hi<CR>')
    await nvim.waitFor(async () => (await typed(setup, api)).includes('hi'), 'api to get the text')
    expect(await nvim.lua("return require('claudecode.terminal').get_active_terminal_bufnr()")).toBe(
      await nvim.lua("return require('claudecode.terminal.sessions').named('api').terminal:buffer()"),
    )
  })

  test('a user whose folder changes with every file has one Claude, not one for each folder', async () => {
    const setup = await startWithFakeClaude({ files, args: ['api/a.txt'], init: 'vim.o.autochdir = true' })
    await setup.nvim.feed(':ClaudeCode<CR>')
    await setup.waitForRun()
    await setup.nvim.waitFor("vim.fn.mode() == 't'", 'the terminal')
    await setup.nvim.feed('<C-q><C-w>p:edit ../web/b.txt<CR>:ClaudeCode<CR>')
    await waitForWindows(setup, '*b.txt:160')
    expect(await setup.runs()).toHaveLength(1)
  })
})

describe(':ClaudeCodeNew', () => {
  test('makes another one in the same folder, with a name of its own and arguments', async () => {
    const setup = await startWithFakeClaude({ files, args: ['top.txt'] })
    const { nvim } = setup
    await nvim.feed(':ClaudeCodeNew<CR>')
    await setup.waitForRun(1)
    await nvim.feed('<C-q><C-w>p:ClaudeCodeNew --model opus[1m]<CR>')
    const second = await setup.waitForRun(2)
    await nvim.feed('<C-q><C-w>p:ClaudeCodeNew review --continue<CR>')
    const third = await setup.waitForRun(3)
    await nvim.feed('<C-q><C-w>p:ClaudeCodeNew "with blanks"<CR>')
    await setup.waitForRun(4)
    expect([second.argv, third.argv]).toEqual([['--model', 'opus[1m]'], ['--continue']])
    await nvim.waitFor("#require('claudecode.terminal.sessions').all() == 4", 'four Claudes')
    expect(await names(setup)).toEqual(['project', 'project 2', 'review', 'with blanks'])
    await waitForWindows(setup, 'top.txt:111', '*with blanks:48')
  })

  test('refuses a name that is taken, and one that is none', async () => {
    const setup = await startWithFakeClaude({ files, args: ['top.txt'] })
    await setup.nvim.feed(':ClaudeCodeNew review<CR>')
    await setup.waitForRun()
    await setup.nvim.feed('<C-q>:ClaudeCodeNew review<CR>')
    await waitForMessage(setup, 'a Claude called "review" runs already. :ClaudeCodeSessions goes there')
    await setup.nvim.feed(':ClaudeCodeNew a/b<CR>')
    await waitForMessage(setup, "a session's name has no slash: a/b")
    expect(await setup.runs()).toHaveLength(1)
  })
})

describe(':ClaudeCodeSessions', () => {
  test('lists them, and goes to the one that is chosen', async () => {
    const { setup, nvim, api } = await startTwo()
    await setup.connect(api)
    await waitForStates(setup, 'connected', 'not connected')
    await nvim.feed('<C-q>:ClaudeCodeSessions<CR>')
    await nvim.waitForScreen(/Go to which Claude/)
    const screen = nvim.screen().join('\n')
    expect(screen).toMatch(/1: +api +\S*project\/api +connected/)
    expect(screen).toMatch(/2: \* web +\S*project\/web +not connected/)
    await nvim.feed('1<CR>')
    await waitForWindows(setup, 'top.txt:111', '*api:48')
    await nvim.feed('<C-q>:ClaudeCodeSessions w<Tab><CR>')
    await waitForWindows(setup, 'top.txt:111', '*web:48')
  })

  test('ends one, by choice and by name; the other goes on', async () => {
    const { setup, nvim, api, web } = await startTwo()
    await nvim.feed('<C-q>:ClaudeCodeSessions!<CR>')
    await nvim.waitForScreen(/End which Claude/)
    await nvim.feed('1<CR>')
    await waitForEnd(api)
    await waitForMessage(setup, 'api has ended')
    await waitForWindows(setup, 'top.txt:111', '*web:48')
    expect(isAlive(web.pid)).toBe(true)
    await nvim.feed(':ClaudeCodeSessionClose nobody<CR>')
    await waitForMessage(setup, 'no Claude is called "nobody"')
    await nvim.feed(':ClaudeCodeSessionClose web<CR>')
    await waitForEnd(web)
    await waitForWindows(setup, '*top.txt:160')
    await nvim.feed(':ClaudeCodeSessions<CR>')
    await waitForMessage(setup, 'no Claude runs in Neovim; :ClaudeCode starts one')
  })

  test(':ClaudeCodeClose ends the current one only', async () => {
    const { setup, nvim, api, web } = await startTwo()
    await nvim.feed('<C-q>:ClaudeCodeClose<CR>')
    await waitForEnd(web)
    expect(isAlive(api.pid)).toBe(true)
    expect(await names(setup)).toEqual(['api'])
  })

  test('User events say that one has begun, and ended', async () => {
    const { nvim } = await startTwo({
      init: `Events = {}
        vim.api.nvim_create_autocmd('User', { pattern = { 'ClaudeCodeSessionStarted', 'ClaudeCodeSessionEnded' }, callback = function(event)
          Events[#Events + 1] = event.match .. ' ' .. event.data.name
        end })`,
    })
    await nvim.feed('<C-q>:ClaudeCodeClose<CR>')
    await nvim.waitFor('#Events == 3', 'three events')
    expect(await nvim.lua('return Events')).toEqual([
      'ClaudeCodeSessionStarted api',
      'ClaudeCodeSessionStarted web',
      'ClaudeCodeSessionEnded web',
    ])
  })
})

describe('windows', () => {
  test('the code windows have their sizes back after two Claudes were in one place', async () => {
    const { setup, nvim } = await startTwo({ args: ['-O', 'top.txt', 'api/a.txt'] })
    await nvim.feed('<C-q>:cd ../api<CR>:ClaudeCodeSessions api<CR>')
    await nvim.waitFor("vim.fn.mode() == 't'", 'the terminal of api')
    await nvim.feed('<C-q>:ClaudeCode<CR>')
    await nvim.waitFor('#vim.api.nvim_list_wins() == 2', 'Claude to be hidden')
    expect((await windows(setup)).map(name => name.replace('*', ''))).toEqual(['top.txt:80', 'a.txt:79'])
  })

  test('a Claude that ends behind another leaves the window alone; one that is shown takes it along', async () => {
    const { setup, nvim, api } = await startTwo()
    process.kill(api.pid)
    await nvim.waitFor("#require('claudecode.terminal.sessions').all() == 1", 'api to be gone')
    await waitForWindows(setup, 'top.txt:111', '*web:48')
    await nvim.feed('QUIT 0')
    await waitForWindows(setup, '*top.txt:160')
  })

  test.each(['float', 'tab'])('position %s: each is shown, and one at a time in a float', async position => {
    const { nvim } = await startTwo({ setup: `{ terminal = { position = '${position}' } }` })
    const shown = () =>
      nvim.lua<number>(`return #vim.tbl_filter(function(win)
        return vim.bo[vim.api.nvim_win_get_buf(win)].filetype == 'claudecode' end, vim.api.nvim_list_wins())`)
    expect(await shown()).toBe(position === 'float' ? 1 : 2)
    await nvim.feed('<C-q>:ClaudeCodeSessions api<CR>')
    await nvim.waitFor("vim.fn.mode() == 't'", 'the terminal of api')
    expect(await shown()).toBe(position === 'float' ? 1 : 2)
    expect(
      await nvim.lua("return require('claudecode.terminal.sessions').of_buffer(vim.api.nvim_get_current_buf()).name"),
    ).toBe('api')
  })

  test('a file that is opened in the place of one goes elsewhere; another Claude may take it', async () => {
    const { setup, nvim } = await startTwo()
    await nvim.feed('<C-q>:edit ../api/a.txt<CR>')
    await waitForWindows(setup, '*a.txt:111', 'web:48')
    await nvim.feed(
      '<C-w>l<C-q>:execute "buffer" luaeval("require([[claudecode.terminal.sessions]]).named([[api]]).terminal:buffer()")<CR>',
    )
    await waitForWindows(setup, 'a.txt:111', '*api:48')
  })

  test(':wqa leaves Neovim with two Claudes in it', async () => {
    const { nvim, api, web } = await startTwo()
    await nvim.feed('<C-q>:wqa<CR>')
    await nvim.exited
    await waitForEnd(api)
    await waitForEnd(web)
  })
})

test('a folder that is no UTF-8 has its Claude, too', async () => {
  const setup = await startWithFakeClaude({ files, args: ['top.txt'] })
  const folder = Buffer.concat([Buffer.from(`${setup.nvim.folder}/`), Buffer.from([0x66, 0xfc])])
  await mkdir(folder)
  await setup.nvim.lua("vim.cmd.cd(vim.fn.glob('f*'))")
  await setup.nvim.feed(':ClaudeCode<CR>')
  await setup.waitForRun()
  await setup.nvim.waitFor("vim.fn.mode() == 't'", 'the terminal')
  await setup.nvim.feed('<C-q><C-w>p:ClaudeCode<CR>')
  await setup.nvim.waitFor('#vim.api.nvim_list_wins() == 1', 'Claude to be hidden')
})
