// Running code is the user's decision: what they see, what counts as an answer, and when they are asked at all.
import { beforeAll, describe, expect, test } from 'vitest'
import type { CallResult } from '../../support/claude-client.ts'
import { fetchTimeoutMs, ipykernelPython } from '../../support/ipykernel.ts'
import type { TestNeovim } from '../../support/neovim.ts'
import { type NotebookSession, startNotebookSession } from './session.ts'

beforeAll(async () => void (await ipykernelPython()), fetchTimeoutMs)

const files = { 'a.py': '# %% a cell\nprint(1)\n', 'b.py': '# %%\n' }
const ready = /y: run it · n: don't/

/** Calls executeCode without waiting for the answer, which is kept for later. */
function begin({ run }: NotebookSession, code: string, signal?: AbortSignal): Promise<CallResult> {
  const answer = run(code, signal)
  answer.catch(() => undefined)
  return answer
}

function floats(nvim: TestNeovim): Promise<number> {
  return nvim.lua(`return #vim.tbl_filter(function(win)
    return vim.api.nvim_win_get_config(win).relative ~= ''
  end, vim.api.nvim_list_wins())`)
}

const refused = {
  content: [{ type: 'text', text: 'The user did not allow this code to run.' }],
  isError: true,
}

describe('the first code in a notebook', () => {
  test('is shown, runs when the user says yes, and later code runs without asking', async () => {
    const session = await startNotebookSession(files, '{}')
    const { nvim } = session
    const answer = begin(session, 'x = 6 * 7\nprint(x)')
    await nvim.waitForScreen(ready)
    const screen = nvim.screen().join('\n')
    expect(screen).toContain('Claude asks to run this in a.py')
    expect(screen).toContain('Later code in this notebook will run without asking.')
    expect(screen).toContain('x = 6 * 7')
    expect(screen).toContain('print(x)')
    expect(session.kernels()).toEqual([])
    await nvim.feed('y')
    expect((await answer).content).toEqual([{ type: 'text', text: '42' }])
    expect(await floats(nvim)).toBe(0)
    expect(await session.texts('x + 1')).toEqual(['43'])
    await nvim.waitForScreen(/Claude runs code in a.py: x \+ 1/)
  })

  test('is asked for once when it comes with more at the same time', async () => {
    const session = await startNotebookSession(files, '{}')
    const both = [begin(session, "'first'"), begin(session, "'second'")]
    await session.nvim.waitForScreen(ready)
    await session.nvim.feed('y')
    const answers = await Promise.all(both)
    expect(answers.map(({ content }) => content[0]?.text)).toEqual(["'first'", "'second'"])
  })

  test('is asked for in each notebook', async () => {
    const session = await startNotebookSession(files, '{}')
    const { nvim } = session
    const first = begin(session, '1')
    await nvim.waitForScreen(ready)
    await nvim.feed('y')
    await first
    await nvim.feed(':edit b.py<CR>')
    const second = begin(session, '2')
    await nvim.waitForScreen(/Claude asks to run this in b.py/)
    await nvim.waitForScreen(ready)
    await nvim.feed('n')
    expect(await second).toEqual(refused)
  })

  test.each([
    ['n', 'n'],
    ['q', 'q'],
    ['Escape', '<Esc>'],
    [':quit', ':quit<CR>'],
  ])('does not run after %s, and the next one is asked for again', async (_, keys) => {
    const session = await startNotebookSession(files, '{}')
    const { nvim } = session
    const answer = begin(session, "open('ran', 'w')")
    await nvim.waitForScreen(ready)
    await nvim.feed(keys)
    expect(await answer).toEqual(refused)
    expect(await nvim.lua("return vim.fn.filereadable('ran')")).toBe(0)
    expect(session.kernels()).toEqual([])
    const next = new AbortController()
    begin(session, '2', next.signal)
    await nvim.waitForScreen(ready)
  })
})

