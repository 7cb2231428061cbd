// The plugin on disk as it may be: just cloned, with packages but never built, half installed.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectThroughLockFile } from '../../support/claude-client.ts'
import { startNeovim } from '../../support/neovim.ts'
import { repository } from '../../support/places.ts'
import { logLines, waitForServer } from '../../support/plugin.ts'
import { copyPlugin, useCopy } from './installation.ts'
import { onlyNotice } from './notices.ts'

async function startCopy(folder: string) {
  return startNeovim({ plugin: false, init: useCopy(folder) })
}

describe('the plugin’s folder', () => {
  test('without bundle and packages: one message has the command to run', async () => {
    const folder = await copyPlugin()
    const nvim = await startCopy(folder)
    expect(await onlyNotice(nvim)).toBe(`not built yet: run \`nvim -l build.lua\` in ${folder}`)
  })

  test('with some of the packages: the same', async () => {
    const folder = await copyPlugin()
    await mkdir(path.join(folder, 'node_modules'))
    for (const name of ['tsx', 'esbuild', 'get-tsconfig', 'resolve-pkg-maps', '@esbuild']) {
      const source = path.join(repository, 'node_modules', name)
      if (existsSync(source)) await symlink(source, path.join(folder, 'node_modules', name))
    }
    const nvim = await startCopy(folder)
    expect(await onlyNotice(nvim)).toContain('not built yet')
    expect((await logLines(nvim)).join('\n')).toMatch(/Cannot find package 'zod'/)
  })

  test('with packages, but never built, works through tsx', async () => {
    const folder = await copyPlugin({ packages: true })
    const nvim = await startCopy(folder)
    await waitForServer(nvim)
    const client = await connectThroughLockFile(nvim.configDir)
    expect(await client.request('ping', {})).toEqual({})
  })

  test('with the bundle alone works: no package is needed at run time', async () => {
    const folder = await copyPlugin({ bundle: true })
    const nvim = await startCopy(folder)
    await waitForServer(nvim)
    const client = await connectThroughLockFile(nvim.configDir)
    expect(await client.request('ping', {})).toEqual({})
    expect(client.tools.length).toBeGreaterThan(0)
  })

  test('with what was compiled of this bundle uses it; of another one, or rubbish, does no harm', async () => {
    const folder = await copyPlugin({ bundle: true })
    const compiled = path.join(folder, 'dist', 'host.cjs.compiled')
    const load = path.join(folder, 'rplugin', 'node', 'claudecode', 'bundle.js')
    const print =
      'const { program, usesCompiled } = require(process.argv[1]); console.log(typeof program.runOnStdio, usesCompiled)'
    const run = () => execFileSync(process.execPath, ['-e', print, load], { encoding: 'utf8' }).trim()
    execFileSync(process.execPath, [path.join(folder, 'scripts', 'build', 'compile.mjs')]) // by this very Node
    expect(run()).toBe('function true')
    const bytes = await readFile(compiled)
    await writeFile(compiled, Buffer.concat([Buffer.from('0123456789abcdef'), bytes.subarray(16)]))
    expect(run()).toBe('function false')
    await writeFile(compiled, Buffer.concat([bytes.subarray(0, 16), Buffer.alloc(5000, 7)]))
    expect(run()).toBe('function false')
    await rm(compiled)
    expect(run()).toBe('function false')
  })

  test('with a bundle that is broken: given up with the way to the log, which has the reason', async () => {
    const folder = await copyPlugin()
    await mkdir(path.join(folder, 'dist'))
    await writeFile(path.join(folder, 'dist', 'host.cjs'), 'half a bun')
    const nvim = await startCopy(folder)
    await nvim.waitForScreen(/keeps ending; see :ClaudeCodeLog/)
    expect((await logLines(nvim)).join('\n')).toContain('SyntaxError')
  })
})
