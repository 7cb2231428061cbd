// Writes the parts of the documentation that come from src/options/schema.ts; with --check, only says which are out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { helpEntries, luaTypes, markdownTable } from './options.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Puts `text` between the two lines that mark a generated part. */
function between(file: string, begin: string, end: string, text: string): string {
  const old = readFileSync(root + file, 'utf8')
  const from = old.indexOf(begin)
  const to = old.indexOf(end)
  if (from === -1 || to < from) throw new Error(`${file} has no lines "${begin}" and "${end}"`)
  return `${old.slice(0, from + begin.length)}\n${text}\n${old.slice(to)}`
}

/** Each generated file with what it should hold. */
export function generatedFiles(): Record<string, string> {
  return {
    'README.md': between('README.md', '<!-- options: begin -->', '<!-- options: end -->', `\n${markdownTable()}\n`),
    'doc/claudecode.txt': between(
      'doc/claudecode.txt',
      '(made from the schema: begin)',
      '(made from the schema: end)',
      `\n${helpEntries()}\n`,
    ),
    'lua/claudecode/types.lua': luaTypes(),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check')
  for (const [file, text] of Object.entries(generatedFiles())) {
    const current = existsSync(root + file) ? readFileSync(root + file, 'utf8') : undefined
    if (current === text) continue
    if (check) {
      console.log(`${file} is out of date: run npm run docs`)
      process.exitCode = 1
    } else {
      writeFileSync(root + file, text)
      console.log(`wrote ${file}`)
    }
  }
}
