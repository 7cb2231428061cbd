// When Claude hears of executeCode at all.
import { beforeAll, describe, expect, test } from 'vitest'
import { connectThroughLockFile, type ListedTool } from '../../support/claude-client.ts'
import { fetchTimeoutMs, ipykernelPython, notebookFile } from '../../support/ipykernel.ts'
import { type NotebookSession, startNotebookSession } from './session.ts'

beforeAll(async () => void (await ipykernelPython()), fetchTimeoutMs)

const changed = 'notifications/tools/list_changed'
const files = {
  'plain.py': 'print(1)\n',
  'a.ipynb': notebookFile('python3'),
  'cells.py': 'x = 1\n# %%\n',
  'c.txt': '# %%\n',
}

async function isListed({ claude }: NotebookSession): Promise<boolean> {
  const { tools } = await claude.request<{ tools: ListedTool[] }>('tools/list')
  return tools.some(({ name }) => name === 'executeCode')
}

describe('executeCode is listed', () => {
  test.each(['a.ipynb', 'cells.py'])(
    'once the user has been in %s, of which a connected Claude is told, once',
    async name => {
      const session = await startNotebookSession(files)
      const { nvim, claude } = session
      expect(claude.tools.map(tool => tool.name)).not.toContain('executeCode')
      await nvim.feed(':edit c.txt<CR>')
      expect(await isListed(session)).toBe(false)
      await nvim.feed(`:edit ${name}<CR>`)
      await claude.waitForNotification(changed)
      expect(await isListed(session)).toBe(true)
      await nvim.feed(':edit plain.py<CR>:edit a.ipynb<CR>:edit cells.py<CR>')
      await claude.request('ping')
      expect(await isListed(session)).toBe(true)
      expect(claude.notifications.filter(({ method }) => method === changed)).toHaveLength(1)
    },
  )

  test('at once for a Claude that comes while a notebook is open, which is told nothing', async () => {
    const session = await startNotebookSession({ 'cells.py': files['cells.py'] })
    expect(session.claude.tools.at(-1)?.name).toBe('executeCode')
    expect(session.claude.tools.at(-1)?.inputSchema).toMatchObject({
      type: 'object',
      properties: { code: { type: 'string' } },
      required: ['code'],
    })
    await session.claude.request('ping')
    expect(session.claude.notifications.filter(({ method }) => method === changed)).toEqual([])
  })

  test('when cells are typed into a Python file', async () => {
    const session = await startNotebookSession({ 'plain.py': 'print(1)\n' })
    await session.nvim.feed('O# %%<Esc>')
    await session.claude.waitForNotification(changed)
  })

  test('always or never, as the option says', async () => {
    const always = await startNotebookSession({ 'c.txt': '' }, "{ enabled = 'always', ask = 'never' }")
    expect(await isListed(always)).toBe(true)
    const result = await always.claude.callTool('executeCode', { code: '1' })
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toMatch(/^No notebook is active in Neovim/)
    const never = await startNotebookSession({ 'cells.py': files['cells.py'] }, "{ enabled = 'never' }")
    expect(await isListed(never)).toBe(false)
    await expect(never.claude.callTool('executeCode', { code: '1' })).rejects.toThrow('Unknown tool')
  })

  test('also after the host was killed, without a word to the Claude that comes back', async () => {
    const session = await startNotebookSession({ 'cells.py': files['cells.py'], 'c.txt': '' })
    const { nvim } = session
    await nvim.feed(':edit c.txt<CR>')
    const [host] = nvim.hosts()
    process.kill(host as number, 'SIGKILL')
    await session.claude.closed
    await nvim.waitFor(() => nvim.hosts().some(pid => pid !== host), 'a new host')
    await nvim.waitFor("require('claudecode.status').get().port", 'the server to listen')
    const again = await connectThroughLockFile(nvim.configDir)
    expect(again.tools.map(tool => tool.name)).toContain('executeCode')
    await again.close()
  })
})
