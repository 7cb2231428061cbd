// What users of such plugins reported of the server and its lock file, where an editor is involved, one test each.
import { expect, test } from 'vitest'
import { connectThroughLockFile } from '../../support/claude-client.ts'
import { logLines, startWithServer } from '../../support/plugin.ts'

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
