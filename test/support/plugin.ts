// The plugin in a Neovim under test: when its server is up, and where.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type NeovimOptions, startNeovim, type TestNeovim } from './neovim.ts'
import { waitFor } from './wait-for.ts'

/**
 * Starts a Neovim with the plugin set up, and waits until its server listens.
 * @param options `patienceMs`: how long that may take, where many are started at once
 */
export async function startWithServer(
  options: NeovimOptions & { setup?: string; patienceMs?: number } = {},
): Promise<TestNeovim & { port: number }> {
  const { setup = '{}', init = '', patienceMs, ...rest } = options
  const nvim = await startNeovim({ ...rest, init: `require('claudecode').setup(${setup})\n${init}` })
  return Object.assign(nvim, { port: await waitForServer(nvim, patienceMs) })
}

/** Waits until the server listens, and says on which port. */
export function waitForServer(nvim: TestNeovim, patienceMs?: number): Promise<number> {
  return nvim.waitFor<number>("require('claudecode.status').get().port", 'the server to listen', patienceMs)
}

/** The names of the lock files in a `CLAUDE_CONFIG_DIR`, sorted. */
export async function lockFiles(configDir: string): Promise<string[]> {
  const names = await readdir(join(configDir, 'ide')).catch(() => [])
  return names.filter(name => name.endsWith('.lock')).sort()
}

/** Waits until the folder has just these lock files. */
export async function waitForLockFiles(configDir: string, names: string[], timeoutMs?: number): Promise<void> {
  const wanted = [...names].sort().join()
  await waitFor(async () => (await lockFiles(configDir)).join() === wanted, `the lock files to be [${wanted}]`, {
    ...(timeoutMs !== undefined && { timeoutMs }),
    report: async () => `there are [${(await lockFiles(configDir)).join()}]`,
  })
}

/** The lines of the plugin's log. */
export function logLines(nvim: TestNeovim): Promise<string[]> {
  return nvim.lua<string[]>('return require("claudecode.log").lines()')
}

/** Kills the host, and waits until another one serves. `meanwhile` runs as soon as it is dead. */
export async function killHost(nvim: TestNeovim, meanwhile = async () => {}): Promise<void> {
  const host = await nvim.waitFor(() => nvim.hosts()[0], 'a host')
  process.kill(host, 'SIGKILL')
  await meanwhile()
  await nvim.waitFor(() => nvim.hosts().some(pid => pid !== host), 'a new host') // one look: it ends between two
  await nvim.waitFor("require('claudecode.host').phase() == 'ready'", 'the new host to be ready')
  await waitForServer(nvim)
}
