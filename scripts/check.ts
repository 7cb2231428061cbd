// `npm run check`: everything that can be said of the code without running it. Prints what is wrong, and fails.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => `${root}node_modules/.bin/${name}`

const steps: [what: string, command: string[]][] = [
  ['types', [bin('tsc'), '--noEmit', '-p', '.']],
  ['TypeScript format and lint (Biome)', [bin('biome'), 'check', '.']],
  ['Lua format (StyLua)', [bin('stylua'), '--check', 'lua', 'plugin', 'build.lua']],
  ['Lua lint (luacheck)', [bin('tsx'), 'scripts/check/luacheck.ts']],
  ['import order', [bin('tsx'), 'scripts/check/import-order.ts']],
  ['generated documentation', [bin('tsx'), 'scripts/docs/generate.ts', '--check']],
]

let failures = 0
for (const [what, [command, ...args]] of steps) {
  const run = spawnSync(command as string, args, { cwd: root, encoding: 'utf8' })
  const passed = run.status === 0
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${what}`)
  if (passed) continue
  failures++
  console.log(`${run.stdout}${run.stderr}${run.error ?? ''}`)
}
process.exitCode = failures === 0 ? 0 : 1
