// Claude's window among the user's: what shows and hides it, and what it does to the others.
import { describe, expect, test } from 'vitest'
import { files, startClaude, waitForWindows, windows } from '../../support/claude-windows.ts'
import { startWithFakeClaude } from '../../support/fake-claude.ts'
import type { TestNeovim } from '../../support/neovim.ts'

const mode = (nvim: TestNeovim) => nvim.lua('return vim.fn.mode()')

describe('showing and hiding', () => {
  test('T-10: a toggle hides Claude from wherever the user is, and shows it again, in Terminal mode', async () => {
    const setup = await startClaude()
    const { nvim } = setup
    await waitForWindows(nvim, ['a.txt:111', '*claude:48'])
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    await nvim.feed('<C-q><C-w>p:ClaudeCode<CR>')
    await waitForWindows(nvim, ['*a.txt:160'])
    await nvim.feed(':ClaudeCode<CR>')
    await waitForWindows(nvim, ['a.txt:111', '*claude:48'])
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    expect(await setup.runs()).toHaveLength(1)
  })

  test('T-10: a focus toggle goes there first, and hides for who is there', async () => {
    const { nvim } = await startClaude()
    await nvim.feed('<C-q><C-w>p:ClaudeCodeFocus<CR>')
    await waitForWindows(nvim, ['a.txt:111', '*claude:48'])
    await nvim.feed('<C-q>:ClaudeCodeFocus<CR>')
    await waitForWindows(nvim, ['*a.txt:160'])
    await nvim.feed(':ClaudeCodeFocus<CR>')
    await waitForWindows(nvim, ['a.txt:111', '*claude:48'])
  })

  test(':ClaudeCodeOpen goes there and never hides; ensure_visible() shows and stays', async () => {
    const { nvim } = await startClaude()
    await nvim.feed('<C-q>:ClaudeCodeOpen<CR>')
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    await nvim.feed('<C-q>:ClaudeCode<CR>')
    await waitForWindows(nvim, ['*a.txt:160'])
    await nvim.lua("require('claudecode.terminal').ensure_visible()")
    await waitForWindows(nvim, ['*a.txt:111', 'claude:48'])
    expect(await mode(nvim)).toBe('n')
  })

  test('ensure_visible() starts Claude behind the user’s back', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'] })
    await setup.nvim.lua("require('claudecode.terminal').ensure_visible()")
    await setup.waitForRun()
    await waitForWindows(setup.nvim, ['*a.txt:111', 'claude:48'])
    expect(await mode(setup.nvim)).toBe('n')
  })

  test('T-01: five times hidden and shown, it is told of no other size', async () => {
    const setup = await startClaude({ args: ['-O', 'a.txt', 'b.txt'] })
    const { nvim } = setup
    const run = await setup.waitForRun()
    for (let i = 0; i < 5; i++) {
      await nvim.feed('<C-\\><C-n>:ClaudeCode<CR>')
      await nvim.waitFor('#vim.api.nvim_list_wins() == 2', 'Claude to be hidden')
      await nvim.feed(':ClaudeCode<CR>')
      await nvim.waitFor('#vim.api.nvim_list_wins() == 3', 'Claude to be shown')
    }
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    await nvim.feed('x')
    await nvim.waitFor(async () => (await setup.typed(run)).toString().includes('x'), 'x to arrive')
    expect(await setup.sizes(run)).toEqual(['48x43'])
    await nvim.feed('<C-q><C-w>p')
    expect((await windows(nvim)).find(name => name.startsWith('*'))).toMatch(/^\*[ab]\.txt/) // the way back
  })

  test('each tab page shows it for itself; focus goes to where it is', async () => {
    const { nvim } = await startClaude()
    await nvim.feed('<C-q>:tabedit b.txt<CR>:ClaudeCode<CR>')
    await waitForWindows(nvim, ['b.txt:111', '*claude:48'])
    await nvim.feed('<C-q>:ClaudeCode<CR>')
    await waitForWindows(nvim, ['*b.txt:160'])
    await nvim.feed(':ClaudeCodeFocus<CR>')
    await waitForWindows(nvim, ['a.txt:111', '*claude:48'])
  })

  test('from Insert and Visual mode it arrives in Terminal mode, and leaves them behind', async () => {
    const { nvim } = await startClaude({
      init: "vim.keymap.set({ 'i', 'x' }, '<F5>', '<Cmd>ClaudeCodeFocus<CR>')",
    })
    for (const keys of ['i', 'v']) {
      await nvim.feed(`<C-\\><C-n><C-w>p${keys}<F5>`)
      await nvim.waitFor("vim.fn.mode() == 't'", `Terminal mode from ${keys}`)
      await nvim.feed('<C-q><C-w>p')
      expect(await mode(nvim)).toBe('n')
    }
  })

  test('T-11: a window closed by hand leaves Claude alone, and can be opened again', async () => {
    const setup = await startClaude()
    for (const close of ['<C-w>c', ':q<CR>', ':close<CR>']) {
      await setup.nvim.feed(`<C-\\><C-n>${close}`)
      await waitForWindows(setup.nvim, ['*a.txt:160'])
      await setup.nvim.feed(':ClaudeCodeFocus<CR>')
      await waitForWindows(setup.nvim, ['a.txt:111', '*claude:48'])
    }
    expect(await setup.runs()).toHaveLength(1)
  })

  test('hiding the only window brings the last file back into it, as often as it happens', async () => {
    const { nvim } = await startClaude({ init: 'vim.o.number = true' })
    const buffers = await nvim.lua('return #vim.fn.getbufinfo()')
    for (let times = 0; times < 3; times++) {
      await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
      await nvim.feed('<C-q><C-w>o:ClaudeCode<CR>')
      await waitForWindows(nvim, ['*a.txt:160'])
      expect(await nvim.lua('return { vim.wo.number, vim.wo.winfixwidth }')).toEqual([true, false])
      await nvim.feed(':ClaudeCode<CR>')
      await waitForWindows(nvim, ['a.txt:111', '*claude:48'])
    }
    expect(await nvim.lua('return #vim.fn.getbufinfo()')).toBe(buffers)
  })

  test('hiding the only window where there is no file leaves an empty one', async () => {
    const { nvim } = await startClaude()
    await nvim.feed('<C-q><C-w>o:bwipeout a.txt<CR>:ClaudeCode<CR>')
    await waitForWindows(nvim, ['*:160'])
    await nvim.feed(':ClaudeCode<CR>')
    await waitForWindows(nvim, [':111', '*claude:48'])
  })
})

