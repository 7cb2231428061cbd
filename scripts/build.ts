// Makes dist/host.cjs: the whole host in one CommonJS file, for start-up time (bench/first-use.ts). build.lua calls it too.
import { rename } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { onlyEnglish } from './build/only-english.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = `${root}dist/host.cjs`
const unfinished = `${target}.${process.pid}` // two builds at once must never leave half a bundle

await build({
  absWorkingDir: root,
  entryPoints: ['src/start.ts'],
  outfile: unfinished,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  minifySyntax: true, // but not names and line breaks, so that stacks in the log stay readable
  sourcemap: false,
  legalComments: 'eof',
  // node-client loads winston for a logger that we replace, and `ws` looks for optional native speed-ups. zeromq is
  // native, and optional too: it is loaded from node_modules when code is run.
  alias: { winston: `${root}scripts/build/no-winston.cjs` },
  plugins: [onlyEnglish],
  external: ['bufferutil', 'utf-8-validate', 'zeromq'],
  supported: { 'dynamic-import': false }, // else import(), which only works where Node itself loads the bundle
  logLevel: 'warning',
})
await rename(unfinished, target)
