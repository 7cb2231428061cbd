// The diff that the user reviews: finding it, and seeing it go.
import type { ClaudeSession } from './claude-session.ts'

/** A proposal that is on the screen, in the window where the user is. */
export interface Proposal {
  readonly tabName: string
  readonly text: string
  /** How many windows of the tab page are in diff mode. */
  readonly windows: number
}

/** Waits for a diff of the file `name`, with the user in the proposal and able to type commands, and returns it. */
export function waitForProposal(session: ClaudeSession, name: string): Promise<Proposal> {
  async function look(): Promise<Proposal | undefined> {
    const found = await session.nvim.lua<Proposal | null>(`
      local tab_name = vim.b.claudecode_diff_tab_name
      if not tab_name or vim.api.nvim_get_mode().mode ~= 'n' then
        return nil
      end
      local windows = vim.tbl_filter(function(window)
        return vim.wo[window].diff
      end, vim.api.nvim_tabpage_list_wins(0))
      local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')
      return { tabName = tab_name, text = text .. (vim.bo.endofline and '\\n' or ''), windows = #windows }
    `)
    return found?.tabName.includes(`] ${name} (`) ? found : undefined
  }
  return session.until(look, `a diff of ${name}, with the user in the proposal`)
}

/** Waits until no diff is left: no window in diff mode, no proposal in any buffer. */
export async function waitForNoDiff(session: ClaudeSession): Promise<void> {
  const code = `
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.wo[window].diff then
        return false
      end
    end
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_is_loaded(buffer) and vim.b[buffer].claudecode_diff_tab_name then
        return false
      end
    end
    return true
  `
  await session.until(() => session.nvim.lua<boolean>(code), 'the diff to be closed')
}
