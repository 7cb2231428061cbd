// The host inside Neovim's Node provider, as :help remote-plugin has it: `:UpdateRemotePlugins`, then `host = "provider"`.
import path from 'node:path'
import { expect, test } from 'vitest'
import { connectThroughLockFile } from '../../support/claude-client.ts'
import { startNeovim, type TestNeovim } from '../../support/neovim.ts'
import { makePlaces, type Places, repository } from '../../support/places.ts'
import { lockFiles, logLines, startWithServer, waitForLockFiles, waitForServer } from '../../support/plugin.ts'
import { isAlive } from '../../support/processes.ts'
import { waitFor } from '../../support/wait-for.ts'
import { copyPlugin, useCopy } from './installation.ts'
import { notices, onlyNotice } from './notices.ts'

/** The `neovim` package that a user would have installed globally. */
const nodeHost = `vim.g.node_host_prog = ${JSON.stringify(path.join(repository, 'node_modules/neovim/bin/cli.js'))}\n`
const setup = '{ host = "provider" }'

const onPath = (plugin: string) => `vim.opt.runtimepath:prepend(${JSON.stringify(plugin)})\n`

/** A user who has run :UpdateRemotePlugins once. */
async function registeredPlaces(plugin = repository): Promise<Places> {
  const places = await makePlaces()
  const nvim = await startNeovim({ places, plugin: false, init: nodeHost + onPath(plugin) })
  await nvim.request('nvim_command', ['silent UpdateRemotePlugins'])
  await nvim.close()
  return places
}

async function startInProvider(places: Places): Promise<TestNeovim & { port: number }> {
  // setup() after node_host_prog: that is read when the provider is first needed
  const nvim = await startNeovim({ places, init: `${nodeHost}require('claudecode').setup(${setup})` })
  return Object.assign(nvim, { port: await waitForServer(nvim) })
}

async function waitForEndOf(pids: number[]): Promise<void> {
  await waitFor(() => pids.every(pid => !isAlive(pid)), `processes ${pids} to end`, { timeoutMs: 1000 })
}

test('the server comes up in the provider’s process, and a client connects', async () => {
  const nvim = await startInProvider(await registeredPlaces())
  const client = await connectThroughLockFile(nvim.configDir)
  expect(await client.request('ping', {})).toEqual({})
  expect(nvim.hosts()).toHaveLength(1)
  expect(
    await nvim.lua('return #vim.tbl_filter(function(c) return c.client ~= nil end, vim.api.nvim_list_chans())'),
  ).toBe(3)
  expect((await logLines(nvim)).join('\n')).toMatch(/INFO listening on port/)
  expect(await nvim.messages()).toBe('')
})

test(':ClaudeCodeStop and :ClaudeCodeStart keep the port, and the provider', async () => {
  const nvim = await startInProvider(await registeredPlaces())
  const hosts = nvim.hosts()
  const client = await connectThroughLockFile(nvim.configDir)
  await nvim.waitFor("require('claudecode').is_claude_connected()", 'the client to be seen')
  await nvim.feed(':ClaudeCodeStop<CR>')
  expect((await client.closed).code).toBe(1001)
  await waitForLockFiles(nvim.configDir, [])
  await nvim.feed(':ClaudeCodeStart<CR>')
  expect(await waitForServer(nvim)).toBe(nvim.port)
  expect(nvim.hosts()).toEqual(hosts)
})

test('a provider that is killed is noticed and started again, on the same port, more than once', async () => {
  const nvim = await startInProvider(await registeredPlaces())
  for (const _ of ['first', 'second']) {
    const [host] = nvim.hosts()
    const client = await connectThroughLockFile(nvim.configDir)
    process.kill(host as number, 'SIGKILL')
    expect((await client.closed).code).toBe(1006)
    await nvim.waitFor(() => nvim.hosts().some(pid => pid !== host), 'a new provider')
    expect(await waitForServer(nvim)).toBe(nvim.port)
    await waitForLockFiles(nvim.configDir, [`${nvim.port}.lock`])
  }
  const again = await connectThroughLockFile(nvim.configDir)
  expect(await again.request('ping', {})).toEqual({})
  expect((await nvim.messages()).match(/ended unexpectedly/g)).toHaveLength(1)
})

test('a host whose connection breaks comes back in the same provider', async () => {
  const nvim = await startInProvider(await registeredPlaces())
  const hosts = nvim.hosts()
  await nvim.waitFor("require('claudecode.host').phase() == 'ready'", 'the host to be ready, a moment after it listens')
  await nvim.lua(`for _, channel in ipairs(vim.api.nvim_list_chans()) do
    if channel.stream == 'socket' then vim.fn.chanclose(channel.id) end
  end`)
  await nvim.waitFor("require('claudecode.host').phase() ~= 'ready'", 'the end to be noticed')
  expect(await waitForServer(nvim)).toBe(nvim.port)
  expect(nvim.hosts()).toEqual(hosts)
  const client = await connectThroughLockFile(nvim.configDir)
  expect(await client.request('ping', {})).toEqual({})
})

test.each([
  [':qa!', (nvim: TestNeovim) => nvim.input(':qa!<CR>')],
  ['SIGTERM', async (nvim: TestNeovim) => nvim.kill('SIGTERM')],
  ['SIGKILL', async (nvim: TestNeovim) => nvim.kill('SIGKILL')],
])('%s of Neovim ends the provider and leaves no lock file', async (_how, end) => {
  const nvim = await startInProvider(await registeredPlaces())
  const hosts = nvim.hosts()
  expect(await lockFiles(nvim.configDir)).toHaveLength(1)
  await end(nvim)
  await nvim.exited
  await waitForEndOf(hosts)
  expect(await lockFiles(nvim.places.configDir)).toEqual([])
})

test('without :UpdateRemotePlugins: one message names it', async () => {
  const nvim = await startNeovim({ init: `${nodeHost}require('claudecode').setup(${setup})` })
  expect(await onlyNotice(nvim)).toBe(
    'host = "provider" needs `:UpdateRemotePlugins`, and then a restart of Neovim, once',
  )
})

test('without the npm package: one message names it, and no key is asked for', async () => {
  const places = await registeredPlaces()
  for (const program of ['/nonexistent/cli.js', '']) {
    const init = `${program && `vim.g.node_host_prog = "${program}"\n`}require('claudecode').setup(${setup})`
    const nvim = await startNeovim({ places, init, ...(!program && { env: { PATH: '/nonexistent' } }) })
    expect(await onlyNotice(nvim)).toMatch(
      /^Neovim's Node provider does not start: run `npm install -g neovim`, or remove the option host = "provider"/,
    )
    expect(await nvim.blockedMode()).toBeUndefined()
    await nvim.close()
  }
})

test('without bundle and packages: one message has the command to run, and the log the reason', async () => {
  const folder = await copyPlugin()
  const places = await registeredPlaces(folder)
  const nvim = await startNeovim({ places, plugin: false, init: nodeHost + useCopy(folder, setup) })
  await nvim.waitFor(async () => (await notices(nvim)).length > 0, 'a notice')
  expect(await notices(nvim)).toEqual([`not built yet: run \`nvim -l build.lua\` in ${folder}`])
  expect((await logLines(nvim)).join('\n')).toContain('Cannot find package')
})

test('without the option nothing of the provider is used, registered or not', async () => {
  const nvim = await startWithServer({ places: await registeredPlaces(), init: nodeHost })
  expect(await nvim.lua("return vim.fn.exists('g:loaded_node_provider')")).toBe(0)
  expect(await notices(nvim)).toEqual([])
})