describe('the window', () => {
  test('takes no key for an answer that was typed for something else', async () => {
    const session = await startNotebookSession(files, '{}')
    const { nvim } = session
    // A user who types on and on, as into Claude's prompt: yes, yes, yes.
    await nvim.lua(`
      vim.g.typed = 0
      local timer = vim.uv.new_timer()
      timer:start(0, 50, vim.schedule_wrap(function()
        if vim.g.typed == 40 then
          timer:stop()
        else
          vim.g.typed = vim.g.typed + 1
          vim.api.nvim_input(vim.g.typed % 2 == 1 and 'y' or 'n')
        end
      end))`)
    const answer = begin(session, '1')
    await nvim.waitFor('vim.g.typed == 40', 'the typing to end')
    expect(await floats(nvim)).toBe(1)
    await nvim.waitForScreen(ready)
    await nvim.feed('n')
    expect(await answer).toEqual(refused)
  })

  test('waits until the user has left Insert mode', async () => {
    const session = await startNotebookSession(files, '{}')
    const { nvim } = session
    await nvim.feed('Otext')
    const answer = begin(session, '1')
    await nvim.waitFor(
      async () =>
        (await nvim.messages()).includes('Claude asks to run code; you are asked when you are back in Normal mode'),
      'a word to the user',
    )
    await nvim.feed(' more')
    expect(await floats(nvim)).toBe(0)
    await nvim.feed('<Esc>')
    await nvim.waitForScreen(ready)
    expect(await nvim.lua("return vim.fn.getbufline('a.py', 1)")).toEqual(['text more'])
    await nvim.feed('n')
    expect(await answer).toEqual(refused)
  })

  test("gives Claude's terminal back, in Terminal mode", async () => {
    const session = await startNotebookSession(files, '{}')
    const { nvim } = session
    await nvim.feed(':vsplit | terminal cat<CR>i')
    const answer = begin(session, '1')
    await nvim.waitForScreen(ready)
    await nvim.feed('n')
    expect(await answer).toEqual(refused)
    await nvim.waitFor("vim.api.nvim_get_mode().mode == 't'", 'Terminal mode')
    await nvim.feed('typed')
    await nvim.waitForScreen(/typed/)
  })

  test('goes when the call is cancelled, and when its Claude goes', async () => {
    const session = await startNotebookSession(files, '{}')
    const { nvim } = session
    const cancelled = new AbortController()
    begin(session, '1', cancelled.signal)
    await nvim.waitForScreen(/Claude asks to run this/)
    cancelled.abort()
    await nvim.waitFor(async () => (await floats(nvim)) === 0, 'the window to go')
    begin(session, '2')
    await nvim.waitForScreen(/Claude asks to run this/)
    session.claude.terminate()
    await nvim.waitFor(async () => (await floats(nvim)) === 0, 'the window to go')
    expect(session.kernels()).toEqual([])
  })

  test('shows one question after the other', async () => {
    const session = await startNotebookSession(files, "{ ask = 'always' }")
    const { nvim } = session
    const both = [begin(session, "'first'"), begin(session, "'second'")]
    for (const which of ['first', 'second']) {
      await nvim.waitForScreen(new RegExp(`'${which}'[\\s\\S]*y: run it`))
      expect(await floats(nvim)).toBe(1)
      await nvim.feed('y')
    }
    const answers = await Promise.all(both)
    expect(answers.map(({ content }) => content[0]?.text)).toEqual(["'first'", "'second'"])
  })
})

test('hostile code is shown as it is, and does nothing before the answer', async () => {
  const session = await startNotebookSession(files, '{}')
  const { nvim, claude } = session
  for (const code of [null, 7, {}, ['1'], undefined]) {
    const wrong = expect(claude.callTool('executeCode', { code })).rejects
    await wrong.toMatchObject({ code: -32602, message: expect.stringMatching(/^code: /) })
  }
  const shown: [code: string, line: string][] = [
    ['<CR>:qa!<CR>', '<CR>:qa!<CR>'],
    ['\0\x1b[31m\r\x07', '^@^[[31m^M^G'],
    ['\ud800', '\ufffd'],
    [`y${'y'.repeat(100_000)}`, 'yyyyyyyyyy'],
    ['"]] error("x") --\n'.repeat(1000), '"]] error("x") --'],
    ['', 'Claude asks to run this in a.py'],
  ]
  for (const [code, line] of shown) {
    const answer = begin(session, code)
    await nvim.waitForScreen(ready)
    expect(nvim.screen().join('\n')).toContain(line)
    await nvim.feed('n')
    expect(await answer).toEqual(refused)
    expect(await floats(nvim)).toBe(0)
  }
  expect(session.kernels()).toEqual([])
  expect(await nvim.blockedMode()).toBeUndefined()
})

test('while Neovim waits for a key, the answer says so within 5 s, and nothing is shown later', async () => {
  const session = await startNotebookSession(files, '{}')
  const { nvim } = session
  await nvim.feed('f')
  const asked = performance.now()
  const result = await begin(session, '1')
  expect(performance.now() - asked).toBeLessThan(5000)
  expect(result.isError).toBe(true)
  expect(result.content[0]?.text).toContain('Neovim waits for a key')
  await nvim.feed('<Esc>')
  await nvim.waitFor('true', 'Neovim to be free') // what was asked before has been answered then
  expect(await floats(nvim)).toBe(0)
})
