// What can't be done to Claude's window: it is not listed, and no file takes its place.
import { describe, expect, test } from 'vitest'
import { startClaude, waitForWindows, windows } from '../../support/claude-windows.ts'

describe('a window beside the code', () => {
  test('T-13, T-16: it is not listed, is called claudecode, and :bnext never lands in it', async () => {
    const { nvim } = await startClaude({ args: ['a.txt', 'b.txt'] })
    await nvim.feed('<C-q><C-w>p')
    expect(
      await nvim.lua(
        'return vim.tbl_map(function(b) return b.name:match("[^/]*$") end, vim.fn.getbufinfo({ buflisted = 1 }))',
      ),
    ).toEqual(['a.txt', 'b.txt'])
    for (let i = 0; i < 3; i++) {
      await nvim.feed(':bnext<CR>')
      expect(await nvim.lua('return vim.bo.buftype')).toBe('')
    }
  })

  test('T-16: FileType comes once the terminal is there', async () => {
    const { nvim } = await startClaude({
      init: `vim.api.nvim_create_autocmd('FileType', { pattern = 'claudecode', callback = function(event)
        vim.g.seen = { vim.bo[event.buf].buftype, vim.bo[event.buf].channel > 0 }
      end })`,
    })
    expect(await nvim.waitFor('vim.g.seen', 'the event')).toEqual(['terminal', true])
  })

  test.each([':edit b.txt', ':buffer b.txt', ':bnext'])(
    'T-14: %s in it opens the file in a code window',
    async command => {
      const setup = await startClaude({ args: ['a.txt', 'b.txt'] })
      await setup.nvim.feed(`<C-q>${command}<CR>`)
      await setup.nvim.waitFor(async () => (await windows(setup.nvim))[1] === 'claude:48', 'Claude to be back')
      const [code] = await windows(setup.nvim)
      expect(code).toMatch(/^\*[ab]\.txt:111$/)
      expect(await setup.sizes(await setup.waitForRun())).toEqual(['48x43'])
    },
  )

  test('a file opened in it gets a window when there is none', async () => {
    const { nvim } = await startClaude()
    await nvim.feed('<C-q><C-w>o:edit b.txt<CR>')
    await nvim.waitFor('#vim.api.nvim_list_wins() == 2', 'a window for the file')
    const names = (await windows(nvim)).map(name => name.replace(/:\d+$/, ''))
    expect(names).toEqual(['*b.txt', 'claude'])
  })
})

describe('a float', () => {
  test.each([':edit b.txt', ':buffer b.txt', ':2argument'])(
    'T-14: %s in a float opens the file below, and the float is out of its way',
    async command => {
      const setup = await startClaude({ args: ['a.txt', 'b.txt'], setup: "{ terminal = { position = 'float' } }" })
      const { nvim } = setup
      await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
      await nvim.feed(`<C-q>${command}<CR>`)
      await waitForWindows(nvim, ['*b.txt:160'])
      await nvim.feed(':ClaudeCode<CR>')
      await waitForWindows(nvim, ['b.txt:160', '*claude:128'])
      expect(await setup.runs()).toHaveLength(1)
    },
  )

  test('a file opened in a float gets a window when there is none', async () => {
    const { nvim } = await startClaude({ setup: "{ terminal = { position = 'float' } }" })
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    await nvim.feed('<C-q><C-w>w:setlocal winfixbuf<CR>:ClaudeCodeFocus<CR>')
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    await nvim.feed('<C-q>:edit b.txt<CR>')
    await waitForWindows(nvim, ['*b.txt:80', 'a.txt:79'])
  })
})
