// Claude's process: how it is started, what reaches it, how it ends and what the user sees of that.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startClaude, startWithFakeClaude, waitForEnd, waitForMessage } from '../../support/fake-claude.ts'
import { makePlaces } from '../../support/places.ts'
import { isAlive } from '../../support/processes.ts'

const files = { 'a.txt': 'one\n', 'sub/b.txt': 'two\n' }

describe('the start', () => {
  test('L-01, U-04: words, environment and folder arrive exactly', async () => {
    const setup = await startWithFakeClaude({
      files,
      args: ['a.txt'],
      setup: `{ terminal_cmd = "claude --base 'a b'", env = { ODD = 'x = "y" $z', EMPTY = '' } }`,
      env: { no_proxy: 'corp', http_proxy: 'http://127.0.0.1:9' },
    })
    await setup.nvim.feed(`:ClaudeCode --model opus[1m] "quoted blank" ~/x $name *.txt % | x<CR>`)
    const run = await setup.waitForRun()
    expect(run.argv).toEqual([
      '--base',
      'a b',
      '--model',
      'opus[1m]',
      'quoted blank',
      `${setup.nvim.home}/x`,
      '$name',
      '*.txt',
      '%',
      '|',
      'x',
    ])
    expect(run.cwd).toBe(setup.nvim.folder)
    const port = await setup.nvim.lua("return require('claudecode.status').get().port")
    expect(run.env).toMatchObject({
      ODD: 'x = "y" $z',
      EMPTY: '',
      CLAUDE_CODE_SSE_PORT: String(port),
      ENABLE_IDE_INTEGRATION: 'true',
      no_proxy: 'corp,localhost,127.0.0.1,::1',
      NO_PROXY: 'corp,localhost,127.0.0.1,::1',
    })
  })

  test('T-23: what is no program is said with a way out, and leaves the windows alone', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'], setup: "{ terminal_cmd = 'my-alias --x' }" })
    await setup.nvim.feed(':ClaudeCode<CR>')
    await waitForMessage(setup, 'my-alias is not an executable: install Claude Code, or set terminal_cmd')
    expect(await setup.nvim.lua('return #vim.api.nvim_list_wins()')).toBe(1)
  })

  test('a variable in front of the command, as in a shell: the option env is named', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'], setup: "{ terminal_cmd = 'A_B=1 claude' }" })
    await setup.nvim.feed(':ClaudeCode<CR>')
    await waitForMessage(setup, 'A_B=1 is no program: put variables into the option env, such as { A_B = "1" }')
  })

  test.each([
    ['cwd', "{ terminal = { cwd = 'SUB' } }", 'sub'],
    ['the alias cwd', "{ cwd = 'SUB' }", 'sub'],
    ['git_repo_cwd', '{ terminal = { git_repo_cwd = true } }', ''],
    [
      'cwd_provider',
      '{ terminal = { cwd_provider = function(ctx) return ctx.file_dir end, git_repo_cwd = true } }',
      'sub',
    ],
    ['a cwd_provider that fails', "{ terminal = { cwd_provider = function() error('x') end, cwd = 'SUB' } }", 'sub'],
    ['a cwd_provider that says nothing', '{ cwd_provider = function() end, git_repo_cwd = true }', ''],
  ])('L-06: %s says where', async (_what, written, expected) => {
    const setup = await startWithFakeClaude({
      files: { ...files, '.git/HEAD': 'ref: refs/heads/main\n', 'sub/deep/c.txt': '' },
      args: ['sub/b.txt'],
      init: 'vim.cmd.cd(vim.fn.getcwd() .. "/sub/deep")',
      setup: written.replaceAll("'SUB'", 'vim.fn.getcwd():gsub("/deep$", "") .. ""'),
    })
    await setup.nvim.feed(':ClaudeCode<CR>')
    expect((await setup.waitForRun()).cwd).toBe(join(setup.nvim.folder, expected))
  })

  test('a folder that is not there is named', async () => {
    const setup = await startWithFakeClaude({ files, setup: "{ cwd = '/no/such/folder' }" })
    await setup.nvim.feed(':ClaudeCode<CR>')
    await waitForMessage(setup, 'the folder /no/such/folder, where Claude should start, does not exist')
  })

  test('two quick commands start one Claude', async () => {
    const setup = await startWithFakeClaude({ files })
    await setup.nvim.lua("require('claudecode.terminal').open() require('claudecode.terminal').open()")
    await setup.waitForRun()
    await setup.nvim.lua("require('claudecode.terminal').focus_toggle()")
    await setup.nvim.waitFor('#vim.api.nvim_list_wins() == 1', 'Claude to be hidden')
    expect(await setup.runs()).toHaveLength(1)
  })
})

