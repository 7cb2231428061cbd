// The demo's small project, and the Neovim configuration that it is opened with.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** The file that the demo works on, in the project's folder. */
export const sampleFile = 'greeting.js'

const sample = (keys: string) => `// 1. V selects lines: Claude says what it sees.
// 2. <C-w>l, then ${keys}: Claude proposes an edit.
// 3. In the proposal :w accepts, and :q rejects.
// 4. <C-q> leaves Claude's window, :qa ends all.

export function greeting(name) {
  return 'Hello ' + name
}

export function farewell(name) {
  return 'Good bye ' + name
}

console.log(greeting('Neovim'))
`

/**
 * Writes the project into `folder`.
 * @param keys what makes Claude propose an edit: Enter alone is enough for the stand-in.
 */
export async function writeProject(folder: string, keys = 'Enter'): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, sampleFile), sample(keys))
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
