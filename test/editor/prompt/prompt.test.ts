// :ClaudeCodePrompt: a prompt is written in a buffer, and reaches Claude once, or is kept.
import { describe, expect, test } from 'vitest'
import { startWithFakeClaude, waitForMessage } from '../../support/fake-claude.ts'
import { startNeovim } from '../../support/neovim.ts'
import { makePlaces } from '../../support/places.ts'
import { startWithServer } from '../../support/plugin.ts'
import { files, isInPrompt, promptText, startConnected, waitForSent } from './support.ts'

describe('sending', () => {
  test.each([':w<CR>', ':wq<CR>', 'ZZ', ':x<CR>', ':update<CR>'])(
    '%s sends all of it as one prompt, and the user is where they were',
    async keys => {
      const { nvim, sent } = await startConnected()
      const windows = await nvim.lua('return vim.fn.winlayout()')
      await nvim.feed(`2G:ClaudeCodePrompt<CR>first line<CR>second<Tab>line<Esc>${keys}`)
      await sent('first line\nsecond\tline')
      await nvim.waitFor("vim.api.nvim_buf_get_name(0):match('a.txt$')", 'the user to be in a.txt')
      expect(await nvim.lua('return { vim.fn.mode(), vim.fn.line(".") }')).toEqual(['n', 2])
      expect((await nvim.lua<unknown[]>('return vim.api.nvim_list_wins()')).length).toBe(2) // Claude is shown
      expect(windows).toEqual(['leaf', expect.any(Number)])
      await nvim.feed(':ClaudeCodePrompt<CR>second<Esc>:w<CR>')
      await sent('first line\nsecond\tline', 'second')
    },
  )

  test('without a Claude one is started, and gets the prompts in order once it listens, behind mentions', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'], setup: '{ connection_wait_delay = 0 }' })
    const { nvim } = setup
    await nvim.feed(':1ClaudeCodeSend<CR>')
    const run = await setup.waitForRun()
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    await nvim.feed('<C-q><C-w>p:ClaudeCodePrompt<CR>one<Esc>:w<CR>')
    await nvim.waitFor(`not (${isInPrompt})`, 'the prompt to be on its way')
    await nvim.feed(':ClaudeCodePrompt<CR>two<Esc>:w<CR>')
    await nvim.waitFor(`${promptText} == ''`, 'the second to be on its way')
    expect((await setup.typed(run)).toString()).toBe('')
    const claude = await setup.connect()
    await claude.waitForNotification('at_mentioned')
    await waitForSent(setup, run, ['one', 'two'])
  })

  test('the host starts for it, too', async () => {
    const setup = await startWithFakeClaude({ files, setup: '{ auto_start = false }', waits: false })
    await setup.nvim.feed(':ClaudeCodePrompt<CR>hello<Esc>:w<CR>')
    const run = await setup.waitForRun()
    await setup.connect()
    await waitForSent(setup, run, ['hello'])
  })

  test('T-28: nothing in it can end the paste that it is sent as', async () => {
    const { nvim, sent } = await startConnected()
    await nvim.feed(':ClaudeCodePrompt<CR><Esc>')
    const evil = 'a\x1b[201~rm\rb\x00c\x7f\u009b201~\u0085d\te'
    await nvim.lua('vim.api.nvim_buf_set_lines(0, 0, -1, false, { ..., "日本 👩‍👩‍👧" })', evil)
    await nvim.feed(':w<CR>')
    await sent('a[201~rm\nbc201~d\te\n日本 👩‍👩‍👧')
  })

  test('a large text arrives whole', async () => {
    const { nvim, sent } = await startConnected()
    const line = '日本語 and more, '.repeat(20)
    await nvim.feed(':ClaudeCodePrompt<CR><Esc>')
    await nvim.lua(
      'local l = {} for i = 1, 2000 do l[i] = ... end vim.api.nvim_buf_set_lines(0, 0, -1, false, l)',
      line,
    )
    await nvim.feed(':w<CR>')
    await sent(
      Array.from({ length: 2000 }, () => line)
        .join('\n')
        .trimEnd(),
    )
  })

  test('an empty one is not sent, and a part of one is not', async () => {
    const { nvim, setup } = await startConnected().then(started => ({ ...started, setup: started }))
    await nvim.feed(':ClaudeCodePrompt<CR><CR><Esc>:w<CR>')
    await waitForMessage(setup, 'the prompt is empty')
    await nvim.feed('onot this<Esc>:3w!<CR>')
    await waitForMessage(setup, "a part of the prompt can't be sent")
    expect(await nvim.lua(`return ${promptText}`)).toBe('\n\nnot this')
    expect((await setup.typed(setup.run)).toString()).toBe('')
  })

  test('A-03: neither :wall nor a plugin that saves by itself sends it', async () => {
    const setup = await startConnected({
      init: `vim.api.nvim_create_autocmd({ 'TextChanged', 'InsertLeave', 'BufLeave' }, { nested = true, command = 'silent! write' })
        vim.keymap.set('n', '<F6>', function() vim.defer_fn(function() vim.cmd('silent! write') _G.wrote = true end, 20) end)`,
    })
    const { nvim, sent } = setup
    await nvim.feed(':ClaudeCodePrompt<CR>hello<Esc>x:wall<CR><F6>')
    await nvim.waitFor('_G.wrote', 'the timer')
    await waitForMessage(setup, 'a write that you did not type sends no prompt')
    expect(await nvim.lua(`return { ${promptText}, ${isInPrompt} }`)).toEqual(['hell', true])
    await nvim.feed(':w<CR>')
    await sent('hell')
  })

  test('a host that is killed meanwhile does not lose it', async () => {
    const { nvim, sent, connect } = await startConnected()
    const host = await nvim.waitFor(() => nvim.hosts()[0], 'a host')
    process.kill(host, 'SIGSTOP')
    await nvim.feed(':ClaudeCodePrompt<CR>hello<Esc>:w<CR>')
    process.kill(host, 'SIGKILL')
    await nvim.waitFor(() => nvim.hosts().some(pid => pid !== host), 'a new host')
    await nvim.waitFor("require('claudecode.status').get().port", 'the server')
    await connect()
    await sent('hello')
  })
})

