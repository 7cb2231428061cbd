// One sitting of a user: a real Neovim with the plugin, the real CLI in its terminal, and a model that follows a script.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { claudeCli } from '../../../scripts/claude-cli.ts'
import { cliEnvironment, makeClaudeHome } from '../../support/claude-home.ts'
import { startNeovim, type TestNeovim } from '../../support/neovim.ts'
import { makePlaces, type Places } from '../../support/places.ts'
import { descendantsOf, isAlive } from '../../support/processes.ts'
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'
import type { Files } from '../../support/temporary-folder.ts'
import { type NotYet, waitFor } from '../../support/wait-for.ts'

/** What one step may take on a busy machine, before the test gives up and shows the screen. Milliseconds. */
const stepDeadline = 20_000

/** Half of the screen for Claude, so that its lines are wrapped little. */
const claudeWidth = 0.5

/** The project, and the folders in it: the CLI may be started in each. */
function foldersOf(project: string, files: Files): string[] {
  return [...new Set([project, ...Object.keys(files).map(name => dirname(join(project, name)))])]
}

/** A sitting. What the CLI does in it is in claude-terminal.ts, what the user reviews in proposal.ts. */
export class ClaudeSession {
  readonly nvim: TestNeovim
  readonly model: ScriptedModel
  readonly #places: Places

  private constructor(nvim: TestNeovim, model: ScriptedModel, places: Places) {
    this.nvim = nvim
    this.model = model
    this.#places = places
  }

  /** Starts Neovim in a fresh project with these files (name to text), the first of them open. Claude is not started yet. */
  static async start(files: Files): Promise<ClaudeSession> {
    const cli = await claudeCli()
    const places = await makePlaces(files)
    const home = await makeClaudeHome(places.base, foldersOf(places.folder, files))
    const model = await startScriptedModel()
    // The folders of the places and of the CLI's home are the same; what only one of them has, Neovim needs for itself or hands on.
    const env = { ...cliEnvironment(home, model.url), ...places.environment }
    const init = `require('claudecode').setup({
      terminal_cmd = '${cli.path}',
      log_level = 'debug',
      terminal = { split_width_percentage = ${claudeWidth} },
    })`
    const args = Object.keys(files).slice(0, 1)
    return new ClaudeSession(await startNeovim({ places, env, init, args }), model, places)
  }

  /** Ends Neovim (and with it the CLI) and the model, and removes the project. */
  async dispose(): Promise<void> {
    const started = descendantsOf(this.nvim.pid)
    await this.nvim.close()
    // Claude writes its last files when its terminal is gone already, and would make its removed folders anew.
    await waitFor(() => !started.some(({ pid }) => isAlive(pid)), 'the host and Claude to end', {
      timeoutMs: stepDeadline,
    })
    await this.model.dispose()
    await this.#places.remove()
  }

  /** The absolute path of a file of the project. */
  path(name: string): string {
    return join(this.nvim.folder, name)
  }

  /** The bytes of a file of the project, read as UTF-8. */
  fileOnDisk(name: string): Promise<string> {
    return readFile(this.path(name), 'utf8')
  }

  /** The same, as they are. */
  bytesOnDisk(name: string): Promise<Buffer> {
    return readFile(this.path(name))
  }

  /** The lock files that are there now: their names, and what is in them. */
  async lockFiles(): Promise<{ name: string; content: unknown }[]> {
    const folder = join(this.nvim.configDir, 'ide')
    const names = (await readdir(folder)).filter(name => name.endsWith('.lock'))
    const read = async (name: string) => ({ name, content: JSON.parse(await readFile(join(folder, name), 'utf8')) })
    return Promise.all(names.map(read))
  }

  /**
   * Waits until `look` finds something, and returns it.
   * @param what completes "Waited … for"; the error also has the screen, the log, and what the model was asked.
   */
  until<T>(look: () => Promise<T>, what: string): Promise<Exclude<T, NotYet>> {
    return this.nvim.waitFor(look, what, stepDeadline)
  }
}
