// The @words of a prompt: what can be completed, and what Claude gets for them.
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { waitForMessage } from '../../support/fake-claude.ts'
import { files, isInPrompt, promptText, startConnected } from './support.ts'

describe('lists of other plugins', () => {
  test('nvim-cmp is out of the way of @words, and otherwise as the user has set it', async () => {
    const { nvim } = await startConnected({
      init: `package.loaded.cmp = { -- in its place: what decides whether it shows a list
        get_config = function() return { enabled = function() return not vim.g.no_cmp end } end,
        setup = { buffer = function(config) vim.g.cmp_buffer = vim.fn.bufname() _G.cmp_enabled = config.enabled end },
      }`,
    })
    const typed = async (keys: string) => {
      await nvim.feed(keys)
      return nvim.lua('return _G.cmp_enabled()')
    }
    await nvim.feed(':ClaudeCodePrompt<CR>')
    expect(await typed('word')).toBe(true)
    expect(await typed(' @')).toBe(false)
    expect(await typed('a')).toBe(false)
    expect(await typed('<C-e> more')).toBe(true)
    await nvim.lua('vim.g.no_cmp = true')
    expect(await typed(' and')).toBe(false)
  })

  test('blink.cmp is out of the way of @words, and otherwise as the user has set it', async () => {
    const { nvim } = await startConnected({
      init: `package.loaded['blink.cmp'] = { hide = function() vim.g.hidden = (vim.g.hidden or 0) + 1 end }`,
    })
    const typed = async (keys: string) => {
      await nvim.feed(keys)
      return nvim.lua('return { vim.b.completion == nil, vim.g.hidden or 0 }')
    }
    await nvim.feed(':ClaudeCodePrompt<CR>')
    expect(await typed('word')).toEqual([true, 0])
    expect(await typed(' @')).toEqual([false, 1])
    expect(await typed('a')).toEqual([false, 1])
    expect(await typed('<C-e> more')).toEqual([true, 1])
  })
})