describe('the windows beside it', () => {
  test.each(['equalalways', 'noequalalways'])(
    'T-18: give way evenly, and are as they were afterwards (%s)',
    async option => {
      const setup = await startWithFakeClaude({
        files,
        args: ['-O', 'a.txt', 'b.txt'],
        init: `vim.cmd.set('${option}')`,
      })
      const { nvim } = setup
      await nvim.feed(':vertical resize 100<CR>')
      const before = ['*a.txt:100', 'b.txt:59']
      await waitForWindows(nvim, before)
      for (let i = 0; i < 3; i++) {
        await nvim.feed(':ClaudeCode<CR>')
        await waitForWindows(nvim, ['a.txt:69', 'b.txt:41', '*claude:48'])
        await nvim.feed(i === 1 ? '<C-\\><C-n>:q<CR>' : '<C-\\><C-n>:ClaudeCode<CR>')
        await waitForWindows(nvim, before)
      }
    },
  )

  test('a side bar keeps its width, and rows keep their heights', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'] })
    const { nvim } = setup
    await nvim.feed(':split b.txt<CR>:resize 10<CR>:topleft vertical 30split<CR>:set winfixwidth<CR><C-w>p')
    const sizes = () => nvim.lua('return vim.fn.winrestcmd()')
    const before = await sizes()
    await nvim.feed(':ClaudeCode<CR>')
    await nvim.waitFor('#vim.api.nvim_list_wins() == 4', 'Claude to be shown')
    expect((await windows(nvim))[0]).toBe('b.txt:30')
    await nvim.feed('<C-\\><C-n>:ClaudeCode<CR>')
    await nvim.waitFor('#vim.api.nvim_list_wins() == 3', 'Claude to be hidden')
    expect(await sizes()).toBe(before)
  })

  test('what the user has resized meanwhile keeps its proportions', async () => {
    const setup = await startWithFakeClaude({ files, args: ['-O', 'a.txt', 'b.txt'] })
    const { nvim } = setup
    await nvim.feed(':ClaudeCode<CR>')
    await nvim.waitFor('#vim.api.nvim_list_wins() == 3', 'Claude to be shown')
    await nvim.feed('<C-\\><C-n><C-w>t:vertical resize 20<CR>:ClaudeCode<CR>')
    await waitForWindows(nvim, ['*a.txt:29', 'b.txt:130'])
  })

  test('T-14, T-17: split_side and width are as asked, and stay with <C-w>= and another screen', async () => {
    const { nvim } = await startClaude({
      setup: "{ terminal = { split_side = 'left', split_width_percentage = 0.25 } }",
    })
    await waitForWindows(nvim, ['*claude:40', 'a.txt:119'])
    await nvim.feed('<C-q><C-w>p:vsplit<CR><C-w>=')
    await waitForWindows(nvim, ['claude:40', '*a.txt:59', 'a.txt:59'])
    await nvim.request('nvim_ui_try_resize', [120, 45])
    await nvim.waitFor(async () => (await windows(nvim))[0] === 'claude:30', 'a quarter of the new screen')
  })
})

describe('float and tab page', () => {
  test('T-01: a float is hidden and shown without another size', async () => {
    const setup = await startClaude({ setup: "{ terminal = { position = 'float' } }" })
    const { nvim } = setup
    await waitForWindows(nvim, ['a.txt:160', '*claude:128'])
    await nvim.feed('<C-q>:ClaudeCode<CR>')
    await waitForWindows(nvim, ['*a.txt:160'])
    await nvim.feed(':ClaudeCode<CR>')
    await waitForWindows(nvim, ['a.txt:160', '*claude:128'])
    expect(await setup.sizes(await setup.waitForRun())).toHaveLength(1)
  })

  test('a tab page of its own', async () => {
    const { nvim } = await startClaude({ setup: "{ terminal = { position = 'tab' } }" })
    await waitForWindows(nvim, ['*claude:160'])
    await nvim.feed('<C-q>:ClaudeCode<CR>')
    await waitForWindows(nvim, ['*a.txt:160'])
    expect(await nvim.lua('return #vim.api.nvim_list_tabpages()')).toBe(1)
    expect(await nvim.lua('return #vim.fn.getbufinfo({ buflisted = 1 })')).toBe(1)
    await nvim.feed(':ClaudeCode<CR>')
    await waitForWindows(nvim, ['*claude:160'])
  })

  test('T-19: another setup() moves the Claude that runs when it is shown next', async () => {
    const setup = await startClaude()
    const { nvim } = setup
    await nvim.feed("<C-q>:ClaudeCode<CR>:lua require('claudecode').setup({ terminal = { position = 'float' } })<CR>")
    await nvim.feed(':ClaudeCode<CR>')
    await waitForWindows(nvim, ['a.txt:160', '*claude:128'])
    expect(await setup.runs()).toHaveLength(1)
  })
})
