// Makes the picture of the README from the real thing: the demo, at the moment when the first diff is on the screen.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { play } from '../demo/play.ts'
import { neovimForDemo } from '../neovim.ts'
import { drawScreen } from './svg.ts'

const target = fileURLToPath(new URL('../../doc/diff.svg', import.meta.url))

await play(await neovimForDemo(), {
  columns: 132,
  rows: 26,
  async onDiff(nvim) {
    await nvim.waitForScreen(/Opened changes in Neovim/)
    writeFileSync(target, drawScreen(nvim.screenCells(), "A proposal of Claude's beside the file that it changes"))
    console.log('  (wrote doc/diff.svg)')
  },
})
