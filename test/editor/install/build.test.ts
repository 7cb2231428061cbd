// build.lua, as lazy.nvim runs it after an install (a coroutine around loadfile()), and as `nvim -l build.lua`.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { connectThroughLockFile } from '../../support/claude-client.ts'
import { startNeovim } from '../../support/neovim.ts'
import { makePlaces } from '../../support/places.ts'
import { waitForServer } from '../../support/plugin.ts'
import { copyPlugin, useCopy } from './installation.ts'
import { writeProgram } from './programs.ts'

const buildTimeoutMs = 240_000 // npm on a slow line, with an empty cache

/** npm as this machine's user has set it up: where its packages come from, and what it has of them already. */
let npm: Record<string, string>
beforeAll(() => {
  const configured = (name: string) => execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()
  npm = {
    ...(Object.fromEntries(Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name))) as typeof npm),
    npm_config_cache: configured('cache'),
    npm_config_userconfig: configured('userconfig'),
    npm_config_prefer_offline: 'true',
  }
})

/**
 * Runs the file as lazy.nvim does: in a coroutine, resumed on the main loop at each turn of the event loop, its statuses kept.
 * At the end `vim.g.built` is true, or the error.
 */
const runAsLazy = `
  local file = ...
  vim.g.statuses = {}
  local thread = coroutine.create(function()
    local done, problem = pcall(function() assert(loadfile(file))() end)
    vim.g.built = done or problem
  end)
  local check = vim.uv.new_check()
  check:start(vim.schedule_wrap(function()
    if coroutine.status(thread) == 'dead' then return check:stop() end
    local _, status = coroutine.resume(thread)
    if status then
      local statuses = vim.g.statuses
      statuses[#statuses + 1] = status
      vim.g.statuses = statuses
    end
  end))`

describe('build.lua', () => {
  test(
    'makes a fresh clone work without development packages, while Neovim stays alive',
    async () => {
      const clone = await copyPlugin()
      const places = await makePlaces()
      const installer = await startNeovim({ places, plugin: false, env: npm })
      await installer.lua(runAsLazy, path.join(clone, 'build.lua'))
      await installer.waitFor('vim.g.statuses[2] ~= nil', 'npm to be started')
      await installer.feed('ityped meanwhile<Esc>')
      await installer.waitForScreen(/typed meanwhile/)
      expect(await installer.lua('return vim.g.built')).toBeNull()
      expect(await installer.waitFor('vim.g.built', 'the build', buildTimeoutMs)).toBe(true)
      expect(await installer.lua('return vim.g.statuses')).toEqual([
        'Looking at Node.js',
        'Installing the packages',
        'Making the bundle',
      ])
      await installer.close()
      for (const name of ['typescript', 'zeromq'])
        expect(existsSync(path.join(clone, 'node_modules', name))).toBe(false)

      const nvim = await startNeovim({ places, plugin: false, init: useCopy(clone) })
      await waitForServer(nvim)
      const client = await connectThroughLockFile(nvim.configDir)
      expect(await client.request('ping', {})).toEqual({})
      expect(client.tools.length).toBeGreaterThan(0)
    },
    buildTimeoutMs,
  )

  test(
    ':ClaudeCodeKernelInstall gets what notebooks need, and the next build keeps it',
    async () => {
      const clone = await copyPlugin({ bundle: true })
      const build = path.join(clone, 'build.lua')
      const hasZeroMq = () =>
        spawnSync('node', ['-e', "require('zeromq')"], { cwd: path.join(clone, 'dist') }).status === 0
      const nvim = await startNeovim({
        plugin: false,
        init: useCopy(clone, "{ jupyter = { ask = 'never' } }"),
        env: npm,
        files: { 'a.py': '# %% a cell\n' },
        args: ['a.py'],
      })
      await waitForServer(nvim)
      const claude = await connectThroughLockFile(nvim.configDir)
      const answer = await claude.callTool('executeCode', { code: '1' })
      expect(answer).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/:ClaudeCodeKernelInstall/) }],
      })
      await nvim.waitForScreen(/run :ClaudeCodeKernelInstall in Neovim/)

      expect(hasZeroMq()).toBe(false)
      await nvim.feed(':ClaudeCodeKernelInstall<CR>')
      await nvim.waitFor(
        async () => (await nvim.messages()).includes('Claude can run code in notebooks now'),
        'the package',
        buildTimeoutMs,
      )
      expect(hasZeroMq()).toBe(true)
      await nvim.feed(':ClaudeCodeKernelInstall<CR>')
      await nvim.waitForScreen(/is installed already/)
      const next = await claude.callTool('executeCode', { code: '1' }) // no restart: the host finds it now
      expect(next.content[0]?.text).not.toContain(':ClaudeCodeKernelInstall')

      await nvim.lua(runAsLazy, build)
      expect(await nvim.waitFor('vim.g.built', 'the build', buildTimeoutMs)).toBe(true)
      expect(await nvim.lua('return vim.g.statuses')).toContain('Installing what notebooks need')
      expect(hasZeroMq()).toBe(true)
      await claude.close()
    },
    buildTimeoutMs,
  )

  test('tells what npm said when it fails', async () => {
    const clone = await copyPlugin()
    const places = await makePlaces()
    await writeProgram(places, 'npm', '#!/bin/sh\necho some noise\necho "npm error: no such registry" >&2\nexit 7\n')
    const nvim = await startNeovim({
      places,
      plugin: false,
      env: { PATH: `${path.join(places.home, 'bin')}:${places.environment.PATH}` },
    })
    await nvim.lua(runAsLazy, path.join(clone, 'build.lua'))
    expect(await nvim.waitFor('vim.g.built', 'the build')).toBe(
      `claudecode: \`npm ci --omit=dev --no-audit --no-fund\` failed in ${clone} (exit code 7)\nsome noise\nnpm error: no such registry`,
    )
  })
})

