// zod brings its messages in fifty languages, a quarter of the bundle. We show English, and Node reads all of the bundle at each start.
import type { Plugin } from 'esbuild'

/** Leaves only zod's English messages. */
export const onlyEnglish: Plugin = {
  name: 'only-english',
  setup(build) {
    build.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.c?js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
    }))
  },
}
