// `npm run bench [name…]`: runs the benchmarks of this folder, each in a process of its own, one after the other.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import os from 'node:os'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const wanted = process.argv.slice(2)
const names = readdirSync(folder)
  .flatMap(file => /^(?!run\.|support)(.+)\.ts$/.exec(file)?.[1] ?? [])
  .filter(name => wanted.length === 0 || wanted.some(word => name.includes(word)))

console.log(`Node ${process.versions.node}, ${os.availableParallelism()} × ${os.cpus()[0]?.model ?? 'unknown CPU'}`)
console.log('Medians; compare ratios, not times: all that a line compares was measured in turns.')
for (const name of names) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', `${folder}${name}.ts`], { stdio: 'inherit' })
  if (status === 0) continue
  console.log(`\n${name} FAILED`)
  process.exitCode = 1
}
