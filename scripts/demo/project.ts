// The demo's small project, and the Neovim configuration that it is opened with.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** The file that the demo works on, in the project's folder. */
export const sampleFile = 'greeting.js'

const sample = `// 1. Select some lines here with V: Claude's window at the right tells what it sees.
// 2. Go to Claude's window (<C-w>l, then i) and press Enter: it proposes an edit.
// 3. Look at the diff. :w in the proposal accepts it, :q rejects it. Change it first, if you like.
// 4. :ClaudeCode hides and shows Claude. :qa! ends the demo.

export function greeting(name) {
  return 'Hello ' + name
}

export function farewell(name) {
  return 'Good bye ' + name
}

console.log(greeting('Neovim'))
`

/** Writes the project into `folder`. */
export async function writeProject(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, sampleFile), sample)
}

/** The command that runs the stand-in, as the option terminal_cmd takes it. */
export function standInCommand(): string {
  return [process.execPath, `${root}/node_modules/tsx/dist/cli.mjs`, `${root}/scripts/demo/stand-in.ts`]
    .map(quote)
    .join(' ')
}

function quote(word: string): string {
  return `"${word.replaceAll(/["\\$`]/g, '\\$&')}"`
}

/**
 * The init.lua of the demo: the plugin as a user would load it.
 * @param more options, as in a Lua table.
 */
export function initLua(terminalCommand: string, more = ''): string {
  return `vim.opt.runtimepath:prepend([==[${root}]==])
vim.o.termguicolors = true
vim.o.number = true
require("claudecode").setup({ terminal_cmd = [==[${terminalCommand}]==]${more === '' ? '' : `, ${more}`} })
`
}
