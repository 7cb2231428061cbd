// The demo without anyone at the keyboard: the same Neovim and the same stand-in, played step by step.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startNeovim, type TestNeovim } from '../../test/support/neovim.ts'
import { makePlaces } from '../../test/support/places.ts'
import { lockFiles } from '../../test/support/plugin.ts'
import { edits } from './edits.ts'
import { initLua, sampleFile, standInCommand, writeProject } from './project.ts'

/**
 * Plays the demo and prints what happened. `onDiff` is called while the first diff is on the screen; `options` are more
 * of setup(), as in a Lua table.
 * @throws what went wrong first, with the screen as it was.
 */
export async function play(
  neovim: { version: string; path: string },
  {
    onDiff = async () => {},
    options,
    ...size
  }: { onDiff?: (nvim: TestNeovim) => Promise<void>; options?: string; columns?: number; rows?: number } = {},
): Promise<void> {
  process.env['CLAUDECODE_TEST_NVIM'] = neovim.path // where the test harness finds it
  const places = await makePlaces()
  try {
    await writeProject(places.folder)
    const nvim = await startNeovim({
      places,
      plugin: false,
      init: initLua(standInCommand(), options),
      args: [sampleFile],
      ...size,
    })
    try {
      console.log(`- Neovim ${neovim.version} has the project open`)
      await playIn(nvim, onDiff)
      await nvim.input('<C-\\><C-n>:qa!<CR>')
      await nvim.exited
    } finally {
      await nvim.close()
    }
    const left = await lockFiles(places.configDir)
    if (left.length > 0) throw new Error(`lock files are left: ${left}`)
    console.log('- Neovim ended, and left no lock file')
  } finally {
    await places.remove()
  }
}

async function playIn(nvim: TestNeovim, onDiff: (nvim: TestNeovim) => Promise<void>): Promise<void> {
  await nvim.feed(':ClaudeCode<CR>')
  await nvim.waitForScreen(/Connected to Neovim/, 30_000)
  console.log('- :ClaudeCode started the stand-in, which connected through the lock file')

  await nvim.feed('<C-\\><C-n><C-w>p6GVjj')
  await nvim.waitForScreen(/⧉ 3 lines selected in/)
  console.log('- it sees the selection: 3 lines of greeting.js')

  const file = join(nvim.folder, sampleFile)
  const before = await readFile(file, 'utf8')
  const wanted = edits[0]?.apply(before)
  await proposeNext(nvim)
  console.log('- it proposed an edit, which opened as a diff')
  await onDiff(nvim)
  await nvim.feed(':w<CR>')
  await nvim.waitForScreen(/Accepted\./)
  if ((await readFile(file, 'utf8')) !== wanted) throw new Error(`${sampleFile} is not what was accepted`)
  await nvim.waitFor(async () => (await bufferText(nvim, sampleFile)) === wanted, 'the buffer to show the new text')
  console.log('- :w accepted it: the file and the buffer have exactly the proposal')

  await proposeNext(nvim)
  await nvim.feed(':q<CR>')
  await nvim.waitForScreen(/Rejected\./)
  const exists = await nvim.lua<number>('return vim.fn.filereadable("test/greeting.test.js")')
  if (exists !== 0) throw new Error('a rejected file was written')
  console.log('- the next one, a new file, was rejected with :q, and nothing was written')
}

/** Presses Enter in Claude's window and waits for the proposal. */
async function proposeNext(nvim: TestNeovim): Promise<void> {
  await nvim.lua(`
    local claude = require('claudecode.terminal').get_active_terminal_bufnr()
    vim.api.nvim_set_current_win(vim.fn.bufwinid(claude))
    vim.cmd.startinsert()`)
  await nvim.feed('<CR>')
  await nvim.waitFor(
    "vim.b.claudecode_diff_tab_name ~= nil and vim.fn.mode() == 'n'",
    'the proposal to have the cursor',
  )
}

async function bufferText(nvim: TestNeovim, name: string): Promise<string> {
  const lines = await nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(vim.fn.bufnr(...), 0, -1, false)', name)
  return `${lines.join('\n')}\n`
}
