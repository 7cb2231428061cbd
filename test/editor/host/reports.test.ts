// What users of such plugins reported of the server and its lock file, where an editor is involved, one test each.
import { chmod, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectThroughLockFile, readLockFiles } from '../../support/claude-client.ts'
import { startNeovim } from '../../support/neovim.ts'
import { makePlaces } from '../../support/places.ts'
import { killHost, lockFiles, logLines, startWithServer, waitForLockFiles } from '../../support/plugin.ts'

const files = { 'a.txt': 'one\ntwo\n' }

test('W-01: a Claude that dies without a word, just when something is selected: nobody is disturbed', async () => {
  const nvim = await startWithServer({ files, args: ['a.txt'] })
  const claude = await connectThroughLockFile(nvim.configDir)
  await nvim.waitFor("require('claudecode').is_claude_connected()", 'the client to be seen')
  claude.terminate()
  await nvim.feed('Vj<Esc>jVk')
  await nvim.waitFor("not require('claudecode').is_claude_connected()", 'the client to be gone')
  await nvim.feed('<Esc>Vj')
  expect(await nvim.messages()).toBe('')
  expect(await nvim.blockedMode()).toBeUndefined()
  expect((await logLines(nvim)).filter(line => / (?:ERROR|WARN) /.test(line))).toEqual([])
  await (await connectThroughLockFile(nvim.configDir)).close()
})

test('W-02: twenty Claudes that die at once say nothing, and ask for no key', async () => {
  const nvim = await startWithServer({ files, args: ['a.txt'] })
  const claudes = await Promise.all(Array.from({ length: 20 }, () => connectThroughLockFile(nvim.configDir)))
  await nvim.waitFor("require('claudecode.status').get().clients == 20", 'twenty clients')
  for (const claude of claudes) claude.terminate()
  await nvim.feed('Vj')
  await nvim.waitFor("require('claudecode.status').get().clients == 0", 'the end of them all')
  expect(await nvim.messages()).toBe('')
  expect(await nvim.blockedMode()).toBeUndefined()
  expect((await logLines(nvim)).filter(line => / (?:ERROR|WARN) /.test(line))).toEqual([])
})

test('L-04: ide_name tells several Neovims apart in /ide, and follows setup() and :cd', async () => {
  const nvim = await startWithServer({
    files: { '.git/HEAD': 'ref: refs/heads/topic\n', 'sub/a.txt': '' },
    setup: "{ ide_name = 'Neovim {folder} ({branch})' }",
  })
  const name = async () => (await readLockFiles(nvim.configDir)).get(nvim.port)?.ideName
  expect(await name()).toBe('Neovim project (topic)')
  await nvim.feed(':cd sub<CR>')
  await nvim.waitFor(async () => (await name()) === 'Neovim sub (topic)', 'the name of the other folder')
  await nvim.lua("require('claudecode').setup({ ide_name = 'Neovim of mine' })")
  await nvim.waitFor(async () => (await name()) === 'Neovim of mine', 'the other name')
  await nvim.lua("require('claudecode').setup({ ide_name = 'Emacs' })")
  await nvim.waitForScreen(/option ide_name is "Emacs"; allowed: a string that begins with "Neovim"/)
})

test('L-11: the lock file names Neovim, which lives as long as the port, also when the host is another one', async () => {
  const nvim = await startWithServer()
  const named = async () => (await readLockFiles(nvim.configDir)).get(nvim.port)?.pid
  expect(await named()).toBe(nvim.pid)
  await killHost(nvim)
  await waitForLockFiles(nvim.configDir, [`${nvim.port}.lock`])
  expect(await named()).toBe(nvim.pid)
})

test('L-12: a lock file that someone deletes comes back, on its port and with its token', async () => {
  const nvim = await startWithServer()
  const before = await readLockFiles(nvim.configDir)
  await rm(join(nvim.configDir, 'ide'), { recursive: true })
  await waitForLockFiles(nvim.configDir, [`${nvim.port}.lock`], 10_000)
  expect(await readLockFiles(nvim.configDir)).toEqual(before)
})

test('L-15: CLAUDE_CONFIG_DIR is where the lock file is, with ~ or relative too; where it can not be, one message says what to do', async () => {
  const places = await makePlaces()
  const home = await startWithServer({ places, env: { CLAUDE_CONFIG_DIR: '~/own claude' } })
  expect(await lockFiles(join(home.home, 'own claude'))).toEqual([`${home.port}.lock`])
  await home.close()
  const relative = await startWithServer({ env: { CLAUDE_CONFIG_DIR: 'own claude' } })
  expect(await lockFiles(join(relative.folder, 'own claude'))).toEqual([`${relative.port}.lock`])
  const locked = join(places.home, 'locked')
  await mkdir(locked)
  await chmod(locked, 0o500)
  const nvim = await startNeovim({
    places,
    mereUser: true,
    env: { CLAUDE_CONFIG_DIR: locked },
    init: "require('claudecode').setup({})",
  })
  await nvim.waitForScreen(/The lock file can't be written to .*locked/)
  expect((await logLines(nvim)).join('\n')).toContain('set CLAUDE_CONFIG_DIR to a folder that is writable')
  expect(await nvim.blockedMode()).toBeUndefined()
})

test('L-16: the lock file is for the user alone, and its token is new for each Neovim', async () => {
  const [one, other] = [await startWithServer(), await startWithServer()]
  const tokens = []
  for (const { configDir, port } of [one, other]) {
    const modes = [join(configDir, 'ide'), join(configDir, 'ide', `${port}.lock`)].map(
      async path => (await stat(path)).mode & 0o777,
    )
    expect(await Promise.all(modes)).toEqual([0o700, 0o600])
    tokens.push((await readLockFiles(configDir)).get(port)?.authToken)
  }
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(tokens).size).toBe(2)
})
