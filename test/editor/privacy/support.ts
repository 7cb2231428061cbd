// A Neovim with secrets in its project, and a Claude that must not see them.
import { expect } from 'vitest'
import type { ClaudeClient } from '../../support/claude-client.ts'
import type { TestNeovim } from '../../support/neovim.ts'
import { type Listener, type SelectionOptions, startTracking, type Tracking } from '../../support/selection.ts'

export const secret = 'TOKEN=hunter2\nSECOND=hunter3\n'
export const files = { 'a.txt': 'one\ntwo\nthree\n', '.env': secret, 'b.txt': 'other\n' }

export interface PrivateSetup {
  tracking: Tracking
  nvim: TestNeovim
  listener: Listener
  claude: ClaudeClient
  /** What the tools that tell of files by themselves answer, as text. */
  allAnswers(): Promise<string>
}

/** Starts in a.txt, of which Claude knows. */
export async function start(options: SelectionOptions = {}): Promise<PrivateSetup> {
  const tracking = await startTracking({ files, args: ['a.txt'], ...options })
  const listener = await tracking.connect()
  const { claude } = listener
  if (tracking.isTracking) {
    await listener.hears('cursor 0:0')
    await listener.isGreeted()
  }
  return {
    tracking,
    nvim: tracking.nvim,
    listener,
    claude,
    async allAnswers() {
      const tools = ['getCurrentSelection', 'getLatestSelection', 'getOpenEditors', 'getDiagnostics']
      const answers = await Promise.all(tools.map(tool => claude.callTool(tool)))
      return JSON.stringify(answers)
    },
  }
}

/** Reports an error in each line of the current buffer, whose message is `text`. */
export async function diagnose(nvim: TestNeovim, text: string): Promise<void> {
  await nvim.lua(
    `local rows = {}
    for line = 0, vim.api.nvim_buf_line_count(0) - 1 do
      rows[#rows + 1] = { lnum = line, col = 0, message = ... , severity = 1 }
    end
    vim.diagnostic.set(vim.api.nvim_create_namespace('test'), 0, rows)`,
    text,
  )
}

/** Goes through a private file as a user does, and holds that Claude learns nothing of it. `open` opens it. */
export async function expectNothingLeaves(
  { nvim, tracking, listener, claude, allAnswers }: PrivateSetup,
  path: string,
  open = `:edit ${path}<CR>`,
): Promise<void> {
  await nvim.feed(open)
  await diagnose(nvim, 'hunter4')
  for (const keys of ['v$', 'V', '<Esc>ggVG', '<Esc>gg<C-v>j', '<Esc>gh', '<Esc>gg']) {
    await nvim.feed(keys)
    await tracking.letTimePass(40)
  }
  await nvim.feed('V')
  expect(await allAnswers()).not.toMatch(/hunter/)
  const name = path.replace(/.*\//, '')
  expect(await allAnswers()).not.toContain(name)
  const full = await nvim.lua<string>('return vim.api.nvim_buf_get_name(0)')
  for (const uri of [`file://${full}`, full]) {
    const { content } = await claude.callTool('getDiagnostics', { uri })
    expect(content).toEqual([{ type: 'text', text: '[]' }])
  }
  await nvim.feed('<Esc>')
  await tracking.letTimePass()
  const late = await tracking.connect()
  await late.claude.callTool('getCurrentSelection')
  for (const { notifications } of [claude, late.claude]) {
    const heard = JSON.stringify(notifications)
    expect(heard).not.toMatch(/hunter/)
    expect(heard).not.toContain(name)
  }
  expect(late.told).toEqual([])
  expect(await listener.asks('getCurrentSelection')).toEqual({ success: false, message: 'No active editor found' })
}
