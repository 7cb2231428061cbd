// The life of the host process: when it starts, how it ends, and what it leaves behind (nothing).
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasErrorCode } from '../../../src/base/errors.ts'
import { connectThroughLockFile } from '../../support/claude-client.ts'
import { startNeovim } from '../../support/neovim.ts'
import { makePlaces } from '../../support/places.ts'
import { lockFiles, logLines, startWithServer, waitForLockFiles, waitForServer } from '../../support/plugin.ts'
import { isAlive } from '../../support/processes.ts'
import { waitFor } from '../../support/wait-for.ts'

const goneWithinMs = 1000 // the "no host process is left after a second"

async function waitForEndOf(pids: number[]): Promise<void> {
  await waitFor(() => pids.every(pid => !isAlive(pid)), `processes ${pids} to end`, { timeoutMs: goneWithinMs })
}

/** A process may end by itself between the look and the signal. */
function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!hasErrorCode(error, 'ESRCH')) throw error
  }
}

describe('starting', () => {
  test('nothing of the plugin is loaded, and no process runs, before the user wants it', async () => {
    const nvim = await startNeovim()
    expect(await nvim.lua('return vim.fn.exists(":ClaudeCode")')).toBe(2)
    expect(
      await nvim.lua(
        'return vim.tbl_filter(function(n) return n:match("^claudecode") end, vim.tbl_keys(package.loaded))',
      ),
    ).toEqual([])
    expect(nvim.hosts()).toEqual([])
  })

  test('setup() starts the server once Neovim has started, and not before', async () => {
    const nvim = await startWithServer({
      init: `
        vim.g.phase_at_setup = require('claudecode.host').phase()
        vim.api.nvim_create_autocmd('VimEnter', { callback = function()
          vim.g.phase_at_enter = require('claudecode.host').phase()
        end })`,
    })
    expect(await nvim.lua('return { vim.g.phase_at_setup, vim.g.phase_at_enter }')).toEqual(['stopped', 'stopped'])
    expect(nvim.hosts()).toHaveLength(1)
    await waitForLockFiles(nvim.configDir, [`${nvim.port}.lock`])
    const lock = JSON.parse(await readFile(join(nvim.configDir, 'ide', `${nvim.port}.lock`), 'utf8'))
    expect(lock).toEqual({
      pid: nvim.pid,
      workspaceFolders: [nvim.folder],
      ideName: 'Neovim',
      transport: 'ws',
      authToken: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  })

  test('commands work without setup(), and the server starts for them', async () => {
    const nvim = await startNeovim()
    await nvim.feed(':ClaudeCodeStart<CR>')
    const port = await waitForServer(nvim)
    await nvim.waitForScreen(new RegExp(`the server runs on port ${port}`))
  })

  test('auto_start = false waits for a command', async () => {
    const nvim = await startNeovim({ init: "require('claudecode').setup({ auto_start = false })" })
    await nvim.feed(':ClaudeCodeStatus<CR>')
    await nvim.waitForScreen(/the server is not running/)
    expect(nvim.hosts()).toEqual([])
    await nvim.feed(':ClaudeCodeStart<CR>')
    await waitForServer(nvim)
  })

  test('U-05: a wrong option is named with what is allowed, and everything works', async () => {
    const nvim = await startWithServer({ setup: '{ terminal = { split_side = "up" }, log_level = 7 }' })
    const log = await nvim.waitFor(async () => {
      const text = (await logLines(nvim)).join('\n')
      return text.includes('log_level') && text.includes('split_side') && text
    }, 'two warnings')
    expect(log).toContain('option terminal.split_side is "up"; allowed: "left", "right"; the default "right" is used')
    expect(log).toContain(
      'option log_level is 7; allowed: "error", "warn", "info", "debug", "trace"; the default "info" is used',
    )
    const messages = await nvim.messages()
    expect(messages).toContain('option terminal.split_side is "up"')
    expect(messages).toContain('option log_level is 7')
  })

  test('a long notice is cut to the command line, so that it asks for no key', async () => {
    const nvim = await startWithServer({ setup: `{ terminal_cmd = { ${'"日本",'.repeat(80)} } }` })
    await nvim.waitForScreen(/option terminal_cmd is .*… \(:ClaudeCodeLog\)/)
    expect(await nvim.blockedMode()).toBeUndefined()
    expect((await logLines(nvim)).join('\n')).toContain('the default "claude" is used')
  })

  test('functions and tables that contain themselves in the options stop nothing', async () => {
    await startWithServer({
      init: `local t = { env = {} }
        t.env.self = t
        require('claudecode').setup(vim.tbl_extend('force', t, { terminal_cmd = print }))`,
    })
  })
})

describe('stopping and starting again', () => {
  test(':ClaudeCodeStop lets clients go and removes the lock file; a new start has the same port and token', async () => {
    const nvim = await startWithServer()
    const client = await connectThroughLockFile(nvim.configDir)
    await nvim.waitFor("require('claudecode').is_claude_connected()", 'the client to be seen')
    const lock = await readFile(join(nvim.configDir, 'ide', `${nvim.port}.lock`), 'utf8')
    await nvim.feed(':ClaudeCodeStop<CR>')
    expect((await client.closed).code).toBe(1001)
    await waitForLockFiles(nvim.configDir, [])
    expect(await nvim.lua("return require('claudecode').is_claude_connected()")).toBe(false)
    await nvim.feed(':ClaudeCodeStart<CR>')
    expect(await waitForServer(nvim)).toBe(nvim.port)
    expect(await readFile(join(nvim.configDir, 'ide', `${nvim.port}.lock`), 'utf8')).toBe(lock)
  })

  test(':cd is in the lock file', async () => {
    const nvim = await startWithServer({ files: { 'other folder/a.txt': '' } })
    await nvim.feed(':cd other\\ folder<CR>')
    await waitFor(async () => {
      const text = await readFile(join(nvim.configDir, 'ide', `${nvim.port}.lock`), 'utf8')
      return JSON.parse(text).workspaceFolders[0] === join(nvim.folder, 'other folder')
    }, 'the lock file to have the new folder')
  })
})

describe('a host that is killed', () => {
  test('comes back on the same port with the same token, is said once, and clients can connect again', async () => {
    const nvim = await startWithServer()
    const [host] = nvim.hosts()
    const client = await connectThroughLockFile(nvim.configDir)
    process.kill(host as number, 'SIGKILL')
    expect((await client.closed).code).toBe(1006)
    await nvim.waitFor(() => nvim.hosts().some(pid => pid !== host), 'a new host')
    expect(await waitForServer(nvim)).toBe(nvim.port)
    expect(await lockFiles(nvim.configDir)).toEqual([`${nvim.port}.lock`])
    const again = await connectThroughLockFile(nvim.configDir)
    expect(await again.request('ping', {})).toEqual({})
    const messages = await nvim.messages()
    expect(messages.match(/ended unexpectedly/g)).toHaveLength(1)
  })

  test('again and again is given up with a way out, and leaves no lock file when Neovim ends', async () => {
    const places = await makePlaces()
    const nvim = await startWithServer({ places })
    await nvim.waitFor(
      async () => {
        for (const host of nvim.hosts()) killIfAlive(host)
        return (await nvim.messages()).includes('keeps ending')
      },
      'Neovim to give up',
      20_000,
    )
    expect(nvim.hosts()).toEqual([])
    await nvim.input(':qa!<CR>')
    await nvim.exited
    await waitForLockFiles(places.configDir, [])
  })

  test('stopped with SIGSTOP, it does not hold up Neovim’s end for long', async () => {
    const nvim = await startWithServer()
    const hosts = nvim.hosts()
    process.kill(hosts[0] as number, 'SIGSTOP')
    const asked = performance.now()
    await nvim.input(':qa!<CR>')
    await nvim.exited
    expect(performance.now() - asked).toBeLessThan(5000)
    await waitForEndOf(hosts)
  })
})

describe('L-18: the end of Neovim', () => {
  test.each([
    [':qa!', (nvim: { input(keys: string): Promise<void> }) => nvim.input(':qa!<CR>')],
    [':cq', (nvim: { input(keys: string): Promise<void> }) => nvim.input(':cq<CR>')],
  ])('%s ends the host and removes the lock file', async (_command, end) => {
    const places = await makePlaces()
    const nvim = await startWithServer({ places })
    const hosts = nvim.hosts()
    expect(hosts).toHaveLength(1)
    await end(nvim)
    await nvim.exited
    expect(await lockFiles(places.configDir)).toEqual([])
    await waitForEndOf(hosts)
  })

  test.each(['SIGTERM', 'SIGHUP'] as const)('%s ends the host and removes the lock file', async signal => {
    const places = await makePlaces()
    const nvim = await startWithServer({ places })
    const hosts = nvim.hosts()
    nvim.kill(signal)
    await nvim.exited
    await waitForEndOf(hosts)
    expect(await lockFiles(places.configDir)).toEqual([])
  })

  test('SIGKILL of Neovim ends the host, which removes the lock file', async () => {
    const places = await makePlaces()
    const nvim = await startWithServer({ places })
    const hosts = nvim.hosts()
    nvim.kill('SIGKILL')
    await nvim.exited
    await waitForEndOf(hosts)
    expect(await lockFiles(places.configDir)).toEqual([])
  })

  test('L-03: SIGKILL of both leaves a lock file that the next start removes', async () => {
    const places = await makePlaces()
    const first = await startWithServer({ places })
    const [host] = first.hosts()
    process.kill(host as number, 'SIGSTOP') // so that it cannot clean up between the two
    first.kill('SIGKILL')
    process.kill(host as number, 'SIGKILL')
    await first.exited
    expect(await lockFiles(places.configDir)).toEqual([`${first.port}.lock`])
    const second = await startWithServer({ places })
    await waitForLockFiles(places.configDir, [`${second.port}.lock`])
  })

  test('a live Neovim’s lock file and one that is not ours are left alone', async () => {
    const places = await makePlaces()
    await mkdir(join(places.configDir, 'ide'), { recursive: true })
    const foreign = { pid: 2 ** 22 + 1, workspaceFolders: [], ideName: 'VS Code', transport: 'ws', authToken: 'x' }
    await writeFile(join(places.configDir, 'ide', '10.lock'), JSON.stringify(foreign))
    const first = await startWithServer({ places })
    const second = await startWithServer({ places })
    await waitForLockFiles(places.configDir, ['10.lock', `${first.port}.lock`, `${second.port}.lock`])
  })
})

describe('the log', () => {
  test('holds what the host says, and never the token', async () => {
    const nvim = await startWithServer({ setup: '{ log_level = "trace" }' })
    const client = await connectThroughLockFile(nvim.configDir)
    await client.request('ping', {})
    await nvim.feed(':ClaudeCodeLog<CR>')
    await nvim.waitForScreen(new RegExp(`listening on port ${nvim.port}`))
    const token = JSON.parse(await readFile(join(nvim.configDir, 'ide', `${nvim.port}.lock`), 'utf8')).authToken
    expect((await logLines(nvim)).join('\n')).not.toContain(token)
  })
})

test('L-05: twenty Neovims at once get twenty ports and twenty lock files', async () => {
  const places = await makePlaces()
  const all = await Promise.all(
    Array.from({ length: 20 }, () =>
      startWithServer({ places, setup: '{ port_range = { min = 42000, max = 42199 } }', patienceMs: 40_000 }),
    ),
  )
  const ports = new Set(all.map(nvim => nvim.port))
  expect(ports.size).toBe(20)
  await waitForLockFiles(
    places.configDir,
    [...ports].map(port => `${port}.lock`),
  )
})
