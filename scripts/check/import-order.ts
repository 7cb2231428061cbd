// The import order of the design: a folder imports only from itself and from the folders below it in this list.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../../src', import.meta.url))

/** Folders of one line may not import each other. */
const layers = [
  ['base'],
  ['text'],
  ['options'],
  ['neovim', 'ide'],
  ['sessions'],
  ['hooks', 'privacy'],
  ['selection', 'diffs', 'terminal', 'jupyter', 'prompts'],
  ['mentions'],
  ['tools', 'commands'],
  ['.'],
]
const packagesOnlyIn: Record<string, string[]> = {
  neovim: ['neovim'],
  '@msgpack/msgpack': ['neovim'],
  ws: ['ide'],
  zeromq: ['jupyter'],
}

/** The sentences that say what is wrong; none when all is well. */
export function findWrongImports(): string[] {
  const wrong: string[] = []
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'))) {
    const folder = topFolder(join(source, file))
    for (const [, target] of readFileSync(join(source, file), 'utf8').matchAll(
      /\bfrom '([^']+)'|\bimport\('([^']+)'\)/g,
    )) {
      if (target === undefined) continue
      const allowed = target.startsWith('.')
        ? mayImport(folder, topFolder(resolve(source, dirname(file), target)))
        : mayUse(folder, target)
      if (!allowed) wrong.push(`src/${file} must not import ${target}`)
    }
  }
  return wrong
}

function topFolder(path: string): string {
  const [first, ...rest] = relative(source, path).split('/')
  return rest.length === 0 || first === '..' ? '.' : (first as string)
}

function mayImport(from: string, to: string): boolean {
  if (from === to) return true
  if (to === '.') return from === '.' // only entry.ts, start.ts and their neighbours
  return layerOf(to) < layerOf(from)
}

function layerOf(folder: string): number {
  const layer = layers.findIndex(folders => folders.includes(folder))
  if (layer === -1) throw new Error(`src/${folder} is in no layer: add it to scripts/check/import-order.ts`)
  return layer
}

/** `neovim` and `neovim/lib/…` are the same package. */
function mayUse(folder: string, target: string): boolean {
  const owner = Object.entries(packagesOnlyIn).find(([name]) => target === name || target.startsWith(`${name}/`))
  return owner === undefined || owner[1].includes(folder)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wrong = findWrongImports()
  for (const sentence of wrong) console.log(sentence)
  process.exitCode = wrong.length === 0 ? 0 : 1
}
