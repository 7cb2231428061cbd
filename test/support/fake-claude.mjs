#!/usr/bin/env node
// A program in the place of the CLI: it tells a test how it was started, how large its terminal is and what was typed.
// `--exit=N` says "boom" and ends with that code; so does `QUIT N` when typed.
// `--lines=N` says so many lines first.
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

if (process.argv[2] === '--version') {
  console.log('0.0.0 (fake claude)')
  process.exit()
}
const folder = join(process.env.FAKE_CLAUDE_RECORDS, String(process.pid))
mkdirSync(folder, { recursive: true })
const argv = process.argv.slice(2)
const at = argv.indexOf('--settings') // what the plugin adds itself is kept apart from what tests ask for
const settings = at === -1 ? undefined : argv.splice(at, 2)[1]
const start = { argv, settings, env: process.env, cwd: process.cwd(), startedAt: Date.now() }

function size() {
  appendFileSync(join(folder, 'sizes'), `${process.stdout.columns}x${process.stdout.rows}\n`)
}

function end(code) {
  process.stdout.write(`boom ${code}\r\n`, () => process.exit(code))
}

process.stdin.setRawMode?.(true)
const lines = Number(start.argv.find(word => word.startsWith('--lines='))?.slice('--lines='.length) ?? 0)
for (let line = 1; line <= lines; line++) process.stdout.write(`line ${line}\r\n`)
process.stdout.write('\x1b[?2004hfake claude> ')
writeFileSync(join(folder, 'stdin'), '')
size()
process.on('SIGWINCH', size)
let typed = ''
process.stdin.on('data', bytes => {
  appendFileSync(join(folder, 'stdin'), bytes)
  typed = (typed + bytes.toString('latin1')).slice(-100)
  const quit = /QUIT (\d+)/.exec(typed)
  if (quit) end(Number(quit[1]))
})
// Written last, and whole: when it is there, the program is ready.
writeFileSync(join(folder, 'start.tmp'), JSON.stringify(start))
renameSync(join(folder, 'start.tmp'), join(folder, 'start.json'))
const exit = start.argv.find(word => word.startsWith('--exit='))
if (exit) end(Number(exit.slice('--exit='.length)))
setInterval(() => {}, 1 << 30)
