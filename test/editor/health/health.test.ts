// :checkhealth claudecode: each fault is named once, with its cure; where all is well it has nothing to complain about.
import { rm, utimes } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectThroughLockFile } from '../../support/claude-client.ts'
import { startNeovim, type TestNeovim } from '../../support/neovim.ts'
import { makePlaces, type Places, repository } from '../../support/places.ts'
import { waitForServer } from '../../support/plugin.ts'
import { copyPlugin, useCopy } from '../install/installation.ts'
import { writeProgram } from '../install/programs.ts'

const atMostMs = 5000

interface Report {
  /** All lines. */
  text: string
  /** The lines of errors and warnings, each with its cures. */
  problems: { level: 'ERROR' | 'WARNING'; what: string; cures: string[] }[]
}

async function checkHealth(nvim: TestNeovim): Promise<Report> {
  const asked = performance.now()
  // Not typed: keys count as carried out while the report still waits for the programs.
  await nvim.request('nvim_command', ['checkhealth claudecode'])
  const lines = await nvim.request<string[]>('nvim_buf_get_lines', [0, 0, -1, false])
  expect(performance.now() - asked).toBeLessThan(atMostMs)
  const problems: Report['problems'] = []
  let inAdvice = false
  for (const line of lines) {
    const found = /^- (?:\P{ASCII}+ )?(ERROR|WARNING|OK)?\s*(.*)$/u.exec(line)
    const cure = /^ {4}- (.*)$/.exec(line)
    if (found?.[1] === 'ERROR' || found?.[1] === 'WARNING')
      problems.push({ level: found[1], what: found[2] as string, cures: [] })
    if (found) inAdvice = found[1] === 'ERROR' || found[1] === 'WARNING'
    else if (cure && inAdvice) problems.at(-1)?.cures.push(cure[1] as string)
  }
  return { text: lines.join('\n'), problems }
}

/** What is wrong, when it is one thing. */
async function onlyProblem(nvim: TestNeovim): Promise<Report['problems'][number]> {
  const { problems, text } = await checkHealth(nvim)
  expect(problems, text).toHaveLength(1)
  const [problem] = problems
  expect(problem?.cures.length).toBeGreaterThan(0)
  return problem as Report['problems'][number]
}

/** A user with a `claude` on PATH and nothing wrong. */
async function healthyPlaces(claude = '#!/bin/sh\necho "2.1.332 (Claude Code)"\n'): Promise<Places> {
  const places = await makePlaces()
  await writeProgram(places, 'claude', claude)
  return places
}

function pathOf(places: Places): string {
  return `${path.join(places.home, 'bin')}:${places.environment.PATH}`
}

/** The plugin in its own folder, so that its bundle is as new as its sources whatever happens here. */
let plugin: string
beforeAll(async () => {
  plugin = await copyPlugin({ bundle: true })
})
afterAll(() => rm(plugin, { recursive: true }))

async function start(setup = '{}', places?: Places, folder = plugin): Promise<TestNeovim> {
  const used = places ?? (await healthyPlaces())
  const init = useCopy(folder, setup)
  return startNeovim({ places: used, plugin: false, init, env: { PATH: pathOf(used) } })
}