describe('what is not sent', () => {
  test(':q keeps it, :q! drops it', async () => {
    const { nvim } = await startConnected()
    await nvim.feed(':ClaudeCodePrompt<CR>hello<Esc>:q<CR>')
    expect(await nvim.lua(`return { ${isInPrompt}, #vim.api.nvim_list_wins() }`)).toEqual([false, 1])
    await nvim.feed(':ClaudeCodePrompt<CR> you<Esc>')
    expect(await nvim.lua(`return ${promptText}`)).toBe('hello you')
    await nvim.feed('<C-w>c:ClaudeCodePrompt<CR><Esc>:q!<CR>')
    await nvim.feed(':ClaudeCodePrompt<CR><Esc>')
    expect(await nvim.lua(`return { ${promptText}, ${isInPrompt} }`)).toEqual(['', true])
  })

  test('is no obstacle for :qa, and is the newest of the earlier prompts then', async () => {
    const places = await makePlaces(files)
    const first = await startWithServer({ places, args: ['a.txt'] })
    await first.feed(':ClaudeCodePrompt<CR>unsent<CR>text<Esc>:qa<CR>')
    await first.exited
    const second = await startNeovim({ places, args: ['a.txt'] })
    await second.feed(':ClaudeCodePrompt<CR>')
    await second.waitFor("#require('claudecode.prompt.history').all() == 1", 'the history')
    await second.feed('new<C-Up>')
    expect(await second.lua(`return ${promptText}`)).toBe('unsent\ntext')
    await second.feed('<C-Up><C-Down>')
    expect(await second.lua(`return ${promptText}`)).toBe('new')
  })

  test('comes back when Claude ends before it has connected', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'] })
    const { nvim } = setup
    await nvim.feed(':ClaudeCodePrompt<CR>hello<Esc>:w<CR>')
    await setup.waitForRun()
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    await nvim.feed('<C-q>:ClaudeCodeClose<CR>')
    await waitForMessage(setup, '"hello" was not sent: Claude has ended; :ClaudeCodePrompt has what you wrote')
    await nvim.feed(':ClaudeCodePrompt<CR><Esc>')
    expect(await nvim.lua(`return ${promptText}`)).toBe('hello')
  })

  test('comes back where Claude runs outside of Neovim, which can not type there', async () => {
    const setup = await startWithFakeClaude({
      files,
      setup: "{ connection_wait_delay = 0, terminal = { provider = 'none' } }",
    })
    const { nvim } = setup
    await setup.connect()
    await nvim.waitFor("require('claudecode').is_claude_connected()", 'Claude to be connected')
    await nvim.feed(':ClaudeCodePrompt<CR>hello<Esc>:w<CR>')
    await waitForMessage(setup, 'the text was not sent: no Claude runs in Neovim')
    await nvim.waitFor(`not (${isInPrompt})`, 'the window to be closed')
    await nvim.feed(':ClaudeCodePrompt<CR><Esc>')
    expect(await nvim.lua(`return ${promptText}`)).toBe('hello')
  })

  test('comes back when a stopped server or a missing program is in its way', async () => {
    const setup = await startWithFakeClaude({ files, setup: "{ terminal_cmd = 'no-such-claude' }" })
    const { nvim } = setup
    await nvim.feed(':ClaudeCodePrompt<CR>hello<Esc>:w<CR>')
    await waitForMessage(setup, '"hello" was not sent: no-such-claude is not an executable')
    await nvim.feed(':ClaudeCodeStop<CR>:ClaudeCodePrompt<CR><Esc>:w<CR>')
    await waitForMessage(setup, 'the prompt was not sent: the server is stopped')
    expect(await nvim.lua(`return ${promptText}`)).toBe('hello')
  })
})

