// `npm run demo`: a real Neovim on a small project, with the plugin and Claude, or a stand-in where the CLI is missing.
// Without a terminal it plays by itself, prints what happened, and fails unless all of it worked.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOnPath } from '../neovim/installed.ts'
import { neovimForDemo } from '../neovim.ts'
import { play } from './play.ts'
import { initLua, sampleFile, standInCommand, writeProject } from './project.ts'

/** Opens Claude's window at the start, and goes back to the file. */
const openClaude = `vim.api.nvim_create_autocmd("VimEnter", {
  callback = function()
    local window = vim.api.nvim_get_current_win()
    vim.cmd("ClaudeCode")
    vim.api.nvim_create_autocmd("FileType", {
      pattern = "claudecode",
      once = true,
      callback = vim.schedule_wrap(function()
        vim.cmd.stopinsert()
        vim.api.nvim_set_current_win(window)
      end),
    })
  end,
})
`

try {
  const neovim = await neovimForDemo()
  if (process.stdin.isTTY && process.stdout.isTTY) {
    process.exitCode = await show(neovim.path)
  } else {
    await play(neovim)
    console.log('The demo worked.')
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.error('The demo failed.')
  process.exitCode = 1
}

/** Opens Neovim for the user at the keyboard. Its own configuration is not read, and nothing of it is changed. */
async function show(program: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'claudecode-demo-'))
  try {
    const project = join(folder, 'project')
    const init = join(folder, 'init.lua')
    const claude = findOnPath('claude')
    await writeProject(project, claude === undefined ? 'Enter' : 'ask for one')
    await writeFile(init, `${initLua(claude ?? standInCommand())}${openClaude}`)
    const own = { NVIM_APPNAME: 'claudecode-demo' } // its state and data lie apart from the user's
    const config = claude === undefined ? everythingIn(folder) : {}
    const nvim = spawn(program, ['-u', init, sampleFile], {
      cwd: project,
      stdio: 'inherit',
      env: { ...process.env, ...own, ...config },
    })
    return await new Promise((resolve, reject) => {
      nvim.once('error', reject)
      nvim.once('exit', code => resolve(code ?? 1))
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The environment that keeps what Neovim and the stand-in write in `folder`. A real Claude is to find its own things. */
function everythingIn(folder: string): Record<string, string> {
  const within = (name: string) => join(folder, name)
  return {
    CLAUDE_CONFIG_DIR: within('claude'),
    XDG_CONFIG_HOME: within('config'),
    XDG_DATA_HOME: within('data'),
    XDG_STATE_HOME: within('state'),
    XDG_CACHE_HOME: within('cache'),
  }
}