describe(':checkhealth claudecode', () => {
  test('L-17, U-09: has no complaint where all is well, with and without a client', async () => {
    const nvim = await start()
    const port = await waitForServer(nvim)
    const alone = await checkHealth(nvim)
    expect(alone.problems, alone.text).toEqual([])
    expect(alone.text).toContain(`The server listens on 127.0.0.1:${port}`)
    expect(alone.text).toContain('Claude Code: 2.1.332 (Claude Code)')
    expect(alone.text).toContain(`Node.js ${process.version}`)
    expect(alone.text).toContain('No Claude is connected')
    await connectThroughLockFile(nvim.configDir)
    await nvim.waitFor("require('claudecode').is_claude_connected()", 'the client to be seen')
    await nvim.feed(':bwipeout<CR>')
    const together = await checkHealth(nvim)
    expect(together.problems, together.text).toEqual([])
    expect(together.text).toContain('1 connected')
  })

  test('Neovim too old', async () => {
    const nvim = await start()
    await waitForServer(nvim)
    // There is no older Neovim on which the plugin would load.
    await nvim.lua(`local has = vim.fn.has
      vim.fn.has = function(what) return what == 'nvim-0.10' and 0 or has(what) end`)
    const problem = await onlyProblem(nvim)
    expect(problem.what).toMatch(/^Neovim .* is too old$/)
    expect(problem.cures).toEqual(['Install Neovim 0.10 or newer'])
  })

  test('another plugin with the same module', async () => {
    const nvim = await start()
    await waitForServer(nvim)
    await nvim.lua(`vim.opt.runtimepath:append(...)`, repository)
    expect((await onlyProblem(nvim)).what).toContain('Two plugins have the Lua module claudecode')
  })

  test('Node missing', async () => {
    const nvim = await start('{ node_cmd = "/nonexistent/node", auto_start = false }')
    const { problems } = await checkHealth(nvim)
    expect(problems.map(problem => problem.what)).toEqual([
      'Node.js (/nonexistent/node) was not found',
      'The server is not running',
    ])
    expect(problems[0]?.cures).toEqual([
      'Install Node.js 20.19 or newer',
      'Or set the option node_cmd to the path of the program',
    ])
  })

  test('Node too old', async () => {
    const places = await healthyPlaces()
    const node = await writeProgram(places, 'old-node', '#!/bin/sh\necho v18.20.4\n')
    const nvim = await start(`{ node_cmd = "${node}", auto_start = false }`, places)
    const { problems } = await checkHealth(nvim)
    expect(problems[0]?.what).toBe(`Node.js v18.20.4 (${node}) is too old`)
    expect(problems).toHaveLength(2)
  })

  test('the plugin not built; built but old; never bundled', async () => {
    const bare = await start('{ auto_start = false }', undefined, await copyPlugin())
    expect((await checkHealth(bare)).problems[0]?.what).toContain('The plugin is not built')

    const folder = await copyPlugin({ bundle: true, packages: true })
    const nvim = await start('{}', undefined, folder)
    await waitForServer(nvim)
    await utimes(path.join(folder, 'src', 'start.ts'), new Date(), Date.now() / 1000 + 60)
    const stale = await onlyProblem(nvim)
    expect(stale.what).toContain('The bundle dist/host.cjs is older than src/')
    expect(stale.cures).toEqual([
      `Run \`nvim -l ${folder}/build.lua\` in a shell, or with lazy.nvim \`:Lazy build ${path.basename(folder)}\``,
    ])
    await rm(path.join(folder, 'dist'), { recursive: true })
    await nvim.feed(':bwipeout<CR>')
    expect((await onlyProblem(nvim)).what).toContain('There is no bundle')
  })

  test('Claude missing, also behind quotes and a tilde, unless it runs elsewhere anyway', async () => {
    const nvim = await start('{ terminal_cmd = "\'~/no such/claude\' --debug" }')
    await waitForServer(nvim)
    const problem = await onlyProblem(nvim)
    expect(problem.what).toBe(`Claude Code (${nvim.home}/no such/claude) was not found`)
    expect(problem.cures).toHaveLength(2)
    const elsewhere = await start('{ terminal_cmd = "no-claude", terminal = { provider = "none" } }')
    await waitForServer(elsewhere)
    expect((await checkHealth(elsewhere)).problems).toEqual([])
  })

  test('Claude failing', async () => {
    const nvim = await start('{}', await healthyPlaces('#!/bin/sh\necho no >&2\nexit 1\n'))
    await waitForServer(nvim)
    expect((await onlyProblem(nvim)).what).toBe('`claude --version` does not tell a version')
  })

  test('Node and Claude hanging cost no more than one of them', async () => {
    const places = await healthyPlaces('#!/bin/sh\nexec sleep 30\n')
    const node = await writeProgram(places, 'mute-node', '#!/bin/sh\nsleep 30\n')
    const nvim = await start(`{ node_cmd = "${node}" }`, places)
    await nvim.waitFor("require('claudecode.host').phase() == 'starting'", 'the host to be started')
    await nvim.lua("require('claudecode.host').age_ms = function() return 60000 end")
    const { problems } = await checkHealth(nvim)
    expect(problems.map(problem => problem.what)).toEqual([
      `\`${node} --version\` does not tell a version`,
      '`claude --version` does not tell a version',
      'The host was started 60 s ago, and is not ready',
    ])
  })

  test('the server not running', async () => {
    const nvim = await start('{ auto_start = false }')
    const problem = await onlyProblem(nvim)
    expect(problem.what).toBe('The server is not running')
    expect(problem.cures[0]).toBe('Run :ClaudeCodeStart')
  })

  test('the host running, its server stopped', async () => {
    const nvim = await start()
    await waitForServer(nvim)
    await nvim.feed(':ClaudeCodeStop<CR>')
    await nvim.waitFor("not require('claudecode.session').lock_file()", 'the server to stop')
    expect((await onlyProblem(nvim)).what).toBe('The host runs, but its server does not')
  })

  test('the lock file missing', async () => {
    const nvim = await start()
    const port = await waitForServer(nvim)
    const lock = path.join(nvim.configDir, 'ide', `${port}.lock`)
    // A host that runs writes it anew.
    for (const host of nvim.hosts()) process.kill(host, 'SIGSTOP')
    await rm(lock)
    const problem = await onlyProblem(nvim)
    expect(problem.what).toBe(`The lock file ${lock} is missing, so that Claude can't find Neovim`)
    for (const host of nvim.hosts()) process.kill(host, 'SIGCONT')
  })

  test('the provider without a manifest, and without its package', async () => {
    const nvim = await start('{ host = "provider", auto_start = false }')
    const { problems } = await checkHealth(nvim)
    expect(problems.map(problem => problem.what)).toEqual([
      'host = "provider", but this plugin is not in the manifest of remote plugins',
      'The server is not running',
    ])
    expect(problems[0]?.cures).toEqual(['Run :UpdateRemotePlugins, then start Neovim again'])
    await nvim.lua(`vim.g.node_host_prog = '/nonexistent/cli.js'
      vim.api.nvim_create_autocmd('FuncUndefined', { pattern = 'ClaudeCodeHostStart', command = '' })`)
    await nvim.feed(':bwipeout<CR>')
    expect((await checkHealth(nvim)).problems[0]?.what).toBe(
      'g:node_host_prog names /nonexistent/cli.js, which is not there',
    )
  })
})
