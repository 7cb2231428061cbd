// Makes dist/host.cjs: the whole host in one CommonJS file, for start-up time (bench/first-use.ts). build.lua calls it too.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { onlyEnglish } from './build/only-english.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = `${root}dist/host.cjs`
const unfinished = `${target}.${process.pid}` // two builds at once must never leave half a bundle

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['src/entry.ts'],
  outfile: target,
  write: false,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  banner: { js: `//${randomBytes(8).toString('hex')}` }, // the id that rplugin/node/claudecode/bundle.js compares
  minifySyntax: true,
  minifyWhitespace: true, // comments and indentation are half of what Node has to read
  lineLimit: 120, // and names stay as they are: the stacks in the log can be read
  sourcemap: false,
  legalComments: 'none', // nobody gets this file but who built it from the packages, which have their licences
  // node-client loads winston for a logger that we replace, and `ws` looks for optional native speed-ups. zeromq is
  // native, and optional too: it is loaded from node_modules when code is run.
  alias: { winston: `${root}scripts/build/no-winston.cjs` },
  plugins: [onlyEnglish],
  external: ['bufferutil', 'utf-8-validate', 'zeromq'],
  supported: { 'dynamic-import': false }, // else import(), which only works where Node itself loads the bundle
  logLevel: 'warning',
})
const text = outputFiles[0]?.text ?? ''
if (/[^\0-\x7f]/.test(text)) throw new Error('The bundle is not ASCII, for which bundle.js takes it')
await mkdir(`${root}dist`, { recursive: true })
await writeFile(unfinished, text)
await rename(unfinished, target)
execFileSync(process.execPath, [`${root}scripts/build/compile.mjs`], { stdio: 'inherit' })
