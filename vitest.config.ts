// Which tests run where. The editor tests run once for each Neovim that scripts/neovim.ts finds or fetches.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { neovimsForTests } from './scripts/neovim.ts'

const editors = await neovimsForTests()

/** A process for each file costs a fifth of the time. What outlives a test is ended by test/support/at-test-end.ts. */
const isolate = false

export default defineConfig({
  test: {
    // Editor tests mostly wait for an editor: more of them than there are processors keep both busy.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: [
      { test: { isolate, name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 30_000 } },
      { test: { isolate, name: 'protocol', include: ['test/protocol/**/*.test.ts'], testTimeout: 30_000 } },
      ...editors.map(editor => ({
        test: {
          isolate,
          name: `editor ${editor.version}`,
          include: ['test/editor/**/*.test.ts'],
          env: { CLAUDECODE_TEST_NVIM: editor.path },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      })),
      ...editors.map(editor => ({
        test: {
          isolate,
          name: `e2e ${editor.version}`,
          include: ['test/e2e/**/*.test.ts'],
          env: { CLAUDECODE_TEST_NVIM: editor.path },
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      })),
    ],
  },
})
