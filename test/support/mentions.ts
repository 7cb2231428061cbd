// A Claude that is connected, and what it was pointed to.
import { expect } from 'vitest'
import type { ClaudeClient } from './claude-client.ts'
import { type FakeSetup, startWithFakeClaude } from './fake-claude.ts'

/** A Neovim with a project that has a file `a.txt`, and a Claude that is given mentions at once. */
export async function startConnected(options: Parameters<typeof startWithFakeClaude>[0] = {}) {
  const setup = await startWithFakeClaude({ setup: '{ connection_wait_delay = 0 }', ...options })
  const claude = await setup.connect()
  await setup.nvim.waitFor("require('claudecode').is_claude_connected()", 'Claude to be connected')
  return { setup, nvim: setup.nvim, claude }
}

/** What a Claude was pointed to, in order: `path:start-end` with 0-based lines, relative to the project. */
export function mentionsOf(claude: ClaudeClient, { nvim }: FakeSetup): string[] {
  return claude.notifications
    .filter(({ method }) => method === 'at_mentioned')
    .map(({ params }) => {
      const path = String(params['filePath']).replace(`${nvim.folder}/`, '')
      return 'lineStart' in params || 'lineEnd' in params ? `${path}:${params['lineStart']}-${params['lineEnd']}` : path
    })
}

/** Waits for these mentions, and checks that there are no others. */
export async function expectMentions(claude: ClaudeClient, setup: FakeSetup, expected: string[]): Promise<void> {
  await setup.nvim.waitFor(
    () => mentionsOf(claude, setup).length >= expected.length,
    `${expected.length} mentions; there are ${mentionsOf(claude, setup)}`,
  )
  // What must not come would come before the answer to a later question.
  await setup.nvim.lua("require('claudecode').send_at_mention('a.txt', 0, 0, 'last')")
  await claude.waitForNotification('at_mentioned', params => params['lineEnd'] === 0 && params['lineStart'] === 0)
  expect(mentionsOf(claude, setup)).toEqual([...expected, 'a.txt:0-0'])
}
