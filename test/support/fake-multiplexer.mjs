#!/usr/bin/env node
// In the place of wezterm, kitten and zellij: writes down how it was called, and runs what it is told to run in a pane.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const name = basename(process.argv[1])
const argv = process.argv.slice(2)
const folder = process.env.FAKE_MULTIPLEXER
const read = () => readFileSync(0).toString()
const takesInput = argv.includes('send-text')
appendFileSync(join(folder, 'calls'), `${JSON.stringify({ name, argv, input: takesInput ? read() : undefined })}\n`)

const panes = join(folder, 'panes')
const known = () => (existsSync(panes) ? readFileSync(panes, 'utf8').trim().split('\n') : [])
const kill = id => process.kill(Number(id), 'SIGTERM')

function run(words) {
  const child = spawn(words[0], words.slice(1), { detached: true, stdio: 'ignore', env: { PATH: process.env.PATH } })
  child.unref()
  appendFileSync(panes, `${child.pid}\n`)
  return child.pid
}

const isAlive = id => {
  try {
    process.kill(Number(id), 0)
    return true
  } catch {
    return false
  }
}

const after = word => argv[argv.indexOf(word) + 1]
if (argv.includes('split-pane') || argv[0] === 'run') {
  const id = run(argv.slice(argv.indexOf('--') + 1))
  if (name === 'wezterm') console.log(id)
} else if (argv[1] === 'launch') console.log(run(argv.slice(argv.indexOf('sh'))))
else if (argv.includes('list'))
  console.log(
    JSON.stringify(
      known()
        .filter(isAlive)
        .map(id => ({ pane_id: Number(id) })),
    ),
  )
else if (argv.includes('kill-pane')) kill(after('--pane-id'))
else if (argv.includes('close-window')) kill(after('--match').slice('id:'.length))
else if (argv.includes('ls')) process.exitCode = isAlive(after('--match').slice('id:'.length)) ? 0 : 1
