// Only the user accepts: a write that they typed in the proposal, or the command; never one that a program does.
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Proposed, ReviewSession } from '../../support/diff.ts'
import { shareReview, text } from '../../support/shared-review.ts'

const current = shareReview()
let review: ReviewSession
let proposed: Proposed

beforeEach(() => {
  ;({ review, proposed } = current())
})

async function expectStillPending(): Promise<void> {
  await review.expectStillPending(proposed)
}

describe('accepts', () => {
  const typed = [
    ':w<CR>',
    ':write<CR>',
    ':w!<CR>',
    ':silent w<CR>',
    ':w | echo 1<CR>',
    ':wq<CR>',
    ':x<CR>',
    ':xit<CR>',
    ':exit<CR>',
    ':update<CR>',
    ':up<CR>',
    'ZZ',
    'i<C-o>:w<CR>',
    'qq:w<CR>q',
    'v<Esc>:w<CR>',
    'q:iw<CR>',
  ]
  for (const keys of typed) {
    test(keys, async () => {
      await review.nvim.feed(keys)
      expect(await proposed.answer).toEqual(['FILE_SAVED', text])
    })
  }

  const mapped: [mode: string, mapping: string][] = [
    ['n', `'<Cmd>w<CR>'`],
    ['n', `'<Cmd>silent write<CR>'`],
    ['n', `':w<CR>'`],
    ['n', `function() vim.cmd.write() end`],
    ['n', `function() vim.cmd('silent w') end`],
    ['n', `function() vim.fn.execute('write') end`],
    ['i', `'<Esc>:w<CR>'`],
    ['i', `'<Cmd>w<CR>'`],
    ['x', `'<Cmd>w<CR>'`],
    ['n', `'<Cmd>update<CR>'`],
    ['n', `'<Cmd>silent! update | echo 1<CR>'`],
    ['n', `':update<CR>'`],
    ['n', `'<Cmd>x<CR>'`],
    ['n', `'<Plug>(save)', { remap = true }`],
    ['n', `'<Cmd>SaveIt<CR>'`],
    ['i', `'<Cmd>update<CR>'`],
    ['i', `'<Esc><Cmd>update<CR>a'`],
    ['i', `'<C-o>:update<CR>'`],
    ['x', `'<Esc><Cmd>update<CR>gv'`],
  ]
  for (const [mode, mapping] of mapped) {
    test(`a mapping in mode ${mode} to ${mapping}`, async () => {
      await review.nvim.lua(`
        vim.keymap.set('n', '<Plug>(save)', '<Cmd>update<CR>')
        vim.api.nvim_create_user_command('SaveIt', 'silent update', { force = true })
        vim.keymap.set('${mode}', '<F5>', ${mapping})`)
      await review.nvim.feed(`${mode === 'n' ? '' : mode === 'x' ? 'v' : 'i'}<F5>`)
      expect((await proposed.answer)[0]).toBe('FILE_SAVED')
    })
  }

  test('a command of the user that writes', async () => {
    await review.nvim.lua(`vim.api.nvim_create_user_command('Save', 'write', { force = true })`)
    await review.nvim.feed(':Save<CR>')
    expect((await proposed.answer)[0]).toBe('FILE_SAVED')
  })

  test('a macro', async () => {
    await review.nvim.lua(`vim.fn.setreg('q', 'ccX' .. vim.keycode('<Esc>:w<CR>'))`)
    await review.nvim.feed('@q')
    expect(await proposed.answer).toEqual(['FILE_SAVED', 'one\nX\nthree\n'])
  })

  for (const keys of ['', '<C-w>h', ':botright split b.txt<CR>', ':botright split | terminal<CR>']) {
    test(`D-18: :ClaudeCodeDiffAccept after ${keys === '' ? 'nothing' : keys}`, async () => {
      await review.nvim.feed(keys)
      await review.nvim.feed(':ClaudeCodeDiffAccept<CR>')
      expect(await proposed.answer).toEqual(['FILE_SAVED', text])
    })
  }

  test(':ClaudeCodeDiffAccept in a mapping, in Insert mode', async () => {
    await review.nvim.lua(`vim.keymap.set('i', '<F5>', '<Cmd>ClaudeCodeDiffAccept<CR>')`)
    await review.nvim.feed('IX<F5><Esc>')
    expect(await proposed.answer).toEqual(['FILE_SAVED', 'one\nXTWO\nthree\n'])
  })
})

