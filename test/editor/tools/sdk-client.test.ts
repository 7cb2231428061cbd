// The client of the MCP SDK, which knows nothing of us, with a real Neovim behind the tools.
import { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { readLockFiles } from '../../support/claude-client.ts'
import { startNeovim } from '../../support/neovim.ts'
import { WebSocketTransport } from '../../support/sdk-transport.ts'

test('it lists all twelve tools and calls each', async () => {
  const nvim = await startNeovim({
    init: 'require("claudecode").setup({ jupyter = { enabled = "always", ask = "never" } })',
    files: { 'a.txt': 'one\n' },
    args: ['a.txt'],
  })
  await nvim.waitFor(async () => (await readLockFiles(nvim.configDir)).size === 1, 'the lock file')
  const [found] = await readLockFiles(nvim.configDir)
  const [port, lock] = found ?? []
  const client = new Client({ name: 'stranger', version: '0.1.0' })
  await client.connect(new WebSocketTransport(port ?? 0, lock?.authToken ?? ''))
  const filePath = `${nvim.folder}/a.txt`
  const diff = { old_file_path: filePath, new_file_path: filePath, new_file_contents: 'ONE\n', tab_name: 'the diff' }
  const calls: [name: string, args: Record<string, unknown>, answer: RegExp][] = [
    ['openFile', { filePath }, /^Opened file: /],
    ['getCurrentSelection', {}, /^{"success":true/],
    ['getLatestSelection', {}, /No selection available/],
    ['getOpenEditors', {}, /"label":"a.txt"/],
    ['getWorkspaceFolders', {}, /^{"success":true/],
    ['getDiagnostics', {}, /^\[/],
    ['checkDocumentDirty', { filePath }, /"isDirty":false/],
    ['saveDocument', { filePath }, /"saved":true/],
    ['close_tab', { tab_name: 'no such diff' }, /^TAB_CLOSED$/],
    ['closeAllDiffTabs', {}, /^CLOSED_1_DIFF_TABS$/],
    ['executeCode', { code: '1' }, /notebook/],
  ]
  const verdict = client.callTool({ name: 'openDiff', arguments: diff })
  await nvim.waitFor('vim.b.claudecode_diff_tab_name', 'the diff')
  for (const [name, args, answer] of calls) {
    const { content } = await client.callTool({ name, arguments: args })
    expect(content, name).toMatchObject([{ type: 'text', text: expect.stringMatching(answer) }])
  }
  expect(await verdict).toMatchObject({ content: [{ text: 'DIFF_REJECTED' }, { text: 'the diff' }] })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual(['openDiff', ...calls.map(([name]) => name)].sort())
  await client.close()
})
