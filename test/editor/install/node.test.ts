// Node.js as users have it, or don't: missing, too old, or full of settings for other programs.
import { access, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectThroughLockFile } from '../../support/claude-client.ts'
import { startNeovim } from '../../support/neovim.ts'
import { makePlaces, type Places } from '../../support/places.ts'
import { logLines, startWithServer, waitForServer } from '../../support/plugin.ts'
import { notices, onlyNotice } from './notices.ts'
import { writeProgram } from './programs.ts'

/** A program that runs this Node with `preload` loaded first. */
async function nodeWith(places: Places, preload: string, version = process.version): Promise<string> {
  const script = path.join(places.home, 'preload.cjs')
  await writeFile(script, preload)
  const run = `exec '${process.execPath}' --require '${script}' "$@"`
  return writeProgram(places, 'node', `#!/bin/sh\n[ "$1" = --version ] && echo ${version} && exit\n${run}\n`)
}

const setup = (options: Record<string, string>) =>
  `require('claudecode').setup({ ${Object.entries(options).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)} })`

describe('no Node', () => {
  test('on PATH: one message says what to install', async () => {
    const nvim = await startNeovim({ env: { PATH: '/nonexistent' }, init: setup({}) })
    expect(await onlyNotice(nvim)).toBe(
      'Node.js was not found: install Node.js 20.19 or newer, or set the option node_cmd to its path',
    )
  })

  test('where node_cmd says: one message names the option', async () => {
    const nvim = await startNeovim({ init: setup({ node_cmd: '/nonexistent/node' }) })
    expect(await onlyNotice(nvim)).toBe(
      'the option node_cmd is "/nonexistent/node", but there is no such program: ' +
        'install Node.js 20.19 or newer, or set the option node_cmd to its path',
    )
  })

  test('comes later: the next command finds it', async () => {
    const places = await makePlaces()
    const bin = path.join(places.home, 'bin')
    const nvim = await startNeovim({ places, env: { PATH: bin }, init: setup({}) })
    await onlyNotice(nvim)
    await writeProgram(places, 'node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`)
    await nvim.feed(':ClaudeCodeStart<CR>')
    await waitForServer(nvim)
  })
})

describe('a Node that is too old', () => {
  const pretend = (version: string) =>
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`

  test.each(['18.0.0', '20.18.3', '8.17.0'])(
    '%s: one message says which was found and what is needed',
    async version => {
      const places = await makePlaces()
      const node = await nodeWith(places, pretend(version), `v${version}`)
      const nvim = await startNeovim({ places, init: setup({ node_cmd: node }) })
      expect(await onlyNotice(nvim)).toBe(`${node} (v${version}) is too old: Node.js 20.19 or newer is needed`)
    },
  )

  test('which does not even tell its version', async () => {
    const places = await makePlaces()
    const node = await writeProgram(places, 'node', '#!/bin/sh\n[ "$1" = --version ] && exit 1\nexit 71\n')
    const nvim = await startNeovim({ places, init: setup({ node_cmd: node }) })
    expect(await onlyNotice(nvim)).toBe(`${node} (of unknown version) is too old: Node.js 20.19 or newer is needed`)
  })
})

test('a node_cmd that is no program of the machine is given up with a way out', async () => {
  const places = await makePlaces()
  const node = await writeProgram(places, 'node', '\0\x01\x02 not a program')
  const nvim = await startNeovim({ places, init: setup({ node_cmd: node }) })
  await nvim.waitFor(
    async () => (await notices(nvim)).some(notice => /keeps ending|does not start/.test(notice)),
    'an explanation',
  )
  expect(nvim.hosts()).toEqual([])
})

test('node_cmd may begin with ~', async () => {
  const places = await makePlaces()
  await writeProgram(places, 'node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`)
  await startWithServer({ places, env: { PATH: '/nonexistent' }, setup: '{ node_cmd = "~/bin/node" }' })
})

describe('the user’s environment for other Node programs', () => {
  test('NODE_OPTIONS, ALLOW_CONSOLE and NVIM_NODE_LOG_FILE neither reach the host nor hurt it', async () => {
    const places = await makePlaces()
    const logFile = path.join(places.home, 'node-client.log')
    const nvim = await startWithServer({
      places,
      env: {
        NODE_OPTIONS: '--require /nonexistent.js --max-old-space-size=1',
        ALLOW_CONSOLE: '1',
        NVIM_NODE_LOG_FILE: logFile,
        NVIM_NODE_LOG_LEVEL: 'debug',
        NODE_ENV: 'development',
      },
    })
    const client = await connectThroughLockFile(nvim.configDir)
    expect(await client.request('ping', {})).toEqual({})
    await expect(access(logFile)).rejects.toThrow('ENOENT')
    expect(await nvim.messages()).toBe('')
  })

  test('what a package prints, now or while it is loaded, goes to the log and not into the conversation', async () => {
    const places = await makePlaces()
    const preload = `
      const { Module } = require('node:module')
      const load = Module._load
      Module._load = function (name, ...rest) {
        if (name === 'node:http' || name === 'http') process.stdout.write('printed while loading\\n')
        return load.call(this, name, ...rest)
      }
      setInterval(() => {
        console.log('printed by console.log')
        process.stdout.write('printed to stdout\\n')
        console.error('printed by console.error')
      }, 20).unref()`
    const nvim = await startWithServer({ places, setup: `{ node_cmd = '${await nodeWith(places, preload)}' }` })
    const client = await connectThroughLockFile(nvim.configDir)
    expect(await client.request('ping', {})).toEqual({})
    for (const what of ['while loading', 'by console.log', 'to stdout', 'by console.error'])
      await nvim.waitFor(async () => (await logLines(nvim)).includes(`printed ${what}`), `"printed ${what}" in the log`)
    expect(await client.request('ping', {})).toEqual({})
    expect(nvim.hosts()).toHaveLength(1)
    expect((await logLines(nvim)).filter(line => line.includes('ended'))).toEqual([])
  })
})
