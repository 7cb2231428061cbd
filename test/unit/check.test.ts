// What can be said of the repository by reading it: imports, generated documentation, sizes, deprecated names, documented commands.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { transform } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { findWrongImports } from '../../scripts/check/import-order.ts'
import { generatedFiles } from '../../scripts/docs/generate.ts'
import { repository } from '../support/places.ts'
import { deprecatedNames } from './check-deprecated.ts'

const longestFile = 300 // lines; the aim is 200

const read = (name: string) => readFileSync(path.join(repository, name), 'utf8')

/** The files of the repository, also those that are not committed yet. */
const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
  cwd: repository,
  encoding: 'utf8',
})
  .split('\0')
  .filter(name => name !== '' && existsSync(path.join(repository, name)))
const code = files.filter(name => /\.(ts|js|mjs|cjs|lua)$/.test(name))

test('folders import only from those below them', () => {
  expect(findWrongImports()).toEqual([])
})

test('the documentation of the options is the one that the schema makes', () => {
  const outdated = Object.entries(generatedFiles()).filter(([name, text]) => read(name) !== text)
  expect(outdated.map(([name]) => name)).toEqual([]) // else: npm run docs
})

test('no file is too long to be read', () => {
  const tooLong = code.filter(name => read(name).split('\n').length - 1 > longestFile)
  expect(tooLong).toEqual([])
})

test('each file says in its first line what it is for', () => {
  const silent = code.filter(name => !/^(#!.*\n)?(\/\/|--|\/\*\*) ?\S/.test(read(name)))
  expect(silent).toEqual([])
})

describe('Lua', () => {
  /** Names of 0.10, used there only: each stands behind a look for the new one. */
  const onlyForOldNeovims = [
    'lua/claudecode/editor/line_map.lua: vim.diff',
    'lua/claudecode/terminal/job.lua: termopen',
  ]

  test('uses nothing that 0.12 calls deprecated', () => {
    const found = files
      .filter(name => /^(lua|plugin)\/.*\.lua$|^build\.lua$/.test(name))
      .flatMap(name => {
        const text = read(name).replaceAll(/--.*$/gm, '')
        return deprecatedNames.filter(word => hasWord(text, word)).map(word => `${name}: ${word}`)
      })
    expect(found.filter(use => !onlyForOldNeovims.includes(use))).toEqual([])
  })

  /** `vim.loop` is also found in `vim.loop.now()`, `termopen` behind `vim.fn.`; `vim.diff` not in `vim.different`. */
  function hasWord(text: string, word: string): boolean {
    return new RegExp(`(?<![\\w])${word.replaceAll('.', '\\.')}\\b`).test(text)
  }

  test.each([
    ['vim.loop.now()', 'vim.loop', true],
    ['vim.fn.termopen(a)', 'termopen', true],
    ['vim.different(a)', 'vim.diff', false],
    ['nvim_get_option_value("x")', 'nvim_get_option', false],
    ['my_termopen()', 'termopen', false],
  ])('in %s the check for %s says %s', (text, word, found) => {
    expect(hasWord(text, word)).toBe(found)
  })
})

describe('rplugin/node/claudecode/index.js', () => {
  test('is ES5, so that any old Node gets as far as saying that it is too old', async () => {
    const text = read('rplugin/node/claudecode/index.js')
    // What esbuild must not rewrite for ES5 is ES5; what it can't rewrite is an error.
    const [old, modern] = await Promise.all([
      transform(text, { target: 'es5', minifyWhitespace: true }),
      transform(text, { target: 'esnext', minifyWhitespace: true }),
    ])
    expect(old.code).toBe(modern.code)
    expect(text).not.toMatch(/require\('node:/)
  })
})

describe('the commands of plugin/claudecode.lua', () => {
  const commands = [...read('plugin/claudecode.lua').matchAll(/^command\("(\w+)"/gm)].map(match => match[1] as string)

  test('are all in the README', () => {
    expect(commands.length).toBeGreaterThan(7)
    const text = read('README.md')
    expect(commands.filter(name => !new RegExp(`:${name}\\b`).test(text))).toEqual([])
  })

  test('all have a help tag', () => {
    const text = read('doc/claudecode.txt')
    expect(commands.filter(name => !text.includes(`*:${name}*`))).toEqual([])
  })
})