describe('A-03: does not accept', () => {
  const typed = [
    ':wall<CR>',
    ':wa!<CR>',
    ':silent! wall<CR>',
    ':windo w<CR>',
    ':windo silent! update<CR>',
    ':tabdo w<CR>',
    ':bufdo! w<CR>',
    '<C-w>h:wall<CR>',
    '<C-w>h:w<CR>',
    ':w copy.txt<CR>',
    ':1,2w! copy.txt<CR>',
    ':1w!<CR>',
    ':w !cat<CR>',
    ':w<Esc>',
    'dd:wall<CR>',
    'ddi<C-o>:wall<CR>',
    ':set autowriteall<CR>dd<C-w>h:edit b.txt<CR>',
    ':set autowrite<CR>dd:make!<CR>',
  ]
  for (const keys of typed) {
    test(keys, async () => {
      await review.nvim.feed(keys)
      if ((await review.nvim.blockedMode()) !== undefined) await review.nvim.feed('<CR>')
      await expectStillPending()
    })
  }

  for (const mapping of [
    '<Cmd>wall<CR>',
    '<Cmd>silent! wa | update<CR>',
    '<Cmd>windo write<CR>',
    '<Cmd>windo update<CR>',
  ]) {
    test(`a key that is mapped to ${mapping}`, async () => {
      await review.nvim.lua(`vim.keymap.set('n', '<F5>', ...)`, mapping)
      await review.nvim.feed('ccX<Esc><F5>')
      await expectStillPending()
      expect(await review.nvim.lua('return vim.bo.modified')).toBe(false)
    })
  }

  test('a key that saves, which a Lua function makes of :update, and says what accepts', async () => {
    await review.nvim.lua(`vim.keymap.set('n', '<F5>', function() vim.cmd.update() end, { desc = 'Save the file' })`)
    await review.nvim.feed('<F5><F5>')
    await review.waitForNotice('accepts')
    await expectStillPending()
    expect(await review.told()).toEqual([
      'claudecode: nothing was written, so nothing is accepted: :w typed in it or :ClaudeCodeDiffAccept accepts it',
    ])
  })

  const events = [
    'TextChanged',
    'InsertLeave',
    'CursorHold',
    'CursorMoved',
    'WinLeave',
    'BufLeave',
    'FocusLost',
    'ModeChanged',
  ]
  const writes = [
    'silent! update',
    'silent! wall',
    'silent! write',
    `lua vim.cmd('silent! write')`,
    `lua vim.api.nvim_buf_call(0, function() vim.cmd.write() end)`,
    `lua vim.schedule(function() vim.cmd('silent! write') end)`,
    `lua vim.defer_fn(function() vim.cmd('silent! write') end, 20)`,
    `call timer_start(10, { -> execute('silent! write') })`,
  ]
  for (const write of writes) {
    test(`D-15: an auto-save plugin that does ${write}`, async () => {
      await review.nvim.lua(
        `vim.o.updatetime = 20
        local events, write = ...
        vim.api.nvim_create_autocmd(events, {
          group = vim.api.nvim_create_augroup('test', {}), nested = true, command = write,
        })`,
        events,
        write,
      )
      await review.nvim.feed('ddjk')
      await review.nvim.feed('ix<Esc>')
      await review.nvim.lua(`vim.api.nvim_exec_autocmds('FocusLost', {})`)
      await review.nvim.feed('<C-w>h')
      await review.nvim.feed('<C-w>l')
      await pause(60)
      await expectStillPending()
    })
  }

  for (const keys of ['', 'i', ':ec', 'd', 'v']) {
    test(`a timer that writes while the user ${keys ? `has typed ${keys}` : 'looks'}`, async () => {
      await review.nvim.lua(
        `local buffer = ...
        vim.defer_fn(function()
          vim.api.nvim_buf_call(buffer, function() vim.cmd('silent! write') end)
        end, 50)`,
        await review.nvim.lua('return vim.api.nvim_get_current_buf()'),
      )
      await review.nvim.input(keys)
      await expectStillPending()
    })
  }

  test('a write over RPC, from a test or a remote program', async () => {
    await review.nvim.lua('vim.cmd.write()')
    await expectStillPending()
  })

  test('a key of the user that writes all buffers, pressed elsewhere', async () => {
    await review.nvim.lua(`
      vim.keymap.set('n', '<F5>', function()
        for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
          vim.api.nvim_buf_call(buffer, function() vim.cmd('silent! write') end)
        end
      end)`)
    await review.nvim.feed('<C-w>h<F5>')
    await expectStillPending()
  })

  test('a command that was typed for something else', async () => {
    await review.nvim.lua(`
      vim.api.nvim_create_autocmd('CmdlineLeave', {
        group = vim.api.nvim_create_augroup('test', {}), nested = true, command = 'silent! write',
      })`)
    await review.nvim.feed(':echo 1<CR>')
    await expectStillPending()
  })
})

