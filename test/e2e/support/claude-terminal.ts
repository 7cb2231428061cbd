// The CLI in its terminal window: what it shows, and what the user types there.
import type { Turn } from '../../support/scripted-model.ts'
import type { ClaudeSession } from './claude-session.ts'

/**
 * Claude ignores the answer to a question in its first moments (some 0.15 s), lest it was meant for something else. A key that shows no effect
 * for so long is pressed again. Milliseconds.
 */
const keyPatience = 500

/** Starts Claude in the way a user does, with more arguments, and waits until both sides know that they are connected. */
export async function openClaude(session: ClaudeSession, args = ''): Promise<void> {
  // The mode `auto`, which is the CLI's default, edits without asking and opens no diff.
  await session.nvim.input(`:ClaudeCode --permission-mode default ${args}<CR>`)
  await session.until(() => isConnected(session), 'Claude to be connected')
  await waitUntilClaudeKnows(session)
}

/**
 * Asks Claude whether it is connected. A prompt that follows the connection within milliseconds is answered without the IDE: no diff opens.
 * Needs an empty prompt.
 */
export async function waitUntilClaudeKnows(session: ClaudeSession): Promise<void> {
  await typeToClaude(session, '/status')
  await waitForClaude(session, '/status')
  await session.nvim.input('<CR>')
  await waitForClaude(session, 'IDE: Connected to Neovim')
  await answerQuestion(session, 'Esc to close', '<Esc>')
  await waitForPrompt(session)
}

/** Waits until the empty prompt takes keys. The first one after Escape may count as one together with it: Alt. */
export async function waitForPrompt(session: ClaudeSession): Promise<void> {
  const typed = async () => / ❯ (?:\[[^\]]*\] )?(x*)[^❯]*$/.exec(await claudeScreen(session))?.[1] ?? ''
  await pressUntil(session, 'x', async () => (await typed()) !== '', 'the prompt to take keys')
  let pressedAt = Number.NEGATIVE_INFINITY
  // As often as there are letters: another one would take the selection out of the prompt, as Ctrl-U does. A second `x` can
  // be on its way yet.
  async function isEmpty(): Promise<boolean> {
    const { length } = await typed()
    if (length > 0 && performance.now() - pressedAt > 4 * keyPatience) {
      pressedAt = performance.now()
      await session.nvim.input('<BS>'.repeat(length))
    }
    return length === 0
  }
  await session.until(isEmpty, 'the prompt to be empty')
}

/** What the plugin tells a status line. */
export function isConnected(session: ClaudeSession): Promise<boolean> {
  return session.nvim.lua<boolean>(`return require('claudecode').is_claude_connected()`)
}

/** What the CLI of the current session, or of the one called `name`, shows, with each run of blanks and line breaks as one blank, since it wraps at the width of its window. */
export async function claudeScreen(session: ClaudeSession, name = ''): Promise<string> {
  const lines = await session.nvim.lua<string[]>(
    `
    local named = require('claudecode.terminal.sessions').named(...)
    local buffer = named and named.terminal:buffer() or require('claudecode.terminal').get_active_terminal_bufnr()
    return buffer and vim.api.nvim_buf_get_lines(buffer, 0, -1, false) or { '' }
  `,
    name,
  )
  return lines.join(' ').replace(/\s+/g, ' ')
}

/** Waits until the CLI shows `text`. Scrolled-out text counts, so it must not have been there before. */
export async function waitForClaude(session: ClaudeSession, text: string, name?: string): Promise<void> {
  await session.until(async () => (await claudeScreen(session, name)).includes(text), `Claude to show "${text}"`)
}

/** Goes to the CLI's window, which is the one on the right, and types there, as keys. */
export async function typeToClaude(session: ClaudeSession, keys: string): Promise<void> {
  if ((await modeOf(session)) !== 't') {
    await session.nvim.feed('<C-w>b')
    await session.nvim.lua('vim.cmd.startinsert()') // the key `i` would reach Claude where the plugin does this by itself
    await session.until(async () => (await modeOf(session)) === 't', 'the terminal to take keys')
  }
  await session.nvim.input(keys)
}

/** Sends a prompt, which must differ from earlier ones; the model will answer it with `turns`. */
export async function prompt(session: ClaudeSession, text: string, ...turns: Turn[]): Promise<void> {
  session.model.add(...turns)
  await typeToClaude(session, text)
  await waitForClaude(session, text) // Enter together with the text would be taken for a pasted line break
  await session.nvim.input('<CR>')
}

/** Answers Claude's own question about the edit of the file `name` with one of its numbers: 1 is yes, 3 is no. */
export async function answerClaude(session: ClaudeSession, name: string, number: '1' | '3'): Promise<void> {
  await answerQuestion(session, `Do you want to make this edit to ${name}?`, number)
}

/** Waits until Claude asks `question`, or shows that text, and presses `key` until it has gone. */
export async function answerQuestion(session: ClaudeSession, question: string, key: string): Promise<void> {
  await waitForClaude(session, question)
  const isAnswered = async () => !(await claudeScreen(session)).includes(question)
  await pressUntil(session, key, isAnswered, `Claude to take the answer ${key}`)
}

/** Presses a key, and again where that shows no effect. `what` completes "Waited … for". */
export async function pressUntil(
  session: ClaudeSession,
  key: string,
  hasWorked: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  let pressedAt = Number.NEGATIVE_INFINITY
  async function look(): Promise<boolean> {
    if (await hasWorked()) return true
    if (performance.now() - pressedAt < keyPatience) return false
    pressedAt = performance.now()
    await typeToClaude(session, key)
    return false
  }
  await session.until(look, what)
}

function modeOf(session: ClaudeSession): Promise<string> {
  return session.nvim.lua<string>('return vim.api.nvim_get_mode().mode')
}