describe('arguments for a Claude that runs', () => {
  test('T-08: are asked about: anew, with them', async () => {
    const { setup, nvim, run } = await startClaude()
    await nvim.feed('<C-q>:ClaudeCode --continue<CR>')
    await nvim.waitForScreen(/Claude runs already, without --continue/)
    await nvim.feed('2<CR>')
    const second = await setup.waitForRun(2)
    expect(second.argv).toEqual(['--continue'])
    await waitForEnd(run)
    expect(await nvim.lua('return #vim.api.nvim_list_wins()')).toBe(2)
    expect(await nvim.messages()).not.toContain('ended')
  })

  test('or another one is started beside it', async () => {
    const { setup, nvim, run } = await startClaude()
    await nvim.feed('<C-q>:ClaudeCode --continue<CR>')
    await nvim.waitForScreen(/Claude runs already, without --continue/)
    await nvim.feed('3<CR>')
    const second = await setup.waitForRun(2)
    expect(second.argv).toEqual(['--continue'])
    expect(isAlive(run.pid)).toBe(true)
  })

  test('or the one that runs is shown, or nothing happens', async () => {
    const { setup, nvim, run } = await startClaude()
    await nvim.feed('<C-q>:ClaudeCode<CR>:ClaudeCode --continue<CR>')
    await nvim.waitForScreen(/Claude runs already/)
    await nvim.feed('4<CR>')
    expect(await nvim.lua('return #vim.api.nvim_list_wins()')).toBe(1)
    await nvim.feed(':ClaudeCodeOpen --continue<CR>')
    await nvim.waitForScreen(/Claude runs already/)
    await nvim.feed('1<CR>')
    await nvim.waitFor('#vim.api.nvim_list_wins() == 2', 'Claude to be shown')
    expect(await setup.runs()).toHaveLength(1)
    expect(isAlive(run.pid)).toBe(true)
  })
})