test('a refused write is told of once, and says what accepts', async () => {
  await review.nvim.lua('vim.cmd.write() vim.cmd.write()')
  await review.waitForNotice('claudecode:')
  await review.nvim.lua('vim.cmd.write()')
  expect(await review.told()).toEqual([
    'claudecode: a write that you did not type is not an answer to Claude: :w typed in it or :ClaudeCodeDiffAccept accepts it',
  ])
})

test('a second :w says that nothing is sent again, and the text can be changed no more', async () => {
  await review.nvim.feed(':w<CR>')
  await proposed.answer
  await review.nvim.feed(':w<CR>')
  await review.waitForNotice('claudecode:')
  expect(await review.told()).toEqual(['claudecode: the proposal for a.txt is accepted already; nothing is sent again'])
  await review.nvim.feed('dd')
  expect(await review.nvim.lua('return vim.api.nvim_buf_line_count(0)')).toBe(3)
})

test(':w other.txt in a proposal writes a copy', async () => {
  await review.nvim.feed(':w! copy.txt<CR>')
  await review.nvim.feed(':2w! line.txt<CR>')
  expect(await review.nvim.lua(`return vim.fn.readfile('copy.txt')`)).toEqual(['one', 'TWO', 'three'])
  expect(await review.nvim.lua(`return vim.fn.readfile('line.txt')`)).toEqual(['TWO'])
  await expectStillPending()
})

test(':saveas in a proposal writes a copy, and the proposal stays what it is', async () => {
  await review.nvim.feed(':saveas! copy.txt<CR>')
  expect(await review.nvim.lua(`return vim.fn.readfile('copy.txt')`)).toEqual(['one', 'TWO', 'three'])
  await expectStillPending()
  await review.nvim.waitFor(`vim.fn.expand('%'):find('(proposed)', 1, true)`, 'the name to be back')
  await review.nvim.feed(':w<CR>')
  expect(await proposed.answer).toEqual(['FILE_SAVED', text])
})

test.each([':w<CR>', ':ClaudeCodeDiffAccept<CR>'])('D-14: formatters do not change what %s sends', async keys => {
  await review.nvim.lua(`
    vim.api.nvim_create_autocmd({ 'BufWritePre', 'BufWrite', 'FileWritePre' }, {
      group = vim.api.nvim_create_augroup('test', {}),
      callback = function() vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'formatted' }) end,
    })`)
  await review.nvim.feed(keys)
  expect(await proposed.answer).toEqual(['FILE_SAVED', text])
})