describe('earlier prompts', () => {
  test('are those of the folder, in Insert and in Normal mode', async () => {
    const { nvim, sent } = await startConnected()
    await nvim.feed(':ClaudeCodePrompt<CR>one<Esc>:w<CR>')
    await sent('one')
    await nvim.waitFor(`not (${isInPrompt})`, 'the prompt to be gone')
    await nvim.feed(':ClaudeCodePrompt<CR>two<CR>lines<Esc>:w<CR>')
    await sent('one', 'two\nlines')
    await nvim.waitFor(`not (${isInPrompt})`, 'the prompt to be gone')
    await nvim.feed(':ClaudeCodePrompt<CR>mine<C-Up><C-Up><C-Up>')
    expect(await nvim.lua(`return ${promptText}`)).toBe('one')
    await nvim.feed('<C-Down><Esc><C-Down>')
    expect(await nvim.lua(`return ${promptText}`)).toBe('mine')
    await nvim.feed('<C-Up>:w<CR>')
    await sent('one', 'two\nlines', 'two\nlines')
  })
})

test('it can be opened from Insert and Terminal mode, and is refused in the command-line window', async () => {
  const { nvim } = await startConnected({
    init: "vim.keymap.set({ 'i', 't' }, '<F5>', '<Cmd>ClaudeCodePrompt<CR>')",
  })
  await nvim.feed('i<F5>hello')
  expect(await nvim.lua(`return { ${isInPrompt}, ${promptText} }`)).toEqual([true, 'hello'])
  await nvim.feed('<Esc>:q<CR>:ClaudeCode<CR>')
  await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
  await nvim.feed('<F5>')
  await nvim.waitFor("vim.fn.mode() == 'i'", 'Insert mode')
  await nvim.feed(' you')
  expect(await nvim.lua(`return { ${isInPrompt}, ${promptText} }`)).toEqual([true, 'hello you'])
  await nvim.feed('<Esc>:q<CR><C-\\><C-n>')
  await nvim.feed('q::lua require("claudecode.prompt").open({ range = 0, line1 = 1, line2 = 1 })<CR>')
  await nvim.waitForScreen(/close the command-line window first/)
  await nvim.feed(':q<CR>')
})

test('it comes to the tab page that the user is in', async () => {
  const { nvim } = await startConnected()
  await nvim.feed(':ClaudeCodePrompt<CR>hello<Esc>:tabnew<CR>:ClaudeCodePrompt<CR><Esc>')
  expect(
    await nvim.lua(`return { ${isInPrompt}, ${promptText}, vim.fn.tabpagenr(), #vim.api.nvim_list_wins() }`),
  ).toEqual([true, 'hello', 2, 3])
})

test('the window is over the others, and fits the screen', async () => {
  const { nvim } = await startConnected()
  await nvim.feed(':ClaudeCodePrompt<CR>hello')
  await nvim.waitForScreen(/Prompt for Claude/)
  await nvim.waitForScreen(/:w sends, :q keeps, :q! drops/)
  await nvim.feed('<Esc>:e a.txt<CR>')
  expect(await nvim.lua(`return { ${isInPrompt}, ${promptText} }`)).toEqual([true, 'hello'])
  await nvim.request('nvim_ui_try_resize', [40, 10])
  await nvim.waitFor(
    () => nvim.screen().length === 10 && nvim.screen().join('\n').includes('hello'),
    'the small screen',
  )
})
