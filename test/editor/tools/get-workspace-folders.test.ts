// getWorkspaceFolders and the lock file, from a real Neovim through a real socket: the same folders.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { readLockFiles } from '../../support/claude-client.ts'
import { oddNames, type Session, startSession } from './support.ts'

interface Answer {
  success: boolean
  folders: { name: string; uri: string; path: string }[]
  rootPath: string
}

/** What the tool says, after the lock file says the same. */
async function folders({ nvim, json }: Session): Promise<string[]> {
  const answer = await json<Answer>('getWorkspaceFolders', { extra: 'ignored' })
  const paths = answer.folders.map(folder => folder.path)
  await nvim.waitFor(async () => {
    const [lock] = (await readLockFiles(nvim.configDir)).values()
    return JSON.stringify(lock?.workspaceFolders) === JSON.stringify(paths)
  }, `the lock file to name ${paths}`)
  expect(answer.rootPath).toBe(paths[0])
  return paths
}

/** Lua that starts a language server which does nothing, in the current buffer. */
function startServer(root: string): string {
  return `vim.lsp.start({ name = ${JSON.stringify(root)}, root_dir = ${JSON.stringify(root)}, cmd = function(dispatchers)
    local closing = false
    return {
      request = function(method, _, callback) callback(nil, method == 'initialize' and { capabilities = {} } or nil) return true, 1 end,
      notify = function(method) if method == 'exit' then closing = true end return true end,
      is_closing = function() return closing end,
      terminate = function() closing = true dispatchers.on_exit(0, 15) end,
    }
  end })`
}

test('the example of the document, every field', async () => {
  const { nvim, json } = await startSession()
  expect(await json('getWorkspaceFolders')).toEqual({
    success: true,
    folders: [{ name: path.basename(nvim.folder), uri: `file://${nvim.folder}`, path: nvim.folder }],
    rootPath: nvim.folder,
  })
})

test('L-08: :cd, :tcd, :lcd and a worktree beside the project', async () => {
  const session = await startSession({ files: { 'a/x.txt': '', 'b/x.txt': '' } })
  const { nvim, file } = session
  const [lockBefore] = await readLockFiles(nvim.configDir)
  await nvim.feed(':cd a<CR>')
  expect(await folders(session)).toEqual([file('a')])
  await nvim.feed(`:tcd ${file('b')}<CR>`)
  expect(await folders(session)).toEqual([file('b'), file('a')])
  await nvim.feed(`:split<CR>:lcd ${nvim.home}<CR>`)
  expect(await folders(session)).toEqual([nvim.home, file('a')])
  await nvim.feed('<C-w>p')
  expect(await folders(session)).toEqual([file('b'), file('a')])
  await mkdir(`${nvim.folder}-worktree`)
  await nvim.feed(`:cd ${nvim.folder}-worktree<CR>`)
  expect(await folders(session)).toEqual([`${nvim.folder}-worktree`])
  const [lockAfter] = await readLockFiles(nvim.configDir)
  expect([lockAfter?.[0], lockAfter?.[1].authToken]).toEqual([lockBefore?.[0], lockBefore?.[1].authToken])
})

test("L-06: with 'autochdir' the folder is still the one that the user chose", async () => {
  const session = await startSession({ files: { 'a/x.txt': '' } })
  const { nvim, file } = session
  await nvim.feed(':set autochdir<CR>:edit a/x.txt<CR>')
  expect(await nvim.lua('return vim.fn.getcwd()')).toBe(file('a'))
  expect(await folders(session)).toEqual([nvim.folder])
})

test('the folders of language servers come and go, none twice', async () => {
  const session = await startSession({ files: { 'lib/x.txt': '', 'app/x.txt': '' }, args: ['lib/x.txt'] })
  const { nvim, file } = session
  await nvim.lua(startServer(file('lib')))
  await nvim.lua(startServer(nvim.folder))
  const lockHas = (folder: string, wanted: boolean) =>
    nvim.waitFor(
      async () => {
        const [lock] = (await readLockFiles(nvim.configDir)).values()
        return lock?.workspaceFolders.includes(folder) === wanted
      },
      `the lock file with${wanted ? '' : 'out'} ${folder}`,
    )
  await lockHas(file('lib'), true)
  expect(await folders(session)).toEqual([nvim.folder, file('lib')])
  await nvim.lua('vim.lsp.buf.add_workspace_folder(...)', file('app'))
  expect(await folders(session)).toContain(file('app'))
  await nvim.lua('vim.lsp.stop_client(vim.lsp.get_clients(), true)')
  await lockHas(file('lib'), false)
  expect(await folders(session)).toEqual([nvim.folder])
})

test('what changed while the host started is told when it is ready', async () => {
  const session = await startSession({
    files: { 'a/x.txt': '' },
    init: `
      local begin = require('claudecode.session').rpc.begin
      require('claudecode.session').rpc.begin = function(args)
        local answer = begin(args)
        vim.cmd.cd('a')
        return answer
      end`,
  })
  // Before anyone asks, which would tell it too.
  await session.nvim.waitFor(async () => {
    const [lock] = (await readLockFiles(session.nvim.configDir)).values()
    return lock?.workspaceFolders[0] === session.file('a')
  }, 'the lock file to name the new folder')
  expect(await folders(session)).toEqual([session.file('a')])
})

test('every name of a folder', async () => {
  // Neovim itself can't go to a folder with a variable of the environment in its name.
  const names = oddNames.filter(name => !name.includes('$HOME')).map(name => `in ${name}`)
  const session = await startSession({ files: Object.fromEntries(names.map(name => [`${name}/x.txt`, ''])) })
  for (const name of names) {
    await session.nvim.lua('vim.api.nvim_set_current_dir(...)', session.file(name))
    const answer = await session.json<Answer>('getWorkspaceFolders')
    expect(answer).toEqual({
      success: true,
      folders: [{ name, uri: pathToFileURL(session.file(name)).href, path: session.file(name) }],
      rootPath: session.file(name),
    })
  }
})
