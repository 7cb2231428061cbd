// :ClaudeCodeResume: a conversation is chosen and taken up.
import { expect, test } from 'vitest'
import { startWithFakeClaude } from '../../support/fake-claude.ts'
import { writeFiles } from '../../support/temporary-folder.ts'

test('the chosen one is taken up; without any the user is told', async () => {
  const setup = await startWithFakeClaude({ files: { 'a.txt': '' } })
  const { nvim } = setup
  await nvim.feed(':ClaudeCodeResume<CR>')
  await nvim.waitForScreen(/Claude has kept no conversation of /)
  const said = JSON.stringify({ type: 'user', message: { content: 'why is the sky blue?' } })
  const folder = `projects/${nvim.folder.replaceAll(/[^a-zA-Z0-9]/g, '-')}`
  await writeFiles(nvim.configDir, { [`${folder}/1234-abcd.jsonl`]: said })
  await nvim.feed(':ClaudeCodeResume<CR>')
  await nvim.waitForScreen(/1: +0 min +why is the sky blue\?/)
  await nvim.feed('1<CR>')
  expect((await setup.waitForRun()).argv).toEqual(['--resume', '1234-abcd'])
})