describe('nvim -l build.lua', () => {
  /** Runs it in another folder, with `npm` and `node` of the test's own. */
  async function runPlainly(node: string, npm: string) {
    const clone = await copyPlugin()
    const places = await makePlaces()
    await writeProgram(places, 'npm', npm)
    await writeProgram(places, 'node', node)
    await writeFile(path.join(places.folder, 'package-lock.json'), 'not ours')
    const nvim = process.env.CLAUDECODE_TEST_NVIM as string
    const run = spawnSync(nvim, ['-l', path.join(clone, 'build.lua')], {
      cwd: places.folder,
      env: { ...places.environment, PATH: `${path.join(places.home, 'bin')}:${places.environment.PATH}` },
      encoding: 'utf8',
    })
    const calls = await readFile(path.join(places.folder, 'calls'), 'utf8').catch(() => '')
    return { code: run.status, output: run.stdout + run.stderr, calls, clone }
  }
  const tellWhere = (name: string) => `#!/bin/sh
    [ "$1" = --version ] && echo v20.19.0 && exit
    echo "${name} $* in $(pwd)" >> "$(dirname "$0")/../../project/calls"\n`

  test('runs in the plugin’s folder, one command after the other', async () => {
    const { code, output, calls, clone } = await runPlainly(tellWhere('node'), tellWhere('npm'))
    expect(output).toBe('')
    expect(code).toBe(0)
    expect(calls).toBe(
      `npm ci --omit=dev --no-audit --no-fund in ${clone}\nnode --import tsx scripts/build.ts in ${clone}\n`,
    )
  })

  test('fails, and says why, when a command fails', async () => {
    const { code, output, clone } = await runPlainly(tellWhere('node'), '#!/bin/sh\necho why >&2\nexit 3\n')
    expect(code).not.toBe(0)
    expect(output).toContain(`failed in ${clone} (exit code 3)`)
    expect(output).toContain('why')
  })

  test('refuses a Node that is too old', async () => {
    const { code, output } = await runPlainly('#!/bin/sh\necho v18.20.4\n', tellWhere('npm'))
    expect(code).not.toBe(0)
    expect(output).toContain('claudecode: Node.js v18.20.4 is too old: install 20.19 or newer, and build again')
  })
})