describe('places', () => {
  test('a range and a selection are @this, which follows the text', async () => {
    const { nvim, sent } = await startConnected()
    const at = `@${nvim.folder}/a.txt`
    await nvim.feed(':2,3ClaudeCodePrompt<CR>what?<Esc>')
    expect(await nvim.lua(`return ${promptText}`)).toBe('@this what?')
    await nvim.lua("vim.api.nvim_buf_set_lines(vim.fn.bufnr('a.txt'), 0, 0, false, { 'new' })")
    await nvim.feed(':w<CR>')
    await sent(`${at}#L3-4 what?`)
    await nvim.waitFor(`not (${isInPrompt})`, 'the prompt to be gone')
    await nvim.lua("vim.keymap.set('x', '<F5>', '<Cmd>ClaudeCodePrompt<CR>')")
    await nvim.feed('ggjV<F5>why?<Esc>:w<CR>')
    await sent(`${at}#L3-4 what?`, `${at}#L2 why?`)
  })

  test('opened again somewhere else, what was @this before is said in full', async () => {
    const { nvim, sent } = await startConnected()
    await nvim.feed(':2ClaudeCodePrompt<CR>and<Esc>:q<CR>:edit my\\ notes.txt<CR>:1ClaudeCodePrompt<CR><Esc>')
    expect(await nvim.lua(`return ${promptText}`)).toBe('@a.txt#L2 and @this ')
    await nvim.feed(':w<CR>')
    await sent(`@${nvim.folder}/a.txt#L2 and @"${nvim.folder}/my notes.txt#L1"`)
  })

  test('from Claude’s terminal, @this is the line of the file beside it', async () => {
    const { nvim, sent } = await startConnected()
    await nvim.feed('2G:ClaudeCode<CR>')
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    await nvim.feed('<C-q>:ClaudeCodePrompt<CR>see @this<Esc>:w<CR>')
    await sent(`see @${nvim.folder}/a.txt#L2`)
  })

  test('in a buffer that is no file, @this is its text, and @buffer is refused', async () => {
    const setup = await startConnected()
    const { nvim, sent } = setup
    await nvim.feed(':enew<CR>iscratch<CR>text<Esc>:1,2ClaudeCodePrompt<CR>explain, in @buffer<Esc>:w<CR>')
    await waitForMessage(setup, 'the prompt was not sent: @buffer: there was no file')
    expect(await nvim.lua(`return { ${promptText}, ${isInPrompt} }`)).toEqual(['@this explain, in @buffer', true])
    await nvim.feed('A<C-w><BS><C-w><BS><Esc>:w<CR>')
    await sent('[this below] explain,\n\nThe text:\n```\nscratch\ntext\n```')
  })

  test('files, folders, buffers, diagnostics, quickfix', async () => {
    const { nvim, sent } = await startConnected()
    await nvim.lua(`vim.cmd.edit('a.txt')
      vim.diagnostic.set(vim.api.nvim_create_namespace('x'), 0, {
        { lnum = 2, col = 0, message = 'unused', severity = vim.diagnostic.severity.HINT },
        { lnum = 0, col = 0, message = 'no such\\nthing', severity = vim.diagnostic.severity.ERROR, source = 'ls' } })
      vim.fn.setqflist({ { filename = 'src/b.ts', lnum = 1, text = 'found\\n it' }, { text = 'no place' } })`)
    await nvim.feed(':ClaudeCodePrompt<CR>')
    await nvim.lua(
      `vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'see @src/b.ts#L1 in @src/, @"my notes.txt" or @nothing,', '@diagnostics and @quickfix' })`,
    )
    await nvim.feed('<Esc>:w<CR>')
    const at = nvim.folder
    await sent(
      [
        `see @${at}/src/b.ts#L1 in @${at}/src/, @"${at}/my notes.txt" or @nothing,`,
        '[diagnostics below] and [quickfix below]',
        '',
        'Diagnostics:',
        `- ${at}/a.txt:1: error: no such thing (ls)`,
        `- ${at}/a.txt:3: hint: unused`,
        '',
        'Quickfix list:',
        `- ${at}/src/b.ts:1: found it`,
      ].join('\n'),
    )
  })

  test('@diff is what Git says, without private files', async () => {
    const setup = await startConnected({ files: { ...files, '.env': 'TOKEN=1\n' } })
    const { nvim } = setup
    await nvim.feed(':ClaudeCodePrompt<CR>@diff<C-e><Esc>:w<CR>')
    await waitForMessage(setup, '@diff: this folder is in no Git repository')
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd: nvim.folder })
    git('init', '-q')
    git('add', '-A')
    git('commit', '-qm', 'x')
    await nvim.feed(':w<CR>')
    await waitForMessage(setup, '@diff: nothing is changed')
    await nvim.lua("vim.fn.writefile({ 'TOKEN=2' }, '.env') vim.fn.writefile({ 'one', '2', 'three' }, 'a.txt')")
    await nvim.feed(':w<CR>')
    const typed = await nvim.waitFor(async () => {
      const text = (await setup.typed(setup.run)).toString()
      return text.includes('\x1b[201~\r') && text
    }, 'the prompt')
    expect(typed).toContain('[diff below]\n\ngit diff:\n```diff\ndiff --git a/a.txt b/a.txt\n')
    expect(typed).toContain('\n-two\n+2\n three\n```\x1b[201~')
    expect(typed).not.toMatch(/TOKEN|env/)
  })
})

