// A review in a real Neovim: a Claude that proposes, the diff that the user sees, and the layout around it.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { type CallResult, type ClaudeClient, connectThroughLockFile } from './claude-client.ts'
import type { NeovimOptions, TestNeovim } from './neovim.ts'
import { startWithServer } from './plugin.ts'

/** Lua for init.lua: keeps what the user is told, for `ReviewSession.told`. */
export const recordNotices = 'told = {} vim.notify = function(text) table.insert(told, text) end'

/** How long a proposal may wait for its answer in a test. */
const decisionTimeoutMs = 30_000

/** Time in which a wrong answer would have come. */
const momentMs = 250

/** A proposal that was sent. */
export interface Proposed {
  readonly tabName: string
  /** The texts of the answer's items. Rejects with an AnswerError when the call failed. */
  readonly answer: Promise<string[]>
  /** Withdraws the call (`notifications/cancelled`). */
  cancel(): void
}

/** A Neovim with a server, and one Claude that is connected to it. */
export class ReviewSession {
  readonly nvim: TestNeovim
  readonly claude: ClaudeClient
  #count = 0

  constructor(nvim: TestNeovim, claude: ClaudeClient) {
    this.nvim = nvim
    this.claude = claude
  }

  /** Absolute path of a file of the project. */
  path(name: string): string {
    return join(this.nvim.folder, name)
  }

  /** Another Claude, a client of its own. */
  connect(): Promise<ClaudeClient> {
    return connectThroughLockFile(this.nvim.configDir)
  }

  /** Sends openDiff for a file of the project, without waiting for anything. */
  propose(name: string, text: string, options: { tabName?: string; client?: ClaudeClient } = {}): Proposed {
    this.#count += 1
    const { tabName = `✻ [Claude Code] ${name} (00000${this.#count}) ⧉`, client = this.claude } = options
    const path = name.startsWith('/') ? name : this.path(name)
    const args = { old_file_path: path, new_file_path: path, new_file_contents: text, tab_name: tabName }
    const call = new AbortController()
    const answer = client.callTool('openDiff', args, { timeout: decisionTimeoutMs, signal: call.signal }).then(textsOf)
    answer.catch(() => undefined) // the test looks at it when it gets there
    return { tabName, answer, cancel: () => call.abort() }
  }

  /** Sends openDiff, and waits until the proposal is shown. */
  async open(name: string, text: string, options: { tabName?: string; client?: ClaudeClient } = {}): Promise<Proposed> {
    const proposed = this.propose(name, text, options)
    await this.waitForDiff(proposed)
    return proposed
  }

  /** Waits until the proposal is shown in a window. Fails with the answer's error when that comes first. */
  async waitForDiff({ tabName, answer }: Proposed): Promise<void> {
    const failed = answer.then(texts => {
      throw new Error(`the diff was answered before it was seen: ${texts.join(', ')}`)
    })
    failed.catch(() => undefined)
    await Promise.race([this.nvim.waitFor(() => this.isShown(tabName), `the diff ${tabName}`), failed])
  }

  /** Whether a window shows the proposal. */
  isShown(tabName: string): Promise<boolean> {
    return this.nvim.lua<boolean>(
      `for _, win in ipairs(vim.api.nvim_list_wins()) do
        if vim.b[vim.api.nvim_win_get_buf(win)].claudecode_diff_tab_name == ... then
          return true
        end
      end
      return false`,
      tabName,
    )
  }

  /** Whether a buffer holds the proposal, seen or not. */
  isOpen(tabName: string): Promise<boolean> {
    return this.nvim.lua<boolean>(
      `for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
        if vim.b[buffer].claudecode_diff_tab_name == ... then
          return true
        end
      end
      return false`,
      tabName,
    )
  }

  /** Fails when the diff is answered within a moment in which everything that was started has run, or is not shown. */
  async expectStillPending({ answer, tabName }: Proposed): Promise<void> {
    expect(await Promise.race([answer, pause(momentMs, 'pending' as const)])).toBe('pending')
    expect(await this.isOpen(tabName)).toBe(true)
  }

  /** Opens a proposal and accepts it with :w. */
  async accept(name: string, text: string, client = this.claude): Promise<Proposed> {
    const proposed = await this.open(name, text, { client })
    await this.nvim.feed(':w<CR>')
    expect(await proposed.answer).toEqual(['FILE_SAVED', text])
    return proposed
  }

  /** The lines that are coloured as different, for each window of the current tab page. */
  changedLines(): Promise<number[][]> {
    return this.nvim.lua(`
      return vim.tbl_map(function(win)
        return vim.api.nvim_win_call(win, function()
          local lines = {}
          for line = 1, vim.fn.line('$') do
            if vim.fn.diff_hlID(line, 1) ~= 0 then
              lines[#lines + 1] = line
            end
          end
          return lines
        end)
      end, vim.api.nvim_tabpage_list_wins(0))`)
  }

  /** What the user was told so far; see `recordNotices`. */
  told(): Promise<string[]> {
    return this.nvim.lua('return vim.list_slice(told)')
  }

  /** Waits until the user was told something that has `text` in it. */
  async waitForNotice(text: string): Promise<void> {
    await this.nvim.waitFor(async () => (await this.told()).some(one => one.includes(text)), `the notice "${text}"`)
  }

  /** Waits until nothing is left of the diff. */
  async waitForClosed({ tabName }: Proposed): Promise<void> {
    await this.nvim.waitFor(async () => !(await this.isOpen(tabName)), `the diff ${tabName} to be closed`)
  }

  async closeTab(tabName: string, client = this.claude): Promise<string[]> {
    return textsOf(await client.callTool('close_tab', { tab_name: tabName }))
  }

  async closeAllTabs(client = this.claude): Promise<string[]> {
    return textsOf(await client.callTool('closeAllDiffTabs'))
  }
}

/** Starts Neovim with the plugin set up, and connects a Claude. */
export async function startReview(options: NeovimOptions & { setup?: string } = {}): Promise<ReviewSession> {
  const nvim = await startWithServer(options)
  return new ReviewSession(nvim, await connectThroughLockFile(nvim.configDir))
}

/** The text of a file, and of what is proposed for it, for tests in which it does not matter what they are. */
export const old = 'one\ntwo\nthree\n'
export const changed = 'one\nTWO\nthree\n'

export const twoFiles = { 'a.txt': old, 'b.txt': old }

/** A review with these files; the user is in a.txt. */
export function startReviewOfTwo(): Promise<ReviewSession> {
  return startReview({ files: twoFiles, args: ['a.txt'], init: recordNotices })
}

function textsOf(result: CallResult): string[] {
  return result.content.map(item => item.text ?? '')
}