describe('the end', () => {
  test(':ClaudeCodeClose ends the process, shown, hidden or stopped, and removes the buffer', async () => {
    for (const before of ['<C-q>', '<C-q>:ClaudeCode<CR>', 'stop']) {
      const { nvim, run } = await startClaude()
      if (before === 'stop') process.kill(run.pid, 'SIGSTOP')
      await nvim.feed(before === 'stop' ? '<C-q>' : before)
      if (before.includes('ClaudeCode')) await nvim.waitFor('#vim.api.nvim_list_wins() == 1', 'Claude to be hidden')
      await nvim.feed(':ClaudeCodeClose<CR>')
      await waitForEnd(run)
      expect(await nvim.lua('return #vim.api.nvim_list_wins()')).toBe(1)
      expect(await nvim.lua("return vim.fn.bufnr('^term://')")).toBe(-1)
      await nvim.feed(':ClaudeCodeClose<CR>')
      await nvim.waitForScreen(/no Claude runs in Neovim/)
    }
  })

  test.each([
    [0, true, 1],
    [0, false, 2],
    [3, true, 2],
    [3, false, 2],
  ])('T-06, T-12: exit code %i with auto_close = %s leaves %i windows', async (code, autoClose, count) => {
    const { setup, nvim } = await startClaude({ setup: `{ terminal = { auto_close = ${autoClose} } }` })
    await nvim.feed(`QUIT ${code}`)
    await nvim.feed('\n')
    await nvim.waitFor("require('claudecode.terminal').get_active_terminal_bufnr() == nil", 'Claude to be gone')
    if (code !== 0) await waitForMessage(setup, `ended at once with exit code ${code}: fake claude> boom ${code}`)
    await nvim.waitFor(`#vim.api.nvim_list_wins() == ${count}`, `${count} windows`)
    await nvim.waitFor("vim.fn.mode() ~= 't'", 'Terminal mode to be left')
    if (count === 1) return
    await nvim.feed('i')
    await waitForMessage(setup, 'Claude has ended here; :ClaudeCode starts a new one')
    await nvim.feed('jjj') // would close the window in Terminal mode
    expect(await nvim.lua('return #vim.api.nvim_list_wins()')).toBe(2)
    await nvim.feed(':ClaudeCode<CR>')
    await setup.waitForRun(2)
    expect(await nvim.lua('return #vim.api.nvim_list_wins()')).toBe(2)
  })

  test('T-24: a child that dies at once: its output and its code are shown', async () => {
    const setup = await startWithFakeClaude({ files, args: ['a.txt'] })
    await setup.nvim.feed(':ClaudeCode --exit=7<CR>')
    await waitForMessage(setup, 'claude ended at once with exit code 7: fake claude> boom 7')
    expect(setup.nvim.screen().join('\n')).toContain('boom 7')
  })

  test(':qa ends Claude and Neovim', async () => {
    const { nvim, run } = await startClaude()
    await nvim.feed('<C-q>')
    await nvim.input(':qa<CR>')
    expect(await nvim.exited).toEqual({ code: 0, signal: null })
    await waitForEnd(run)
  })

  test(':qa with unsaved text is refused as ever, and Claude lives', async () => {
    const { nvim, run } = await startClaude()
    await nvim.feed('<C-q><C-w>pix<Esc>:qa<CR>')
    await nvim.waitForScreen(/E37|E162/)
    await nvim.feed('<CR>')
    expect(isAlive(run.pid)).toBe(true)
  })

  test.each([':wqa', ':xa', ':wqall!'])('%s writes, and ends Claude and Neovim', async command => {
    const places = await makePlaces(files)
    const { nvim, run } = await startClaude({ places })
    await nvim.feed('<C-q><C-w>pix<Esc>')
    await nvim.input(`${command}<CR>`)
    await nvim.exited
    await waitForEnd(run)
    expect(await readFile(join(places.folder, 'a.txt'), 'utf8')).toBe('xone\n')
  })
})

describe('before the host is there', () => {
  const cold = { files, args: ['a.txt'], waits: false }

  test('Claude’s window opens at once, and Claude runs in it', async () => {
    const setup = await startWithFakeClaude({ ...cold, setup: '{ auto_start = false }' })
    const { nvim } = setup
    await nvim.feed(':ClaudeCode<CR>')
    expect(
      await nvim.lua("return { #vim.api.nvim_list_wins(), vim.fn.winnr(), require('claudecode.host').phase() }"),
    ).toEqual([2, 2, 'starting'])
    const win = await nvim.lua('return vim.api.nvim_get_current_win()')
    const run = await setup.waitForRun()
    await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
    expect(await nvim.lua('return { #vim.api.nvim_list_wins(), vim.api.nvim_get_current_win() }')).toEqual([2, win])
    expect(await setup.sizes(run)).toEqual(['48x43'])
  })

  test.each([
    ['no program', "{ auto_start = false, terminal_cmd = 'no-such-claude' }", 'no-such-claude is not an executable'],
    ['an open quote', `{ auto_start = false, terminal_cmd = "claude 'x" }`, "a ' is never closed"],
    ['no Node', "{ auto_start = false, node_cmd = 'no-such-node' }", 'no-such-node'],
  ])('the window goes again: %s', async (_what, written, text) => {
    const setup = await startWithFakeClaude({ ...cold, setup: written })
    await setup.nvim.feed(':ClaudeCode<CR>')
    await waitForMessage(setup, text)
    await setup.nvim.waitFor('#vim.api.nvim_list_wins() == 1', 'one window')
    expect(await setup.nvim.lua('return #vim.fn.getbufinfo()')).toBe(1)
  })

  test('where the host has to say what the window is like, it comes with the host', async () => {
    const setup = await startWithFakeClaude({
      ...cold,
      setup: "{ auto_start = false, terminal = { position = 'float' } }",
    })
    await setup.nvim.feed(':ClaudeCode<CR>')
    expect(await setup.nvim.lua('return #vim.api.nvim_list_wins()')).toBe(1)
    await setup.waitForRun()
    expect(await setup.nvim.lua('return #vim.api.nvim_list_wins()')).toBe(2)
  })
})