describe('U-01: private files', () => {
  const answering = `
    asked, answers = {}, {}
    vim.ui.select = function(choices, options, on_choice)
      table.insert(asked, options.prompt)
      local choice = table.remove(answers, 1)
      on_choice(choices[choice], choice)
    end`

  test('are asked about when they are named; after a no the prompt stays', async () => {
    const setup = await startConnected({ files: { ...files, '.env': 'TOKEN=1\n' }, init: answering })
    const { nvim, sent } = setup
    await nvim.feed(':ClaudeCodePrompt<CR>see @.env<C-e> now<Esc>:w<CR>')
    await waitForMessage(setup, '.env was not sent: private')
    expect(await nvim.lua(`return { ${promptText}, ${isInPrompt}, #asked }`)).toEqual(['see @.env now', true, 1])
    await nvim.lua('answers = { 1 }')
    await nvim.feed(':w<CR>')
    await sent(`see @${nvim.folder}/.env now`)
  })

  test('are asked about, too, when their unsaved text or their diagnostics are meant', async () => {
    const { nvim, sent } = await startConnected({ init: answering })
    await nvim.feed(':edit .env<CR>iTOKEN=1<Esc>:ClaudeCodePrompt<CR>see @this<C-e><Esc>:w<CR>')
    await nvim.waitFor('#asked == 1', 'the question')
    await nvim.feed(':q<CR>:write<CR>')
    await nvim.lua(`vim.diagnostic.set(vim.api.nvim_create_namespace('x'), 0, {
      { lnum = 0, col = 0, message = 'bad', severity = vim.diagnostic.severity.ERROR } })`)
    await nvim.feed(':ClaudeCodePrompt<CR><Esc>Smend @diagnostics<C-e><Esc>:w<CR>')
    await nvim.waitFor('#asked == 2', 'the second question')
    await nvim.feed(
      ':q!<CR>:enew<CR>:let b:claudecode_private = 1<CR>ox<Esc>:ClaudeCodePrompt<CR>@this<C-e><Esc>:w<CR>',
    )
    await nvim.waitForScreen(/@this: the buffer where the prompt was opened is private/)
    await nvim.feed('Snothing<Esc>:w<CR>')
    await sent('nothing')
  })

  test('are left out of @buffers', async () => {
    const { nvim, sent } = await startConnected({ files: { ...files, '.env': 'TOKEN=1\n' }, init: answering })
    await nvim.feed(':edit .env<CR>:edit src/b.ts<CR>:ClaudeCodePrompt<CR>@buffers<C-e><Esc>:w<CR>')
    await sent(`@${nvim.folder}/a.txt @${nvim.folder}/src/b.ts`)
    expect(await nvim.lua('return asked')).toEqual([])
  })
})

describe('completion', () => {
  test('@ opens the list; what is typed narrows it; nothing is inserted before it is chosen', async () => {
    const { nvim } = await startConnected()
    await nvim.feed(':ClaudeCodePrompt<CR>')
    await nvim.waitFor("#require('claudecode.prompt.completion').files() > 0", 'the files')
    await nvim.feed('see @')
    await nvim.waitForScreen(/@diagnostics +what language servers say/)
    expect(await nvim.lua(`return ${promptText}`)).toBe('see @')
    await nvim.feed('nts')
    await nvim.waitForScreen(/my notes\.txt/)
    expect(nvim.screen().join('\n')).not.toContain('what language servers say')
    await nvim.feed('<C-y>')
    expect(await nvim.lua(`return ${promptText}`)).toBe('see @"my notes.txt"')
    await nvim.feed(' me@')
    expect(await nvim.lua('return vim.fn.pumvisible()')).toBe(0)
  })

  test('completion plugins and keys find it, too', async () => {
    const { nvim } = await startConnected()
    const before = await nvim.lua('return vim.o.completeopt')
    await nvim.feed(':ClaudeCodePrompt<CR>')
    await nvim.waitFor("#require('claudecode.prompt.completion').files() > 0", 'the files')
    await nvim.feed('@<C-e>dia<C-x><C-o><C-y> x<C-x><C-u>')
    expect(await nvim.lua(`return ${promptText}`)).toBe('@diagnostics x')
    await nvim.feed('<Esc>:q<CR>')
    expect(await nvim.lua('return vim.go.completeopt')).toBe(before)
  })
})
