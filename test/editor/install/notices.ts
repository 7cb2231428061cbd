// What the plugin told the user: the lines of Lua in the log, whose times have no milliseconds.
import { expect } from 'vitest'
import type { TestNeovim } from '../../support/neovim.ts'
import { logLines } from '../../support/plugin.ts'

/** What the user was told until now, whole, in the order of time. */
export async function notices(nvim: TestNeovim): Promise<string[]> {
  const lines = await logLines(nvim)
  return lines.flatMap(line => /^[^. ]+ (?:ERROR|WARN|INFO) (.*)$/.exec(line)?.[1] ?? [])
}

/** Waits for the first notice; a command after it proves that there was no second. */
export async function onlyNotice(nvim: TestNeovim): Promise<string> {
  const [notice] = await nvim.waitFor(async () => {
    const all = await notices(nvim)
    return all.length > 0 && all
  }, 'a notice')
  await nvim.feed(':ClaudeCodeStatus<CR>')
  const all = await nvim.waitFor(async () => {
    const later = await notices(nvim)
    return later.length > 1 && later
  }, 'the status')
  expect(all).toEqual([notice, 'the server is not running; :ClaudeCodeStart starts it'])
  expect(nvim.hosts()).toEqual([])
  expect(await nvim.messages()).toContain(`claudecode: ${notice?.slice(0, 60)}`)
  return notice as string
}
