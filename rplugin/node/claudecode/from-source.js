// The program without a bundle: src/ through tsx. As ES modules, so that an `import()` later on gets the same copies of its
// modules as the program has. Exports a promise of the program.
'use strict'

async function load() {
  const { register } = await import('tsx/esm/api')
  register()
  return import('../../../src/entry.ts')
}

module.exports = load()
