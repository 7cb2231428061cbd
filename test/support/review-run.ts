// One run of a property test of the review: Claudes that come and go, what they sent, and what Neovim has of it.
import { writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { AnswerError, type ClaudeClient } from './claude-client.ts'
import type { Proposed, ReviewSession } from './diff.ts'
import { killHost } from './plugin.ts'

/** A diff as Neovim has it. */
export interface SeenDiff {
  tab: number
  state: 'pending' | 'accepted'
}

export const original = 'one\ntwo\nthree\n'

let runCount = 0

/** The editor and the Claudes of one run. Everything that was before is gone when it starts. */
export class ReviewRun {
  readonly session: ReviewSession
  readonly #clients = new Map<number, ClaudeClient>()
  readonly #all = new Set<ClaudeClient>()
  readonly #names: string

  static async start(session: ReviewSession): Promise<ReviewRun> {
    const run = new ReviewRun(session)
    for (const name of [0, 1]) await writeFile(session.path(run.fileName(name)), original)
    await session.nvim.feed(`:edit ${run.fileName(0)}<CR>`)
    return run
  }

  private constructor(session: ReviewSession) {
    this.session = session
    runCount += 1
    this.#names = `run-${runCount}`
  }

  fileName(file: number): string {
    return `${this.#names}-${file}.txt`
  }

  tabName(tab: number): string {
    return `✻ [Claude Code] ${this.#names} (00000${tab}) ⧉`
  }

  /** The Claude in that place; a new one where there is none. */
  async client(place: number): Promise<ClaudeClient> {
    const known = this.#clients.get(place)
    if (known) return known
    const client = await this.session.connect()
    this.#clients.set(place, client)
    this.#all.add(client)
    return client
  }

  async propose(place: number, tab: number, file: number, text: string): Promise<Proposed> {
    const client = await this.client(place)
    return this.session.propose(this.fileName(file), text, { tabName: this.tabName(tab), client })
  }

  disconnect(place: number): void {
    this.#clients.get(place)?.terminate()
    this.#clients.delete(place)
  }

  /** Kills the host, does something meanwhile, and waits for the next host. All Claudes are gone. */
  async killHost(meanwhile: () => Promise<void>): Promise<void> {
    await killHost(this.session.nvim, meanwhile)
    this.#clients.clear()
  }

  /** The open diffs: state and name of the tab of each, sorted. */
  async diffs(): Promise<string[]> {
    const found = await this.session.nvim.lua<string[]>(`
      local found = {}
      for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
        local diff = vim.b[buffer].claudecode_diff
        if diff then
          found[#found + 1] = diff.state .. ' ' .. vim.b[buffer].claudecode_diff_tab_name
        end
      end
      return found`)
    return found.sort()
  }

  /** Waits until Neovim has these diffs and no others. */
  async expectDiffs(expected: SeenDiff[]): Promise<void> {
    const wanted = expected.map(({ state, tab }) => `${state} ${this.tabName(tab)}`).sort()
    const hasThem = async () => (await this.diffs()).join('\n') === wanted.join('\n')
    await this.session.nvim.waitFor(hasThem, `the diffs to be [${wanted}]`)
  }

  /** Whether the user has accepted that proposal, and it is open. */
  async isAccepted(tab: number): Promise<boolean> {
    return (await this.diffs()).includes(`accepted ${this.tabName(tab)}`)
  }

  /** Whether a window shows that proposal with that text. */
  async shows(tab: number, text: string): Promise<boolean> {
    return this.session.nvim.lua<boolean>(
      `local tab_name, text = ...
      for _, win in ipairs(vim.api.nvim_list_wins()) do
        local buffer = vim.api.nvim_win_get_buf(win)
        if vim.b[buffer].claudecode_diff_tab_name == tab_name then
          local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
          return table.concat(lines, '\\n') .. (vim.bo[buffer].endofline and '\\n' or '') == text
        end
      end
      return false`,
      this.tabName(tab),
      text,
    )
  }

  /** Types keys in the window of a proposal. Returns false where there is none any more. */
  async typeInto(tab: number, keys: string): Promise<boolean> {
    const isThere = await this.session.nvim.lua<boolean>(
      `for _, win in ipairs(vim.api.nvim_list_wins()) do
        if vim.b[vim.api.nvim_win_get_buf(win)].claudecode_diff_tab_name == ... then
          vim.api.nvim_set_current_win(win)
          return true
        end
      end
      return false`,
      this.tabName(tab),
    )
    if (isThere) await this.session.nvim.feed(keys)
    return isThere
  }

  /** Claude writes a file. */
  write(file: number, text: string): Promise<void> {
    return writeFile(this.session.path(this.fileName(file)), text)
  }

  /**
   * Whether a text can be had of a file: it is on disk, in its buffer, or some undos away there. Neovim's undo knows nothing of the final
   * line break.
   */
  async canBeHad(file: number, text: string): Promise<boolean> {
    const { now, undone } = await this.session.nvim.lua<{ now: string[]; undone: string[] }>(
      `local path = ...
      local now, undone = { table.concat(vim.fn.readfile(path, 'b'), '\\n') }, {}
      local buffer = vim.fn.bufnr(path)
      if buffer > 0 and vim.api.nvim_buf_is_loaded(buffer) then
        vim.api.nvim_buf_call(buffer, function()
          local function lines()
            return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')
          end
          now[2] = lines() .. (vim.bo.endofline and '\\n' or '')
          local tree = vim.fn.undotree()
          for number = 0, tree.seq_last do
            vim.cmd('silent undo ' .. number)
            undone[#undone + 1] = lines()
          end
          vim.cmd('silent undo ' .. tree.seq_cur)
        end)
      end
      return { now = now, undone = undone }`,
      this.session.path(this.fileName(file)),
    )
    return now.includes(text) || undone.includes(text.replace(/\n$/, ''))
  }

  /** Ends the run: nothing is left open, and no call was answered twice. */
  async end(): Promise<void> {
    const { nvim } = this.session
    for (const client of this.#all) client.terminate()
    await nvim.feed('<C-\\><C-n>:ClaudeCodeCloseAllDiffs<CR>')
    await this.expectDiffs([])
    for (const { surplusAnswers } of this.#all) expect(surplusAnswers).toEqual([])
    await nvim.feed(':silent! tabonly | silent! only | silent! %bwipeout!<CR>')
  }
}

/** How a call ended: what was answered, or the code of the error; 0 when the connection has ended. */
export function endOfCall({ answer }: Proposed): Promise<string[] | number> {
  return answer.catch(error => {
    if (error instanceof AnswerError) return error.code
    throw error
  })
}
