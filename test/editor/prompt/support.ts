// A Neovim with Claude connected, and a prompt to be written.
import type { ClaudeClient } from '../../support/claude-client.ts'
import { type FakeRun, type FakeSetup, startWithFakeClaude } from '../../support/fake-claude.ts'

export const files = { 'a.txt': 'one\ntwo\nthree\n', 'my notes.txt': 'x\n', 'src/b.ts': 'y\n' }

export interface PromptSetup extends FakeSetup {
  run: FakeRun
  claude: ClaudeClient
  /** Waits until Claude's prompt has got just these texts, each sent with Enter. */
  sent(...texts: string[]): Promise<void>
}

/** Starts Neovim with a.txt, and Claude, which is connected and hidden; the user is in a.txt. */
export async function startConnected(options: Parameters<typeof startWithFakeClaude>[0] = {}): Promise<PromptSetup> {
  const setup = await startWithFakeClaude({
    files,
    args: ['a.txt'],
    setup: '{ connection_wait_delay = 0 }',
    ...options,
  })
  const { nvim } = setup
  await nvim.feed(':ClaudeCode<CR>')
  const run = await setup.waitForRun()
  await nvim.waitFor("vim.fn.mode() == 't'", 'Terminal mode')
  const claude = await setup.connect()
  await nvim.waitFor("require('claudecode').is_claude_connected()", 'Claude to be connected')
  await nvim.feed('<C-q>:ClaudeCode<CR>')
  await nvim.waitFor("vim.api.nvim_buf_get_name(0):match('a.txt$')", 'the user to be in a.txt')
  return { ...setup, run, claude, sent: (...texts) => waitForSent(setup, run, texts) }
}

/** Waits until a run's prompt has got just these texts. */
export async function waitForSent(setup: FakeSetup, run: FakeRun, texts: string[]): Promise<void> {
  const wanted = texts.map(text => `\x1b[200~${text}\x1b[201~\r`).join('')
  let typed = ''
  await setup.nvim
    .waitFor(
      async () => {
        typed = (await setup.typed(run)).toString()
        return typed === wanted
      },
      `${JSON.stringify(wanted)} to be typed`,
    )
    .catch(error => {
      throw new Error(`${JSON.stringify(typed)} was typed\n${error.message}`)
    })
}

/** The prompt's text, as Lua. */
export const promptText = "require('claudecode.prompt.page').text()"
/** Whether the user is in the prompt, as Lua. */
export const isInPrompt = "vim.bo.filetype == 'claudecode-prompt'"
